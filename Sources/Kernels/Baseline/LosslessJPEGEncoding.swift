// Kernels that encode rows of samples to the entropy-coded segments of lossless JPEG. Samples of `step` components are
// interleaved, and all arithmetic is modulo 65536, as T.81 defines it.

/// Computes the differences of a row's samples from their prediction. Returns the bitwise OR of all samples.
///
/// The first pixel is predicted from `above`: the row above or, for the first row, a pixel of mid grey, which is valid
/// for predictor 1 only. `predictor` is the number of T.81, 1 to 7.
package func predictionDifferences(
    _ row: UnsafePointer<UInt16>, _ above: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int,
    step: Int, predictor: Int
) -> UInt16 {
    for index in 0..<step { target[index] = row[index] &- above[index] }
    switch predictor {
    case 1: subtract(row, above, target, count, step, predictor: 1)
    case 2: subtract(row, above, target, count, step, predictor: 2)
    case 3: subtract(row, above, target, count, step, predictor: 3)
    case 4: subtract(row, above, target, count, step, predictor: 4)
    case 5: subtract(row, above, target, count, step, predictor: 5)
    case 6: subtract(row, above, target, count, step, predictor: 6)
    default: subtract(row, above, target, count, step, predictor: 7)
    }
    var seen: UInt16 = 0
    for index in 0..<count { seen |= row[index] }
    return seen
}

/// Computes the differences of a row's samples from their predictions, except those of the first pixel; callers pass a
/// constant `predictor` to specialise the loop.
@inline(__always) private func subtract(
    _ row: UnsafePointer<UInt16>, _ above: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int,
    _ step: Int, predictor: Int
) {
    for index in step..<count {
        let (upper, diagonal) = predictor == 1 ? (0, 0) : (above[index], above[index &- step])
        target[index] = row[index] &- prediction(row[index &- step], upper, diagonal, predictor: predictor)
    }
}

/// Pads a row from `present` to `count` samples with the values that `predictor` predicts, so that the padding costs
/// few bits.
///
/// `above` is the row above, as for `predictionDifferences`. Samples stay within 0…`limit`, as readers may require.
package func padRowByPrediction(
    _ row: UnsafeMutablePointer<UInt16>, _ above: UnsafePointer<UInt16>, present: Int, _ count: Int, step: Int,
    predictor: Int, limit: UInt16
) {
    for index in present..<count {
        guard index >= step else {
            row[index] = above[index]
            continue
        }
        guard predictor > 1 else {
            row[index] = row[index - step]
            continue
        }
        let (a, b, c) = (Int(row[index - step]), Int(above[index]), Int(above[index - step]))
        let expected =
            switch predictor {
            case 2: b
            case 3: c
            case 4: a &+ b &- c
            case 5: a &+ (b &- c) >> 1
            case 6: b &+ (a &- c) >> 1
            default: (a &+ b) >> 1
            }
        row[index] = UInt16(truncatingIfNeeded: max(0, min(Int(limit), expected)))
    }
}

/// Adds to `totals[k]`, for k from 1 to 16, how many differences need k bits or more. The differences are overwritten
/// by their magnitudes.
///
/// Comparing all of them with one power of two after another is fast because it vectorises; a histogram does not.
package func countMagnitudes(
    _ differences: UnsafeMutablePointer<UInt16>, _ count: Int, _ totals: UnsafeMutablePointer<Int>
) {
    var seen: UInt16 = 0
    for index in 0..<count {
        let difference = Int16(bitPattern: differences[index])
        let magnitude = UInt16(bitPattern: max(difference, 0 &- difference))
        differences[index] = magnitude
        seen |= magnitude
    }
    var (bits, limit) = (1, UInt16(0))
    while limit < seen {
        totals[bits] &+= countAbove(limit, differences, count)
        bits &+= 1
        limit = limit &* 2 &+ 1
    }
}

/// Counts the numbers (at most 32768) that exceed `limit` (at most 32767): `limit` − number is then negative in 16
/// bits.
@inline(__always) private func countAbove(_ limit: UInt16, _ numbers: UnsafePointer<UInt16>, _ count: Int) -> Int {
    var (start, total) = (0, 0)
    while start < count {
        // Counts are added in blocks short enough for 16 bits, so that vector lanes stay narrow.
        let end = min(start &+ 32_768, count)
        var block: UInt16 = 0
        for index in start..<end { block &+= (limit &- numbers[index]) >> 15 }
        total &+= Int(block)
        start = end
    }
    return total
}

