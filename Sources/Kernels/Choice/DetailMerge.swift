internal import KernelsBaseline
internal import KernelsV3

/// Reads a block of 24×20 codes as light, cut at 1. `black` and `gain` have two rows of 24.
package func detailLight(
    _ codes: UnsafePointer<UInt16>, _ codeStride: Int, _ black: UnsafePointer<Float>, _ gain: UnsafePointer<Float>,
    _ light: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailLight(codes, codeStride, black, gain, light)
        : KernelsBaseline.detailLight(codes, codeStride, black, gain, light)
}

/// What a tile's samples show beyond the guide, in place. The guide is read between its pixels by four taps across and
/// four down; `red`, `green` and `blue` point at what the first taps of the first sample fall on. `scratch` has 1152
/// values.
package func detailResidual(
    _ light: UnsafeMutablePointer<Float>, _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>,
    _ blue: UnsafePointer<Float>, _ guideStride: Int, _ across: UnsafePointer<Float>, _ down: UnsafePointer<Float>,
    _ redRow: Int, _ redColumn: Int, _ scratch: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailResidual(light, red, green, blue, guideStride, across, down, redRow, redColumn, scratch)
        : KernelsBaseline.detailResidual(light, red, green, blue, guideStride, across, down, redRow, redColumn, scratch)
}

/// One over the deviation that residuals may have at each quad of a tile, for three colours: 10 rows of 16 each.
///
/// It is that of the noise, of the guide's change over a small error of the motion (`slack`), and of the share of its
/// `detail` and `color` that may be the folding of what is too fine for it. The planes point at the first sample's
/// place; `noise` has shot and read noise of red, green and blue.
package func detailPrecision(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ guideStride: Int,
    _ noise: UnsafePointer<Float>, _ slack: Float, _ detail: Float, _ color: Float,
    _ precision: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailPrecision(red, green, blue, guideStride, noise, slack, detail, color, precision)
        : KernelsBaseline.detailPrecision(red, green, blue, guideStride, noise, slack, detail, color, precision)
}

/// How far a tile's quads agree with the guide: weights of 8 rows of 16 columns, each twice for the two pixels of a
/// quad; `counts` are their sums over the frames.
///
/// `reference` keeps the energies of the reference's residuals (8 rows of 8), which the first frame writes: where even it
/// is not what the guide shows, `patience` lets the mean of others differ, too. `scratch` has 640 values.
package func detailAgreement(
    _ residual: UnsafePointer<Float>, _ precision: UnsafePointer<Float>, _ redRow: Int, _ redColumn: Int,
    _ isReference: Bool, _ trust: Float, _ patience: Float, _ reference: UnsafeMutablePointer<Float>,
    _ weights: UnsafeMutablePointer<Float>, _ counts: UnsafeMutablePointer<Float>,
    _ scratch: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailAgreement(
            residual, precision, redRow, redColumn, isReference, trust, patience, reference, weights, counts, scratch)
        : KernelsBaseline.detailAgreement(
            residual, precision, redRow, redColumn, isReference, trust, patience, reference, weights, counts, scratch)
}

/// Adds a tile's weighted residuals to the sums of each colour, and the weights: 6 planes of 16×16. `across` and `down`
/// are the kernel's five taps.
package func detailGather(
    _ residual: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ across: UnsafePointer<Float>,
    _ down: UnsafePointer<Float>, _ redRow: Int, _ redColumn: Int, _ sums: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailGather(residual, weights, across, down, redRow, redColumn, sums)
        : KernelsBaseline.detailGather(residual, weights, across, down, redRow, redColumn, sums)
}

/// The guide of one colour and what the samples show beyond it, 16×16: less of that where weights are few, and where
/// noise (`shot`, `read`) is much beside the signal of `green` when `restraint` is above 0.
package func detailResolve(
    _ guide: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ guideStride: Int, _ sums: UnsafePointer<Float>,
    _ fewest: Float, _ shot: Float, _ read: Float, _ restraint: Float, _ result: UnsafeMutablePointer<Float>,
    _ resultStride: Int
) {
    hasWideVectors
        ? KernelsV3.detailResolve(guide, green, guideStride, sums, fewest, shot, read, restraint, result, resultStride)
        : KernelsBaseline.detailResolve(
            guide, green, guideStride, sums, fewest, shot, read, restraint, result, resultStride)
}

/// A tile of 16×16 of a plane read between its pixels, by four taps across and four down; `plane` points at what the
/// first taps of the first value fall on.
package func detailBetween(
    _ plane: UnsafePointer<Float>, _ stride: Int, _ across: UnsafePointer<Float>, _ down: UnsafePointer<Float>,
    _ tile: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailBetween(plane, stride, across, down, tile)
        : KernelsBaseline.detailBetween(plane, stride, across, down, tile)
}

