internal import KernelsBaseline
internal import KernelsV3

/// What a frame shows at a tile's place less the reference, each colour interpolated among its own samples.
///
/// `codes` points at the cell before the tile's first in both directions, 38 lines are read. `across` and `down` weigh
/// four neighbours each and make signals of codes, to which one of four `offsets` is added. `room` has 190 rows.
package func differTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>,
    _ offsets: SIMD4<Float>, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ room: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.differTile(codes, stride, across, down, offsets, reference, referenceStride, tile, room)
        : KernelsBaseline.differTile(codes, stride, across, down, offsets, reference, referenceStride, tile, room)
}

/// The sums of a tile's codes by place.
package func sumsOfTile(_ codes: UnsafePointer<UInt16>, _ stride: Int) -> SIMD4<Float> {
    hasWideVectors ? KernelsV3.sumsOfTile(codes, stride) : KernelsBaseline.sumsOfTile(codes, stride)
}

/// The same with all samples taken for one colour's: right for what is grey once `gains` and `offsets`, by place from
/// where `codes` points, have made it white-balanced light, and then true to detail that a colour's own samples fold.
///
/// `codes` points at the pixel before the tile's first in both directions, 35 lines are read. Light times `ungains` is
/// the reference's signal, that of its codes less `blacks`. `room` has 190 rows.
package func differGreyTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ across: SIMD4<Float>, _ down: SIMD4<Float>, _ gains: SIMD4<Float>,
    _ offsets: SIMD4<Float>, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int, _ ungains: SIMD4<Float>,
    _ blacks: SIMD4<Float>, _ tile: UnsafeMutablePointer<SIMD16<Float>>, _ room: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.differGreyTile(
            codes, stride, across, down, gains, offsets, reference, referenceStride, ungains, blacks, tile, room)
        : KernelsBaseline.differGreyTile(
            codes, stride, across, down, gains, offsets, reference, referenceStride, ungains, blacks, tile, room)
}

/// The highest code of a block.
package func highestCode(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ columns: Int, _ rows: Int
) -> UInt16 {
    hasWideVectors
        ? KernelsV3.highestCode(codes, stride, columns, rows)
        : KernelsBaseline.highestCode(codes, stride, columns, rows)
}

/// The sum of the squares of a tile.
package func energyOfTile(
    _ tile: UnsafePointer<SIMD16<Float>>
) -> Float {
    hasWideVectors
        ? KernelsV3.energyOfTile(tile)
        : KernelsBaseline.energyOfTile(tile)
}

/// How far each frequency of a tile of differences exceeds noise: its energy, over that of the frequency opposite too,
/// in units of `ours` plus `theirs` times what interpolation left of it, by row and by lane. `scratch` has 18 rows.
///
/// Gives the sums of all frequencies and of the nine lowest.
package func excessOfDifference(
    _ tile: UnsafePointer<SIMD16<Float>>, _ ours: Float, _ theirs: Float, _ rowPower: UnsafePointer<Float>,
    _ lanePower: SIMD16<Float>, _ excess: UnsafeMutablePointer<SIMD16<Float>>,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) -> (all: Float, low: Float) {
    hasWideVectors
        ? KernelsV3.excessOfDifference(tile, ours, theirs, rowPower, lanePower, excess, scratch)
        : KernelsBaseline.excessOfDifference(tile, ours, theirs, rowPower, lanePower, excess, scratch)
}

/// Puts the nine lowest frequencies of a tile, and how far they exceed noise, into another's place.
package func copyLowFrequencies(
    _ tile: UnsafePointer<SIMD16<Float>>, _ excess: UnsafePointer<SIMD16<Float>>,
    _ otherTile: UnsafeMutablePointer<SIMD16<Float>>, _ otherExcess: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.copyLowFrequencies(tile, excess, otherTile, otherExcess)
        : KernelsBaseline.copyLowFrequencies(tile, excess, otherTile, otherExcess)
}

/// Turns how far frequencies exceed noise into their weights: `most` where by nothing, half of that at `limit`. Gives the
/// mean weight over `most`.
package func weightsOfExcess(
    _ excess: UnsafeMutablePointer<SIMD16<Float>>, _ limit: Float, _ most: Float
) -> Float {
    hasWideVectors
        ? KernelsV3.weightsOfExcess(excess, limit, most)
        : KernelsBaseline.weightsOfExcess(excess, limit, most)
}

/// Adds a tile of differences under 256 weights to its sums of 1280 numbers: the four parts in units of `1 / scale`,
/// then the weights in 256ths.
package func addDifference(
    _ tile: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float, _ sums: UnsafeMutablePointer<Int16>
) {
    hasWideVectors
        ? KernelsV3.addDifference(tile, weights, scale, sums)
        : KernelsBaseline.addDifference(tile, weights, scale, sums)
}

/// The mean difference from the reference of all that was summed, times `unit`, and what is left of the noise, 256
/// shares, whose sum it gives.
package func averageDifference(
    _ sums: UnsafePointer<Int16>, _ unit: Float, _ tile: UnsafeMutablePointer<Float>,
    _ shares: UnsafeMutablePointer<Float>
) -> Float {
    hasWideVectors
        ? KernelsV3.averageDifference(sums, unit, tile, shares)
        : KernelsBaseline.averageDifference(sums, unit, tile, shares)
}

/// Reads a tile of codes as signals: less four `blacks`.
package func loadTile(
    _ codes: UnsafePointer<UInt16>, _ stride: Int, _ blacks: SIMD4<Float>, _ tile: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.loadTile(codes, stride, blacks, tile)
        : KernelsBaseline.loadTile(codes, stride, blacks, tile)
}

/// Takes noise off the frequencies of a merged tile: makes of a `correction` of the `reference` one whose sum with it
/// is what stands out of the noise, `noise` times each frequency's share and `distances` from frequency 0. `scratch`
/// has 18 rows.
package func denoiseTile(
    _ correction: UnsafeMutablePointer<SIMD16<Float>>, _ reference: UnsafePointer<SIMD16<Float>>,
    _ shares: UnsafePointer<SIMD16<Float>>, _ distances: UnsafePointer<SIMD16<Float>>, _ noise: Float,
    _ scratch: UnsafeMutablePointer<SIMD16<Float>>
) {
    hasWideVectors
        ? KernelsV3.denoiseTile(correction, reference, shares, distances, noise, scratch)
        : KernelsBaseline.denoiseTile(correction, reference, shares, distances, noise, scratch)
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

/// Reference codes plus corrections, times `scale`, rounded and kept within 16 bits. Codes from `white` up are clipped
/// and not corrected.
package func correctRow(
    _ codes: UnsafePointer<UInt16>, _ corrections: UnsafePointer<Float>, _ white: UInt16, _ scale: Float,
    _ result: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.correctRow(codes, corrections, white, scale, result, count)
        : KernelsBaseline.correctRow(codes, corrections, white, scale, result, count)
}
