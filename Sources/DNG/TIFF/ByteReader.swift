/// A cursor that decodes consecutive numbers from bytes in either byte order and throws past the end.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool
    /// The offset of the next number, in bytes from the first byte of `bytes`.
    private(set) var position: Int

    init(_ bytes: [UInt8], isBigEndian: Bool, start: Int = 0) {
        self.init(bytes[...], isBigEndian: isBigEndian, start: start)
    }

    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool, start: Int = 0) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        position = start
    }

    /// The number of bytes not read yet.
    var remaining: Int { bytes.count - position }

    /// Returns the next `count` bytes and moves past them.
    mutating func take(_ count: Int) throws(DNGError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw DNGError(.malformed, "\(count) bytes are needed, but only \(max(0, remaining)) are left")
        }
        let start = bytes.startIndex + position
        position += count
        return bytes[start..<start + count]
    }

    mutating func uint8() throws(DNGError) -> UInt8 { UInt8(try number(1)) }
    mutating func uint16() throws(DNGError) -> UInt16 { UInt16(try number(2)) }
    mutating func uint32() throws(DNGError) -> UInt32 { UInt32(try number(4)) }
    mutating func uint64() throws(DNGError) -> UInt64 { try number(8) }
    mutating func float16() throws(DNGError) -> Float { Float(Float16(bitPattern: try uint16())) }
    mutating func float32() throws(DNGError) -> Float { Float(bitPattern: try uint32()) }
    mutating func float64() throws(DNGError) -> Double { Double(bitPattern: try number(8)) }

    private mutating func number(_ size: Int) throws(DNGError) -> UInt64 {
        let bytes = try take(size)
        let sum = { (sum: UInt64, byte: UInt8) in sum << 8 | UInt64(byte) }
        return isBigEndian ? bytes.reduce(0, sum) : bytes.reversed().reduce(0, sum)
    }
}
