extension FixedWidthInteger {
    /// The bytes of the integer in little-endian order.
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }

    /// The bytes of the integer in big-endian order.
    package var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
}
