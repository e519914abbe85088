internal import KernelsBaseline
internal import KernelsV3

/// Reads a tile of codes as signals: less black, times a gain. `black` has four values.
package func loadTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ black: UnsafePointer<Float>, _ gain: Float,
    _ tile: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.loadTile(codes, stride, black, gain, tile)
        : KernelsBaseline.loadTile(codes, stride, black, gain, tile)
}

/// The highest code of a tile.
package func highestCode(
    _ codes: UnsafePointer<UInt16>, _ stride: Int
) -> UInt16 {
    hasWideVectors
        ? KernelsV3.highestCode(codes, stride)
        : KernelsBaseline.highestCode(codes, stride)
}

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

/// Shifts a tile's content by turning its frequencies: four rows of cosines and sines, of the shift to the right and
/// of that down, one lane a frequency.
package func shiftTile(
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ ramps: UnsafePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.shiftTile(tile, ramps)
        : KernelsBaseline.shiftTile(tile, ramps)
}

/// Weighs each frequency of a tile by how well it agrees with the reference's, in units of the noise of their
/// difference: `most` · c² / (x² + c²), less where the tile as a whole differs by more than noise. The weights go into
/// `weights` (16 rows); `scratch` has 18 rows. Gives their mean over `most`.
package func weighTile(
    _ reference: UnsafePointer<SIMD16<Float>>, _ tile: UnsafePointer<SIMD16<Float>>, _ noise: Float,
    _ tolerance: Float, _ most: Float, _ weights: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) -> Float {
    hasWideVectors
        ? KernelsV3.weighTile(reference, tile, noise, tolerance, most, weights, scratch)
        : KernelsBaseline.weighTile(reference, tile, noise, tolerance, most, weights, scratch)
}

/// Adds a weighted tile to sums of 80 rows: the four parts and the weights. The first of a burst brings the reference
/// with it, at weight 1.
package func addTile(
    _ tile: UnsafePointer<SIMD16<Float>>, _ weights: UnsafePointer<SIMD16<Float>>,
    _ reference: UnsafePointer<SIMD16<Float>>, _ isFirst: Bool, _ sums: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.addTile(tile, weights, reference, isFirst, sums)
        : KernelsBaseline.addTile(tile, weights, reference, isFirst, sums)
}

/// The mean of what was summed. Gives the sum of the inverse weights: what is left of the noise of 256 frequencies.
package func averageTile(
    _ sums: UnsafePointer<SIMD16<Float>>, _ tile: UnsafeMutablePointer<SIMD16<Float>>
) -> Float {
    hasWideVectors
        ? KernelsV3.averageTile(sums, tile)
        : KernelsBaseline.averageTile(sums, tile)
}

/// Adds some rows of a tile's planes, under a window, to a mosaic of signals.
package func overlayTile(
    _ tile: UnsafePointer<SIMD16<Float>>, _ firstRow: Int, _ rowCount: Int, _ window: UnsafePointer<Float>,
    _ target: UnsafeMutablePointer<Float>, _ stride: Int
) {
    hasWideVectors
        ? KernelsV3.overlayTile(tile, firstRow, rowCount, window, target, stride)
        : KernelsBaseline.overlayTile(tile, firstRow, rowCount, window, target, stride)
}

/// Signals to codes, rounded. `black` are the codes of no signal in even and odd columns.
package func roundRow(
    _ signals: UnsafePointer<Float>, _ scale: Float, _ black0: Float, _ black1: Float,
    _ codes: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.roundRow(signals, scale, black0, black1, codes, count)
        : KernelsBaseline.roundRow(signals, scale, black0, black1, codes, count)
}