/// Fills in the table entries of all differences of `category` bits: `center[difference]` is the Huffman code followed
/// by the extra bits, shifted left by 6, and in the low 6 bits the length of both together.
package func fillCategory(_ center: UnsafeMutablePointer<UInt32>, category: Int, code: UInt32, length: UInt32) {
    guard category > 0 else {
        center[0] = code << 6 | length
        return
    }
    guard category < 16 else {
        center[-32_768] = code << 6 | length
        return
    }
    let (low, high) = (1 << (category &- 1), 1 << category)
    let bits = length &+ UInt32(truncatingIfNeeded: category)
    let base = code << UInt32(truncatingIfNeeded: category)
    for magnitude in low..<high {
        center[magnitude] = (base &+ UInt32(truncatingIfNeeded: magnitude)) << 6 | bits
    }
    for value in 0..<low {
        center[value &- (high &- 1)] = (base &+ UInt32(truncatingIfNeeded: value)) << 6 | bits
    }
}

/// Encodes differences to bits without byte stuffing and returns the number of whole bytes stored.
///
/// `center` is filled by `fillCategory`, with no code longer than 26 bits. `pending` holds, before and after the call,
/// the last 0 to 7 bits that do not fill a byte, and in its second element their number. `target` holds 4 bytes per
/// difference and 8 more.
package func packDifferences(
    _ differences: UnsafePointer<UInt16>, _ count: Int, _ center: UnsafePointer<UInt32>,
    _ pending: UnsafeMutablePointer<UInt64>, _ target: UnsafeMutablePointer<UInt8>
) -> Int {
    var (bits, filled) = (pending[0], pending[1])
    var output = UnsafeMutableRawPointer(target)
    // The masking shifts (&<<) below take an entry as their distance: they use its lowest six bits only, which are the
    // length of its code and extra bits together.
    for pair in 0..<count / 2 {
        let first = UInt64(center[Int(Int16(bitPattern: differences[2 &* pair]))])
        let second = UInt64(center[Int(Int16(bitPattern: differences[2 &* pair &+ 1]))])
        let length = first &+ second
        bits = bits &<< length | (first >> 6) &<< second | second >> 6
        filled &+= length & 63
        output.storeBytes(of: (bits &<< (0 &- filled)).bigEndian, as: UInt64.self)
        output += Int(truncatingIfNeeded: filled >> 3)
        filled &= 7
    }
    if count & 1 == 1 {
        let last = UInt64(center[Int(Int16(bitPattern: differences[count &- 1]))])
        bits = bits &<< last | last >> 6
        filled &+= last & 63
        output.storeBytes(of: (bits &<< (0 &- filled)).bigEndian, as: UInt64.self)
        output += Int(truncatingIfNeeded: filled >> 3)
        filled &= 7
    }
    pending[0] = bits
    pending[1] = filled
    return output - UnsafeMutableRawPointer(target)
}

/// Copies bytes with a zero byte stuffed after each 255, so that none looks like a marker. Returns the number of bytes
/// stored.
///
/// `target` holds 2 bytes per byte and 8 more.
package func stuffBytes(_ source: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) -> Int {
    var (read, written) = (0, 0)
    while read &+ 8 <= count {
        let word = UnsafeRawPointer(source + read).loadUnaligned(as: UInt64.self)
        UnsafeMutableRawPointer(target + written).storeBytes(of: word, as: UInt64.self)
        let full = fullBytes(UInt64(littleEndian: word))
        if full == 0 {
            read &+= 8
            written &+= 8
        } else {
            let copied = full.trailingZeroBitCount / 8 &+ 1
            target[written &+ copied] = 0
            read &+= copied
            written &+= copied &+ 1
        }
    }
    while read < count {
        target[written] = source[read]
        written &+= 1
        if source[read] == 0xFF {
            target[written] = 0
            written &+= 1
        }
        read &+= 1
    }
    return written
}
