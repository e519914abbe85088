internal import KernelsBaseline
internal import KernelsV3

/// Looks `count` values up that lie `step` apart.
package func compand(
    _ values: UnsafePointer<UInt16>, step: Int, count: Int, table: UnsafePointer<UInt16>,
    into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.compand(values, step: step, count: count, table: table, into: codes)
        : KernelsBaseline.compand(values, step: step, count: count, table: table, into: codes)
}

/// Copies `count` values that lie `step` apart.
package func copyPlane(
    _ values: UnsafePointer<UInt16>, step: Int, count: Int, into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.copyPlane(values, step: step, count: count, into: codes)
        : KernelsBaseline.copyPlane(values, step: step, count: count, into: codes)
}

/// Looks the red, green and blue of `count` RGBA pixels up and writes them as RGB.
package func compandRGB(
    _ pixels: UnsafePointer<UInt16>, count: Int, table: UnsafePointer<UInt16>, into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.compandRGB(pixels, count: count, table: table, into: codes)
        : KernelsBaseline.compandRGB(pixels, count: count, table: table, into: codes)
}

/// Writes the red, green and blue of `count` RGBA pixels as RGB.
package func copyRGB(_ pixels: UnsafePointer<UInt16>, count: Int, into codes: UnsafeMutablePointer<UInt16>) {
    hasWideVectors
        ? KernelsV3.copyRGB(pixels, count: count, into: codes)
        : KernelsBaseline.copyRGB(pixels, count: count, into: codes)
}

/// All bits that any of `count` codes has.
package func bitsUsed(_ codes: UnsafePointer<UInt16>, count: Int) -> UInt16 {
    hasWideVectors ? KernelsV3.bitsUsed(codes, count: count) : KernelsBaseline.bitsUsed(codes, count: count)
}
