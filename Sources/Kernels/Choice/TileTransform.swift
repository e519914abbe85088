internal import KernelsBaseline
internal import KernelsV3

/// A tile's planes to 16×16 frequencies, in place; `scratch` has 64 rows. Frequencies come out with rows and columns
/// exchanged. Twice, with real and imaginary parts exchanged between, gives the planes back, 256 times as large.
package func transformTile(
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.transformTile(tile, scratch)
        : KernelsBaseline.transformTile(tile, scratch)
}

/// `transformTile` from frequencies to planes, in place.
package func invertTile(
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.invertTile(tile, scratch)
        : KernelsBaseline.invertTile(tile, scratch)
}
