internal import KernelsBaseline
internal import KernelsV3

/// How far a shifted frame can be trusted at each quad of a row: 1 where it differs from the reference as noise does,
/// less the more it differs beyond that. Gives the sum.
package func trustRow(
    _ reference: UnsafePointer<Float>, _ referenceStride: Int, _ upper: UnsafePointer<Float>,
    _ lower: UnsafePointer<Float>, _ right: Float, _ down: Float, _ shot: Float, _ read: Float,
    _ trust: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    hasWideVectors
        ? KernelsV3.trustRow(reference, referenceStride, upper, lower, right, down, shot, read, trust, count)
        : KernelsBaseline.trustRow(reference, referenceStride, upper, lower, right, down, shot, read, trust, count)
}

/// Lowers the trust in quads whose shifted pixels, two rows of a colour cell at a time, differ from the reference's by more
/// than noise: there interpolation cannot follow the detail, or something moved. Variance = `shot` · code + `read`.
package func doubtRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ rowPair: Int, _ right: Float, _ down: Float,
    _ referenceUpper: UnsafePointer<UInt16>, _ referenceLower: UnsafePointer<UInt16>, _ gain: Float, _ offset: Float,
    _ shot: Float, _ read: Float, _ trust: UnsafeMutablePointer<Float>, _ quads: Int
) {
    hasWideVectors
        ? KernelsV3.doubtRow(
            upper, lower, rowPair, right, down, referenceUpper, referenceLower, gain, offset, shot, read, trust, quads)
        : KernelsBaseline.doubtRow(
            upper, lower, rowPair, right, down, referenceUpper, referenceLower, gain, offset, shot, read, trust, quads)
}

/// Adds a shifted row of a frame to the sums, each pixel weighted by its quad's trust. `from` is the frame's row at the
/// whole part of the shift; the fractions are of the distance of two pixels of one colour.
package func accumulateRow(
    _ from: UnsafePointer<UInt16>, _ rowPair: Int, _ right: Float, _ down: Float, _ black: UnsafePointer<Float>,
    _ gain: Float, _ trust: UnsafePointer<Float>, _ sums: UnsafeMutablePointer<Float>, _ quads: Int
) {
    hasWideVectors
        ? KernelsV3.accumulateRow(from, rowPair, right, down, black, gain, trust, sums, quads)
        : KernelsBaseline.accumulateRow(from, rowPair, right, down, black, gain, trust, sums, quads)
}

/// The mean of what was summed, times a scale, rounded: a row of the merged mosaic.
package func finishRow(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float,
    _ target: UnsafeMutablePointer<UInt16>, _ quads: Int
) {
    hasWideVectors
        ? KernelsV3.finishRow(sums, weights, scale, target, quads)
        : KernelsBaseline.finishRow(sums, weights, scale, target, quads)
}
