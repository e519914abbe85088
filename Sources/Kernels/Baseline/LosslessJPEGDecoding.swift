internal import KernelTypes

// Kernels that decode the entropy-coded segments of lossless JPEG to rows of samples.
//
// Bits are read from bytes whose stuffing is removed already; where a row starts and ends is an offset in bits.
// Decoding a row does not check for the end of the bytes: 4 bytes per sample of the row, and 16 more, must be readable
// behind the last byte.
//
// A Huffman table is an array of 32-bit words, laid out as in HuffmanTable. First come 2048 entries, one for each value
// of the next 11 bits. An entry holds in bits 8–13 the length of the code, in bits 16–21 63 less the length of the
// difference; bit 31 marks a code that needs the slow path. For that follow 17 limits, by code length 0 to 16: the
// first 16-bit value that belongs to a longer code; then, by length, what to add to a code for its index among the
// symbols; then 256 symbols. Last come 2048 bytes, the combined length of code and difference for each value of the
// next 11 bits: the next lookup waits for this number alone, and bytes load fastest.

/// Copies entropy-coded bytes without the stuffed zero bytes, up to a marker or the end.
///
/// `target` holds `count` bytes and 8 more. Returns the numbers of bytes read, not counting the marker, and written.
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
            // A marker may be preceded by any number of fill bytes 255.
            read &+= 1
        } else {
            break
        }
    }
    return (read, written)
}

/// Decodes a row of pixels, each of which has one sample of each of `step` components, 1 to 4.
///
/// The first pixel is predicted from `above`: the row above or, at the start of a scan or restart interval, a pixel of
/// mid grey, which is valid for predictor 1 only. `tables` has one Huffman table for each component. Returns the bit
/// offset behind the row, or −1 if the bits are not a valid code.
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

/// Multiplies samples by a power of two: the inverse of the point transform of T.81.
package func scaleRow(_ row: UnsafeMutablePointer<UInt16>, _ count: Int, bits: UInt16) {
    for index in 0..<count { row[index] = row[index] &<< bits }
}

// One function per predictor: within a single function the compiler does not specialise the loop for each. These
// functions and those they call are not private, because the compiler emits a private function that is not inlined as a
// symbol that a copy from another module could replace at link time.

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

/// Decodes one row; callers pass a constant `predictor`, and `step` becomes a constant here, to specialise the loop.
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

/// Decodes one row; `step` and `predictor` are constants in every caller.
@inline(__always) func decode(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, _ pixels: Int, step: Int, predictor: Int
) -> Int {
    var reader = BitReader(bytes, position)
    for component in 0..<step {
        row[component] = above[component] &+ reader.difference(tables[component], refill: true)
    }
    var index = step
    /// Decodes the next sample; `left` is the previous sample of its component and `table` the component's Huffman
    /// table.
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

/// Reads bits, most significant first, from unstuffed bytes.
private struct BitReader {
    /// The next bits of the input, left-aligned. The number of valid bits is `filled` modulo 64; the bits below them
    /// may already hold bits of the byte at `next`.
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

    /// Refills `bits` to at least 56 valid bits. The load's address depends only on bits consumed before the previous
    /// refill, so the load does not wait for the current code.
    @inline(__always) private mutating func fill() {
        bits |= UInt64(bigEndian: next.loadUnaligned(as: UInt64.self)) &>> filled
        next += Int(truncatingIfNeeded: (~filled >> 3) & 7)
        filled |= 56
    }

    /// Decodes the next sample's difference from its prediction. At least every other call must refill.
    ///
    /// On the fast path two differences take at most 44 of the 56 bits of a refill, so 11 bits for looking up a third
    /// remain: a lookup waits for the length of the previous code only, not for the refill.
    @inline(__always) mutating func difference(_ table: UnsafePointer<UInt32>, refill: Bool) -> UInt16 {
        let index = Int(truncatingIfNeeded: bits >> UInt64(64 &- HuffmanTable.directBits))
        let entry = UInt64(table[index])
        let lengths = UnsafeRawPointer(table + HuffmanTable.totalLengths)
        let length = UInt64(lengths.load(fromByteOffset: index, as: UInt8.self))
        if refill { fill() }
        if entry & 0x8000_0000 != 0 { return slowDifference(table) }
        let tail = bits &<< (entry >> 8)
        bits = bits &<< length
        filled &-= length
        return extend(tail, unused: entry >> 16)
    }

    /// Decodes the next difference on the slow path: the code is longer than 11 bits, code and difference together are
    /// longer than 22, the difference is 32768, or no code matches.
    @inline(__always) private mutating func slowDifference(_ table: UnsafePointer<UInt32>) -> UInt16 {
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

    /// Returns the difference stored in the top bits of `tail`; `unused` is 63 less their number.
    ///
    /// A difference of n bits whose first bit is 0 is negative: 2ⁿ − 1 is subtracted (EXTEND in T.81).
    @inline(__always) private func extend(_ tail: UInt64, unused: UInt64) -> UInt16 {
        let negative = UInt64(bitPattern: ~Int64(bitPattern: tail) >> 63)
        let value = (tail >> 1) &>> unused
        let ones = (UInt64.max >> 1) &>> unused
        return UInt16(truncatingIfNeeded: value &- negative & ones)
    }
}

/// Finds the Huffman code that `bits` start with, by length; returns its length, 0 if there is none, and its symbol.
@inline(never) func findCode(
    _ table: UnsafePointer<UInt32>, _ bits: UInt64
) -> (length: UInt64, symbol: UInt64) {
    let (limits, offsets) = (table + HuffmanTable.limits, table + HuffmanTable.offsets)
    let symbols = table + HuffmanTable.symbols
    let code = UInt32(truncatingIfNeeded: bits >> 48)
    for length in 1...16 where code < limits[length] {
        let index = code >> UInt32(truncatingIfNeeded: 16 &- length) &+ offsets[length]
        return (UInt64(truncatingIfNeeded: length), UInt64(symbols[Int(index)]))
    }
    return (0, 0)
}
