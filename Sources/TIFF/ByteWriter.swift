/// A builder of big-endian bytes, for opcode lists (big-endian in every file) and for tags of the big-endian files
/// that this module encodes.
package struct ByteWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates a builder without bytes.
    package init() {}

    /// Appends a 32-bit integer.
    package mutating func append(_ value: UInt32) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }

    /// Appends an integer clamped to 32 bits.
    package mutating func append(_ value: Int) {
        append(UInt32(clamping: value))
    }

    /// Appends a 32-bit float.
    package mutating func append(_ value: Float) {
        append(value.bitPattern)
    }

    /// Appends a 64-bit float.
    package mutating func append(_ value: Double) {
        append(UInt32(truncatingIfNeeded: value.bitPattern >> 32))
        append(UInt32(truncatingIfNeeded: value.bitPattern))
    }

    /// Appends bytes.
    package mutating func append(_ other: [UInt8]) {
        bytes += other
    }
}
