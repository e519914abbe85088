internal import KernelsBaseline
internal import KernelsV3

/// The mean of each quad of two mosaic rows, each code cut at a ceiling, less black, times a gain.
package func cappedGreyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Int16>, _ count: Int,
    _ ceiling: UInt16, _ black: Float, _ gain: Float
) {
    hasWideVectors
        ? KernelsV3.cappedGreyRow(upper, lower, grey, count, ceiling, black, gain)
        : KernelsBaseline.cappedGreyRow(upper, lower, grey, count, ceiling, black, gain)
}

/// A half line times a factor.
package func scaleHalfLine(
    _ source: UnsafePointer<Float>, _ factor: Float, _ target: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.scaleHalfLine(source, factor, target, count)
        : KernelsBaseline.scaleHalfLine(source, factor, target, count)
}

/// A row's signals, codes less black, as two half lines.
package func signalRow(
    _ codes: UnsafePointer<UInt16>, _ cells: Int, _ even: UnsafeMutablePointer<Float>,
    _ odd: UnsafeMutablePointer<Float>, _ evenBlack: Float, _ oddBlack: Float
) {
    hasWideVectors
        ? KernelsV3.signalRow(codes, cells, even, odd, evenBlack, oddBlack)
        : KernelsBaseline.signalRow(codes, cells, even, odd, evenBlack, oddBlack)
}

/// The highest code of each quad of two mosaic rows.
package func quadPeaks(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ peaks: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.quadPeaks(upper, lower, peaks, count)
        : KernelsBaseline.quadPeaks(upper, lower, peaks, count)
}

/// How far quads and their neighbours are from clipping: 1 up to `low`, and less by `slope` a code above it, down to 0.
package func opennessRow(
    _ above: UnsafePointer<Float>, _ peaks: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ low: Float,
    _ slope: Float, _ openness: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.opennessRow(above, peaks, below, low, slope, openness, count)
        : KernelsBaseline.opennessRow(above, peaks, below, low, slope, openness, count)
}

/// Sees a block of 8 rows of 8 quads in a demosaiced frame, at a place between its pixels.
///
/// `light` points at the block's place in the frame but for `right` columns, in the even half line of the first colour;
/// `colors` has the distance from there to the colour of each of the quad's four places. `weights` are those of a cubic
/// through four columns, of one through four rows, and the fractions of a pixel to the right and down. What the cubic
/// sees beyond a straight line counts as far as it stands out of the noise: `noise` has the shot and read terms of the
/// four places.
package func warpBlock(
    _ light: UnsafePointer<Float>, _ colors: UnsafePointer<Int>, _ right: Int, _ stride: Int, _ half: Int,
    _ weights: UnsafePointer<Float>, _ noise: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
    _ targetStride: Int, _ targetHalf: Int
) {
    hasWideVectors
        ? KernelsV3.warpBlock(light, colors, right, stride, half, weights, noise, target, targetStride, targetHalf)
        : KernelsBaseline.warpBlock(
            light, colors, right, stride, half, weights, noise, target, targetStride, targetHalf)
}

/// Sees the openness of 4 rows of 8 quads at a place between quads.
package func openBlock(
    _ openness: UnsafePointer<Float>, _ stride: Int, _ right: Float, _ down: Float,
    _ target: UnsafeMutablePointer<Float>, _ targetStride: Int
) {
    hasWideVectors
        ? KernelsV3.openBlock(openness, stride, right, down, target, targetStride)
        : KernelsBaseline.openBlock(openness, stride, right, down, target, targetStride)
}

/// How much a row of quads differs from the reference's, in units of noise: sums of squares into `mismatch`, of what
/// may be compared into `weight`. Where the reference is clipped a frame may be brighter, not darker.
package func compareQuads(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ openness: UnsafePointer<Float>, _ isLonger: Bool, _ constants: UnsafePointer<Float>,
    _ mismatch: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.compareQuads(reference, frame, stride, half, openness, isLonger, constants, mismatch, weight, count)
        : KernelsBaseline.compareQuads(
            reference, frame, stride, half, openness, isLonger, constants, mismatch, weight, count)
}

/// How much a row of quads of a shorter frame differs from the reference's, to know how far it may be trusted where that
/// is clipped: squares into `mismatch`, and into `tolerance` those of noise and of a quarter of the light around, since
/// edges of lamps never fit to within noise. Quads that the frame clips count as well.
package func compareHighlights(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ isSeen: UnsafePointer<Float>, _ constants: UnsafePointer<Float>, _ mismatch: UnsafeMutablePointer<Float>,
    _ tolerance: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.compareHighlights(reference, frame, stride, half, isSeen, constants, mismatch, tolerance, count)
        : KernelsBaseline.compareHighlights(
            reference, frame, stride, half, isSeen, constants, mismatch, tolerance, count)
}