/// Puts a tile of 16×16 at every second place of every second row of a plane.
package func detailInterleave(
    _ tile: UnsafePointer<Float>, _ plane: UnsafeMutablePointer<Float>, _ stride: Int
) {
    hasWideVectors
        ? KernelsV3.detailInterleave(tile, plane, stride)
        : KernelsBaseline.detailInterleave(tile, plane, stride)
}

/// Sums of six rows, times their taps.
package func detailSixRows(
    _ rows: UnsafePointer<Float>, _ stride: Int, _ taps: UnsafePointer<Float>, _ count: Int,
    _ result: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailSixRows(rows, stride, taps, count, result)
        : KernelsBaseline.detailSixRows(rows, stride, taps, count, result)
}

/// A row of three quarters of the length: `taps` has six for each of three phases, and `starts` the first of four places
/// that they read.
package func detailThreeQuarters(
    _ row: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>, _ count: Int,
    _ result: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailThreeQuarters(row, taps, starts, count, result)
        : KernelsBaseline.detailThreeQuarters(row, taps, starts, count, result)
}

/// One colour of a row from its even and odd columns, as codes that have room for darkness below black.
package func storeGuide(
    _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, _ width: Int, _ scale: Float, _ zero: Float,
    _ codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.storeGuide(even, odd, width, scale, zero, codes)
        : KernelsBaseline.storeGuide(even, odd, width, scale, zero, codes)
}

/// Codes of a guide as light, cut at 1.
package func loadGuide(
    _ codes: UnsafePointer<UInt16>, _ count: Int, _ scale: Float, _ zero: Float, _ light: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.loadGuide(codes, count, scale, zero, light)
        : KernelsBaseline.loadGuide(codes, count, scale, zero, light)
}

/// Adds to light what a guide shows above 1.
package func addGuideExcess(
    _ codes: UnsafePointer<UInt16>, _ count: Int, _ scale: Float, _ zero: Float, _ light: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.addGuideExcess(codes, count, scale, zero, light)
        : KernelsBaseline.addGuideExcess(codes, count, scale, zero, light)
}

/// A row of linear RGBA, 16 bits each.
package func storeDetail(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ count: Int,
    _ redScale: Float, _ greenScale: Float, _ blueScale: Float, _ pixels: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.storeDetail(red, green, blue, count, redScale, greenScale, blueScale, pixels)
        : KernelsBaseline.storeDetail(red, green, blue, count, redScale, greenScale, blueScale, pixels)
}

/// How far a tile's result is from the samples of the reference: for each of 8×8 quads the sum of four squares, in
/// variances. `light` has the samples in rows of 24, and `precision` begins at the first quad, in rows of 16.
package func detailContradiction(
    _ light: UnsafePointer<Float>, _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>,
    _ blue: UnsafePointer<Float>, _ stride: Int, _ precision: UnsafePointer<Float>, _ redRow: Int, _ redColumn: Int,
    _ errors: UnsafeMutablePointer<Float>, _ errorStride: Int
) {
    hasWideVectors
        ? KernelsV3.detailContradiction(
            light, red, green, blue, stride, precision, redRow, redColumn, errors, errorStride)
        : KernelsBaseline.detailContradiction(
            light, red, green, blue, stride, precision, redRow, redColumn, errors, errorStride)
}

/// How far quads are believed whose results are so far from the reference, each by the mean of 5×5 quads: 1 up to
/// `tolerance` variances, and less the more there are. All maps have `count` rows and columns; `errors` is used up.
package func detailTrust(
    _ errors: UnsafeMutablePointer<Float>, _ stride: Int, _ count: Int, _ tolerance: Float,
    _ trust: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.detailTrust(errors, stride, count, tolerance, trust)
        : KernelsBaseline.detailTrust(errors, stride, count, tolerance, trust)
}

/// Takes a plane back to the guide where it is not believed.
package func detailTakeBack(
    _ guide: UnsafePointer<Float>, _ trust: UnsafePointer<Float>, _ trustStride: Int, _ count: Int,
    _ plane: UnsafeMutablePointer<Float>, _ stride: Int
) {
    hasWideVectors
        ? KernelsV3.detailTakeBack(guide, trust, trustStride, count, plane, stride)
        : KernelsBaseline.detailTakeBack(guide, trust, trustStride, count, plane, stride)
}

/// Lets the weights of a tile, as `detailAgreement` writes them, count as far as its quads are believed.
package func detailScaleWeights(
    _ weights: UnsafeMutablePointer<Float>, _ trust: UnsafePointer<Float>, _ trustStride: Int
) {
    hasWideVectors
        ? KernelsV3.detailScaleWeights(weights, trust, trustStride)
        : KernelsBaseline.detailScaleWeights(weights, trust, trustStride)
}
