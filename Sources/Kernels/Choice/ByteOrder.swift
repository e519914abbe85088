internal import KernelsBaseline
internal import KernelsV3

/// Writes `count` codes high byte first.
package func storeBigEndian(_ codes: UnsafePointer<UInt16>, count: Int, to bytes: UnsafeMutableRawPointer) {
    hasWideVectors
        ? KernelsV3.storeBigEndian(codes, count: count, to: bytes)
        : KernelsBaseline.storeBigEndian(codes, count: count, to: bytes)
}

/// Writes `count` RGBA pixels as RGB, high byte first.
package func storeBigEndianRGB(_ pixels: UnsafePointer<UInt16>, count: Int, to bytes: UnsafeMutableRawPointer) {
    hasWideVectors
        ? KernelsV3.storeBigEndianRGB(pixels, count: count, to: bytes)
        : KernelsBaseline.storeBigEndianRGB(pixels, count: count, to: bytes)
}
