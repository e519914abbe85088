// Lossless JPEG's entropy-coded bits to rows of samples.
//
// Bits are read from bytes that are unstuffed already; where a row starts and ends is a position in bits. No row is checked
// against the end of the bytes while it is read: 4 bytes a sample of the row, and 16 more, must be readable behind them.
//
// A table of codes is 32-bit words. First come 2048 entries, one for each way the next 11 bits may be. An entry holds in bits
// 8–13 the length of the code, in 16–21 63 less the length of the difference; bit 31 says that it takes a closer look. For that
// follow, by the length of a code from 0 to 16, the first 16 bits that mean a longer one; then, by length, what to add to a code for
// its place among the symbols; then 256 symbols. Last, as bytes, the length of code and difference together for each way the
// next 11 bits may be: what comes next waits for this number alone, and bytes are the quickest to get at.

/// Copies entropy-coded bytes without the stuffed zeros, up to a marker or the end.
///
/// `target` has room for 8 bytes more than `count`. Gives the bytes read, which end before the marker, and those written.
package func unstuffBytes(_ source: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) -> (
    read: Int, written: Int
) {
    var (read, written) = (0, 0)
    while read < count {
        if read &+ 8 <= count {
            let word = UnsafeRawPointer(source + read).loadUnaligned(as: UInt64.self)
            UnsafeMutableRawPointer(target + written).storeBytes(of: word, as: UInt64.self)
            let full = fullBytes(UInt64(littleEndian: word))
            let plain = full == 0 ? 8 : full.trailingZeroBitCount / 8
            read &+= plain
            written &+= plain
            if full == 0 { continue }
        }
        if source[read] != 0xFF {
            target[written] = source[read]
            read &+= 1
            written &+= 1
        } else if read &+ 1 < count, source[read &+ 1] == 0 {
            target[written] = 0xFF
            read &+= 2
            written &+= 1
        } else if read &+ 1 < count, source[read &+ 1] == 0xFF {
            // A marker may be preceded by any number of these.
            read &+= 1
        } else {
            break
        }
    }
    return (read, written)
}

/// Reads a row of pixels, each a sample of 1 to 4 components, which is their number `step`.
///
/// The first pixel is predicted from `above`, which is the row above or, where that may not be used, a pixel of mid grey; only
/// predictor 1 may be used there. `tables` has one table for each component. Gives the position behind the row, or −1 if
/// the bits are no code.
package func decodeRow(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, pixels: Int, step: Int, predictor: Int
) -> Int {
    switch predictor {
    case 1: decode1(bytes, position, tables, above, row, pixels, step)
    case 2: decode2(bytes, position, tables, above, row, pixels, step)
    case 3: decode3(bytes, position, tables, above, row, pixels, step)
    case 4: decode4(bytes, position, tables, above, row, pixels, step)
    case 5: decode5(bytes, position, tables, above, row, pixels, step)
    case 6: decode6(bytes, position, tables, above, row, pixels, step)
    default: decode7(bytes, position, tables, above, row, pixels, step)
    }
}

/// Multiplies samples by a power of two: the standard's point transform.
package func scaleRow(_ row: UnsafeMutablePointer<UInt16>, _ count: Int, bits: UInt16) {
    for index in 0..<count { row[index] = row[index] &<< bits }
}

// One function for each predictor, because the compiler would not make so many copies of a loop in one function. They and what they
// call are not private: of a private function that stays one, the compiler makes a symbol that another module's could replace.

@inline(never) func decode1(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 1)
}

@inline(never) func decode2(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 2)
}

@inline(never) func decode3(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 3)
}

@inline(never) func decode4(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 4)
}

@inline(never) func decode5(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 5)
}

@inline(never) func decode6(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 6)
}

@inline(never) func decode7(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int
) -> Int {
    decode(bytes, position, tables, above, row, pixels, step, predictor: 7)
}

/// One row; `predictor` is a constant where this is called, which is in turn one of `step`.
@inline(__always) func decode(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, _ step: Int, predictor: Int
) -> Int {
    switch step {
    case 1: decode(bytes, position, tables, above, row, pixels, step: 1, predictor: predictor)
    case 2: decode(bytes, position, tables, above, row, pixels, step: 2, predictor: predictor)
    case 3: decode(bytes, position, tables, above, row, pixels, step: 3, predictor: predictor)
    default: decode(bytes, position, tables, above, row, pixels, step: 4, predictor: predictor)
    }
}