/// Blurs the middle one of five rows, which are `stride` values apart: 1 4 6 4 1 down and across. `scratch` has room for
/// a row.
package func blurRow(
    _ middle: UnsafePointer<Float>, _ stride: Int, _ scratch: UnsafeMutablePointer<Float>,
    _ target: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.blurRow(middle, stride, scratch, target, count)
        : KernelsBaseline.blurRow(middle, stride, scratch, target, count)
}

/// By how many times the noise of a difference quads differ beyond it: 0 where they and their surroundings agree.
package func mismatchRow(
    _ mismatch: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ own: UnsafePointer<Float>,
    _ excess: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.mismatchRow(mismatch, weight, own, excess, count)
        : KernelsBaseline.mismatchRow(mismatch, weight, own, excess, count)
}

/// How far highlights may be taken over, 0…1.
package func trustRow(
    _ mismatch: UnsafePointer<Float>, _ tolerance: UnsafePointer<Float>, _ isSeen: UnsafePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.trustRow(mismatch, tolerance, isSeen, trust, count)
        : KernelsBaseline.trustRow(mismatch, tolerance, isSeen, trust, count)
}

/// Begins a row of a merge: what is not yet seen of it (where the reference is clipped), and empty sums.
package func beginHalfLine(
    _ reference: UnsafePointer<Float>, _ low: Float, _ slope: Float, _ base: UnsafeMutablePointer<Float>,
    _ unseen: UnsafeMutablePointer<Float>, _ sum: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    hasWideVectors
        ? KernelsV3.beginHalfLine(reference, low, slope, base, unseen, sum, weight, count)
        : KernelsBaseline.beginHalfLine(reference, low, slope, base, unseen, sum, weight, count)
}

/// Adds a row of quads of a frame to the sums of a merge: its differences from the reference, at the weight of its noise
/// and mismatch; the reference would weigh 1. `noise` gathers what the frame's noise adds, and `strain` what its mismatch
/// does. Gives the sum over the quads of the share of its weight that the frame got.
package func mergeQuads(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ openness: UnsafePointer<Float>, _ excess: UnsafePointer<Float>, _ isLonger: Bool,
    _ constants: UnsafePointer<Float>, _ sum: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>,
    _ noise: UnsafeMutablePointer<Float>, _ strain: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    hasWideVectors
        ? KernelsV3.mergeQuads(
            reference, frame, stride, half, openness, excess, isLonger, constants, sum, weight, noise, strain, count)
        : KernelsBaseline.mergeQuads(
            reference, frame, stride, half, openness, excess, isLonger, constants, sum, weight, noise, strain, count)
}

/// Takes over what a shorter frame sees where the reference, and the frames before it, are clipped. Gives the sum over
/// the quads of the share that was taken over.
package func mergeHighlights(
    _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int, _ openness: UnsafePointer<Float>,
    _ trust: UnsafePointer<Float>, _ constants: UnsafePointer<Float>, _ base: UnsafeMutablePointer<Float>,
    _ unseen: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    hasWideVectors
        ? KernelsV3.mergeHighlights(frame, stride, half, openness, trust, constants, base, unseen, count)
        : KernelsBaseline.mergeHighlights(frame, stride, half, openness, trust, constants, base, unseen, count)
}

/// What no frame saw, in a row of quads: it is taken for white light, as bright as the darkest of the colours that are
/// known says, or, where none is, as the brightest. `neutral` has the response to white at the four places.
package func whitenQuads(
    _ base: UnsafeMutablePointer<Float>, _ unseen: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ neutral: UnsafePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.whitenQuads(base, unseen, stride, half, neutral, count)
        : KernelsBaseline.whitenQuads(base, unseen, stride, half, neutral, count)
}

/// What the reference weighs against the sums of a row of quads. Noise is another in each frame, but all frames miss the
/// reference's detail in the same way: what they differ by does not become less with their number. Gives the sum over the
/// quads of the variance that is left, as shares of the reference's.
package func settleQuads(
    _ weight: UnsafePointer<Float>, _ stride: Int, _ half: Int, _ noise: UnsafePointer<Float>,
    _ strain: UnsafePointer<Float>, _ own: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    hasWideVectors
        ? KernelsV3.settleQuads(weight, stride, half, noise, strain, own, count)
        : KernelsBaseline.settleQuads(weight, stride, half, noise, strain, own, count)
}

/// A merged row as codes, rounded: base and mean difference, times `scale` above `black`. `own` is the weight of the
/// reference in each quad.
package func bracketRow(
    _ base: UnsafePointer<Float>, _ sum: UnsafePointer<Float>, _ weight: UnsafePointer<Float>,
    _ own: UnsafePointer<Float>, _ half: Int, _ scale: Float, _ black: Float, _ codes: UnsafeMutablePointer<UInt16>,
    _ width: Int
) {
    hasWideVectors
        ? KernelsV3.bracketRow(base, sum, weight, own, half, scale, black, codes, width)
        : KernelsBaseline.bracketRow(base, sum, weight, own, half, scale, black, codes, width)
}
