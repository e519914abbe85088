extension FixedWidthInteger {
    /// The bytes, low byte first.
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }

    /// The bytes, high byte first.
    package var bigEndianBytes: [UInt8] { littleEndianBytes.reversed() }
}
