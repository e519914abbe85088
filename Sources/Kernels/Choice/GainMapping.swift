internal import KernelsBaseline
internal import KernelsV3

/// Adds two by two pixels up, each plane: `count` sums of every second pixel, of a row of light and the one below it.
package func addSquares(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int, into sums: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.addSquares(first, second, count: count, into: sums)
        : KernelsBaseline.addSquares(first, second, count: count, into: sums)
}

/// Light of one set of primaries in another, in place; what those cannot show is held at 0.
package func mixLight(
    _ pixels: UnsafeMutablePointer<Float>, count: Int, red: SIMD3<Float>, green: SIMD3<Float>, blue: SIMD3<Float>
) {
    hasWideVectors
        ? KernelsV3.mixLight(pixels, count: count, red: red, green: green, blue: blue)
        : KernelsBaseline.mixLight(pixels, count: count, red: red, green: green, blue: blue)
}

/// How often light must be doubled to become other light, where both are raised by an offset: into `gains`, over the light.
package func doublings(
    from base: UnsafePointer<Float>, to other: UnsafeMutablePointer<Float>, offset: Float, count: Int
) {
    hasWideVectors
        ? KernelsV3.doublings(from: base, to: other, offset: offset, count: count)
        : KernelsBaseline.doublings(from: base, to: other, offset: offset, count: count)
}

/// Bytes of gains: 0 for the least of a plane and 255 for the most.
package func storeGains(
    _ gains: UnsafePointer<Float>, count: Int, least: SIMD3<Float>, scale: SIMD3<Float>,
    into bytes: UnsafeMutablePointer<UInt8>
) {
    hasWideVectors
        ? KernelsV3.storeGains(gains, count: count, least: least, scale: scale, into: bytes)
        : KernelsBaseline.storeGains(gains, count: count, least: least, scale: scale, into: bytes)
}
