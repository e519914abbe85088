internal import RawImage

/// A builder of big-endian bytes, for opcode lists (big-endian in every file) and for tags of the big-endian files
/// that this module encodes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: UInt32) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }

    mutating func append(_ value: Int) {
        append(UInt32(clamping: value))
    }

    mutating func append(_ value: Float) {
        append(value.bitPattern)
    }

    mutating func append(_ value: Double) {
        append(UInt32(truncatingIfNeeded: value.bitPattern >> 32))
        append(UInt32(truncatingIfNeeded: value.bitPattern))
    }

    mutating func append(_ point: GainTableMap.RelativePoint) {
        append(point.down)
        append(point.across)
    }

    mutating func append(_ other: [UInt8]) {
        bytes += other
    }
}
