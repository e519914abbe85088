/// A cursor that decodes consecutive numbers from bytes in either byte order and throws past the end.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool
    /// The offset of the next number, in bytes from the first byte of `bytes`.
    package private(set) var position: Int

    /// Creates a cursor at the byte `start`.
    package init(_ bytes: [UInt8], isBigEndian: Bool, start: Int = 0) {
        self.init(bytes[...], isBigEndian: isBigEndian, start: start)
    }

    /// Creates a cursor at the byte `start` of a part of an array.
    package init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool, start: Int = 0) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
        position = start
    }

    /// The number of bytes not read yet.
    package var remaining: Int { bytes.count - position }

    /// Returns the next `count` bytes and moves past them.
    package mutating func take(_ count: Int) throws(GscapError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw GscapError(.malformed, "\(count) bytes are needed, but only \(max(0, remaining)) are left")
        }
        let start = bytes.startIndex + position
        position += count
        return bytes[start..<start + count]
    }

    /// Reads the next 8-bit integer.
    package mutating func uint8() throws(GscapError) -> UInt8 { UInt8(try number(1)) }
    /// Reads the next 16-bit integer.
    package mutating func uint16() throws(GscapError) -> UInt16 { UInt16(try number(2)) }
    /// Reads the next 32-bit integer.
    package mutating func uint32() throws(GscapError) -> UInt32 { UInt32(try number(4)) }
    /// Reads the next 64-bit integer.
    package mutating func uint64() throws(GscapError) -> UInt64 { try number(8) }
    /// Reads the next half-precision float.
    package mutating func float16() throws(GscapError) -> Float { Float(Float16(bitPattern: try uint16())) }
    /// Reads the next single-precision float.
    package mutating func float32() throws(GscapError) -> Float { Float(bitPattern: try uint32()) }
    /// Reads the next double-precision float.
    package mutating func float64() throws(GscapError) -> Double { Double(bitPattern: try number(8)) }

    private mutating func number(_ size: Int) throws(GscapError) -> UInt64 {
        let bytes = try take(size)
        let sum = { (sum: UInt64, byte: UInt8) in sum << 8 | UInt64(byte) }
        return isBigEndian ? bytes.reduce(0, sum) : bytes.reversed().reduce(0, sum)
    }
}
