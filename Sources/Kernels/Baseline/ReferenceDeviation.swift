// Kernels that limit how far a merged mosaic may be from the reference frame, in quads of 2×2 pixels. The energy of a
// quad is the sum of its four squared differences from the reference, each divided by the reference's noise variance.

/// Computes the energies of a row of `count` quads, and the sums of the noise variances of their pixels. Merged codes
/// are `scale` times the reference's. `black`, `shot` and `read` are in units of merged codes, by position in the quad:
/// a code's variance is `shot` times its distance from black, plus `read`.
package func referenceEnergies(
    _ merged: UnsafePointer<UInt16>, _ stride: Int, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ count: Int, _ scale: Float, _ black: SIMD4<Float>, _ shot: SIMD4<Float>, _ read: SIMD4<Float>,
    _ energies: UnsafeMutablePointer<Float>, _ variances: UnsafeMutablePointer<Float>
) {
    let (lower, lowerReference) = (merged + stride, reference + referenceStride)
    for quad in 0..<count {
        let (even, odd) = (2 &* quad, 2 &* quad &+ 1)
        let a = deviation(merged[even], reference[even], scale, black[0], shot[0], read[0])
        let b = deviation(merged[odd], reference[odd], scale, black[1], shot[1], read[1])
        let c = deviation(lower[even], lowerReference[even], scale, black[2], shot[2], read[2])
        let d = deviation(lower[odd], lowerReference[odd], scale, black[3], shot[3], read[3])
        energies[quad] = (a.energy + b.energy) + (c.energy + d.energy)
        variances[quad] = (a.variance + b.variance) + (c.variance + d.variance)
    }
}

/// Returns the noise variance at a merged code, and the squared difference from the reference divided by it.
@inline(__always)
private func deviation(
    _ merged: UInt16, _ reference: UInt16, _ scale: Float, _ black: Float, _ shot: Float, _ read: Float
) -> (energy: Float, variance: Float) {
    let value = Float(Int32(merged))
    let difference = value - Float(Int32(reference)) * scale
    let variance = max(value - black, 0) * shot + read
    return (difference * difference / variance, variance)
}

/// The mean energy of a quad and of 3×3 quads whose differences from the reference are its noise: a sum of as many
/// squares.
private let (meanOfQuad, meanAround): (Float, Float) = (4, 36)

/// The sum of the variances of 3×3 quads, relative to that of the middle one, above which the surroundings are noisier.
private let noisierSurroundings: Float = 9 * 1.3

/// Returns the sum of 3×3 values of a map from the first one on.
@inline(__always)
private func sumAround(_ first: UnsafePointer<Float>, _ stride: Int) -> Float {
    let (here, below) = (first + stride, first + 2 &* stride)
    return first[0] + first[1] + first[2] + here[0] + here[1] + here[2] + below[0] + below[1] + below[2]
}

/// Moves a row of `count` quads toward the reference, where the energy of a quad exceeds its limit, or that of the 3×3
/// quads around it exceeds theirs. Where an energy is twice as far above its mean as its limit, a quarter of the
/// difference remains.
///
/// `limits` are those of a quad and of 3×3 quads whose noise is like that around them, then those of quads in noisier
/// surroundings. `energies` and `variances` point before the first quad of the row above.
package func approachReference(
    _ merged: UnsafeMutablePointer<UInt16>, _ stride: Int, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ count: Int, _ scale: Float, _ energies: UnsafePointer<Float>, _ variances: UnsafePointer<Float>,
    _ mapStride: Int, _ limits: SIMD4<Float>
) {
    for quad in 0..<count {
        let energy = energies[quad &+ mapStride &+ 1]
        let around = sumAround(energies + quad, mapStride)
        guard energy > limits[2] || around > limits[3] else { continue }
        let isQuiet =
            variances[quad &+ mapStride &+ 1] * noisierSurroundings < sumAround(variances + quad, mapStride)
        let (limit, limitAround) = isQuiet ? (limits[2], limits[3]) : (limits[0], limits[1])
        guard energy > limit || around > limitAround else { continue }
        let ratio = min(
            (limit - meanOfQuad) / max(energy - meanOfQuad, limit - meanOfQuad),
            (limitAround - meanAround) / max(around - meanAround, limitAround - meanAround))
        for index in 0..<4 {
            let column = 2 &* quad &+ (index & 1)
            let to = merged + ((index >> 1) &* stride &+ column)
            let start = Float(Int32(reference[(index >> 1) &* referenceStride &+ column])) * scale
            let code = start + (Float(Int32(to[0])) - start) * (ratio * ratio)
            to[0] = UInt16(truncatingIfNeeded: Int32(code + 0.5))
        }
    }
}
