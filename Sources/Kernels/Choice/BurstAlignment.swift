internal import KernelsBaseline
internal import KernelsV3

/// The mean of each quad of two mosaic rows, less black, times a gain.
package func greyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Float>, _ count: Int,
    _ black: Float, _ gain: Float
) {
    hasWideVectors
        ? KernelsV3.greyRow(upper, lower, grey, count, black, gain)
        : KernelsBaseline.greyRow(upper, lower, grey, count, black, gain)
}

/// Every second value of a plane that was averaged 2×2.
package func halveRow(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ half: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors ? KernelsV3.halveRow(upper, lower, half, count) : KernelsBaseline.halveRow(upper, lower, half, count)
}

/// A row of the 3×3 box mean; both ends repeat their neighbours.
package func boxRow(
    _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
    _ result: UnsafeMutablePointer<Float>, _ count: Int
) {
    hasWideVectors
        ? KernelsV3.boxRow(above, here, below, result, count)
        : KernelsBaseline.boxRow(above, here, below, result, count)
}

/// The sum of absolute differences of two blocks.
package func blockDifference(
    _ a: UnsafePointer<Float>, _ aStride: Int, _ b: UnsafePointer<Float>, _ bStride: Int, _ width: Int, _ height: Int
) -> Float {
    hasWideVectors
        ? KernelsV3.blockDifference(a, aStride, b, bStride, width, height)
        : KernelsBaseline.blockDifference(a, aStride, b, bStride, width, height)
}

/// The sums of one Lucas–Kanade step: gxx, gxy, gyy, gx·d, gy·d, where d is `a` less `b` shifted by a fraction.
package func gradientSums(
    _ a: UnsafePointer<Float>, _ aStride: Int, _ b: UnsafePointer<Float>, _ bStride: Int, _ width: Int, _ height: Int,
    _ right: Float, _ down: Float, _ result: UnsafeMutablePointer<Float>
) {
    hasWideVectors
        ? KernelsV3.gradientSums(a, aStride, b, bStride, width, height, right, down, result)
        : KernelsBaseline.gradientSums(a, aStride, b, bStride, width, height, right, down, result)
}