/// One row; `step` and `predictor` are constants where this is called.
@inline(__always) func decode(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, step: Int, predictor: Int
) -> Int {
    var reader = BitReader(bytes, position)
    for component in 0..<step {
        row[component] = above[component] &+ reader.difference(tables[component], refill: true)
    }
    var index = step
    /// The next sample; a pixel's samples have the left neighbours and the tables of their components.
    @inline(__always) func next(_ left: inout UInt16, _ table: UnsafePointer<UInt32>, refill: Bool) {
        let (upper, diagonal) = predictor == 1 ? (0, 0) : (above[index], above[index &- step])
        let expected = prediction(left, upper, diagonal, predictor: predictor)
        left = expected &+ reader.difference(table, refill: refill)
        row[index] = left
        index &+= 1
    }
    let (table0, table1) = (tables[0], tables[step > 1 ? 1 : 0])
    let (table2, table3) = (tables[step > 2 ? 2 : 0], tables[step > 3 ? 3 : 0])
    var (left0, left1) = (row[0], row[step > 1 ? 1 : 0])
    var (left2, left3) = (row[step > 2 ? 2 : 0], row[step > 3 ? 3 : 0])
    let count = pixels &* step
    while index < count {
        next(&left0, table0, refill: true)
        if step == 1, index < count { next(&left0, table0, refill: false) }
        if step > 1 { next(&left1, table1, refill: false) }
        if step > 2 { next(&left2, table2, refill: true) }
        if step > 3 { next(&left3, table3, refill: false) }
    }
    return reader.failed ? -1 : reader.position
}

/// The next bits, highest first, and from where to get more.
private struct BitReader {
    /// Of these, `filled` modulo 64 are counted; those below belong to `next` and may be there already.
    private var bits: UInt64 = 0
    private var filled: UInt64
    private var next: UnsafeRawPointer
    private let start: UnsafeRawPointer
    private(set) var failed = false

    @inline(__always) init(_ bytes: UnsafePointer<UInt8>, _ position: Int) {
        start = UnsafeRawPointer(bytes)
        next = start + position >> 3
        let word = UInt64(bigEndian: next.loadUnaligned(as: UInt64.self))
        let used = UInt64(truncatingIfNeeded: position & 7)
        bits = word &<< used
        filled = 56 &- used
        next += 7
    }

    var position: Int {
        @inline(__always) get { (next - start) &* 8 &- Int(truncatingIfNeeded: filled & 63) }
    }

    /// There are at least 56 bits after this. The address of the load depends on the bits read before the previous refill only.
    @inline(__always) private mutating func fill() {
        bits |= UInt64(bigEndian: next.loadUnaligned(as: UInt64.self)) &>> filled
        next += Int(truncatingIfNeeded: (~filled >> 3) & 7)
        filled |= 56
    }

    /// The next difference. At least every other must refill.
    ///
    /// Two take 44 bits at most, so that another can be looked up before the refill: what is read for one waits for nothing
    /// but what was read for the last.
    @inline(__always) mutating func difference(_ table: UnsafePointer<UInt32>, refill: Bool) -> UInt16 {
        let index = Int(truncatingIfNeeded: bits >> 53)
        let entry = UInt64(table[index])
        let length = UInt64(UnsafeRawPointer(table + 2338).load(fromByteOffset: index, as: UInt8.self))
        if refill { fill() }
        if entry & 0x8000_0000 != 0 { return rareDifference(table) }
        let tail = bits &<< (entry >> 8)
        bits = bits &<< length
        filled &-= length
        return extend(tail, unused: entry >> 16)
    }

    /// The same where code and difference take more than 22 bits or the code more than 11, or for 32768.
    @inline(__always) private mutating func rareDifference(_ table: UnsafePointer<UInt32>) -> UInt16 {
        fill()
        let (length, category) = findCode(table, bits)
        if length == 0 { failed = true }
        let tail = bits &<< length
        let extra = category & 15
        bits = tail &<< extra
        filled &-= length &+ extra
        fill()
        return category == 16 ? 0x8000 : extend(tail, unused: 63 &- extra)
    }

    /// The difference whose bits are the highest of `tail`, `unused` being 63 less their number.
    ///
    /// A difference whose first bit is 0 is negative and has as many ones subtracted as it has bits.
    @inline(__always) private func extend(_ tail: UInt64, unused: UInt64) -> UInt16 {
        let negative = UInt64(bitPattern: ~Int64(bitPattern: tail) >> 63)
        let value = (tail >> 1) &>> unused
        let ones = (UInt64.max >> 1) &>> unused
        return UInt16(truncatingIfNeeded: value &- negative & ones)
    }
}

/// The code that `bits` start with, by length: its length, 0 if there is none, and its symbol.
@inline(never) func findCode(
    _ table: UnsafePointer<UInt32>, _ bits: UInt64
) -> (length: UInt64, symbol: UInt64) {
    let (limits, places, symbols) = (table + 2048, table + 2048 + 17, table + 2048 + 34)
    let code = UInt32(truncatingIfNeeded: bits >> 48)
    for length in 1...16 where code < limits[length] {
        let place = code >> UInt32(truncatingIfNeeded: 16 &- length) &+ places[length]
        return (UInt64(truncatingIfNeeded: length), UInt64(symbols[Int(place)]))
    }
    return (0, 0)
}
