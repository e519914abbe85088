internal import KernelsBaseline
internal import KernelsV3

/// Light of three colours to luma and differences, in place.
package func lumaOfLight(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    hasWideVectors
        ? KernelsV3.lumaOfLight(red, green, blue, count)
        : KernelsBaseline.lumaOfLight(red, green, blue, count)
}

/// Luma and differences to light of three colours, each divided by the weights.
package func lightOfLuma(
    _ luma: UnsafeMutablePointer<Float>, _ greenness: UnsafeMutablePointer<Float>,
    _ redness: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.lightOfLuma(luma, greenness, redness, weights, count)
        : KernelsBaseline.lightOfLuma(luma, greenness, redness, weights, count)
}

/// Divides a plane by the weights.
package func divideByWeights(
    _ plane: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.divideByWeights(plane, weights, count)
        : KernelsBaseline.divideByWeights(plane, weights, count)
}

/// Shrinks one row of blocks, four pixels apart, and adds them up under a window: `sums` and `weights` lie like the
/// picture; planes are `plane` values apart.
///
/// Without a pilot, what is below `threshold` times the noise is cut off; with one, which shows what is there, each
/// frequency is kept as far as it stands out of the noise. `shares` has the variance against that of one frame for each
/// two columns. `noise` has shot and read noise of red, green and blue of one frame. `shapes` are two sets of 8×8
/// factors, of luma and of the differences. `room` has 512 values.
package func shrinkBlocks(
    _ picture: UnsafePointer<Float>, _ pilot: UnsafePointer<Float>?, _ plane: Int, _ stride: Int, _ count: Int,
    _ shares: UnsafePointer<Float>, _ noise: UnsafePointer<Float>, _ shapes: UnsafePointer<Float>,
    _ threshold: Float, _ window: UnsafePointer<Float>, _ sums: UnsafeMutablePointer<Float>,
    _ weights: UnsafeMutablePointer<Float>, _ room: UnsafeMutablePointer<SIMD8<Float>>
) {
    hasWideVectors
        ? KernelsV3.shrinkBlocks(
            picture, pilot, plane, stride, count, shares, noise, shapes, threshold, window, sums, weights, room)
        : KernelsBaseline.shrinkBlocks(
            picture, pilot, plane, stride, count, shares, noise, shapes, threshold, window, sums, weights, room)
}
