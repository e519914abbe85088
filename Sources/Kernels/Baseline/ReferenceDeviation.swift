// Kernels that limit how far a merged mosaic may be from the reference frame, in quads of 2×2 pixels. The energy of a
// quad is the sum of its four squared differences from the reference, each divided by the reference's noise variance.

/// Computes the energies of a row of `count` quads. Merged codes are `scale` times the reference's. `black`, `shot` and
/// `read` are in units of merged codes, by position in the quad: a code's variance is `shot` times its distance from
/// black, plus `read`.
package func referenceEnergies(
    _ merged: UnsafePointer<UInt16>, _ stride: Int, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ count: Int, _ scale: Float, _ black: SIMD4<Float>, _ shot: SIMD4<Float>, _ read: SIMD4<Float>,
    _ energies: UnsafeMutablePointer<Float>
) {
    let (lower, lowerReference) = (merged + stride, reference + referenceStride)
    for quad in 0..<count {
        let (even, odd) = (2 &* quad, 2 &* quad &+ 1)
        let upperEnergy =
            energy(merged[even], reference[even], scale, black[0], shot[0], read[0])
            + energy(merged[odd], reference[odd], scale, black[1], shot[1], read[1])
        let lowerEnergy =
            energy(lower[even], lowerReference[even], scale, black[2], shot[2], read[2])
            + energy(lower[odd], lowerReference[odd], scale, black[3], shot[3], read[3])
        energies[quad] = upperEnergy + lowerEnergy
    }
}

/// Returns a squared difference from the reference, divided by the noise variance at the merged code.
@inline(__always)
private func energy(
    _ merged: UInt16, _ reference: UInt16, _ scale: Float, _ black: Float, _ shot: Float, _ read: Float
) -> Float {
    let value = Float(Int32(merged))
    let difference = value - Float(Int32(reference)) * scale
    return difference * difference / (max(value - black, 0) * shot + read)
}

/// The mean energy of a quad and of 3×3 quads whose differences from the reference are its noise: a sum of as many
/// squares.
private let (meanOfQuad, meanAround): (Float, Float) = (4, 36)

/// Moves a row of `count` quads toward the reference, where the energy of a quad exceeds `limit`, or that of the 3×3
/// quads around it exceeds `limitAround`. Where an energy is twice as far above its mean as its limit, a quarter of the
/// difference remains. `energies` points before the first quad of the row above.
package func approachReference(
    _ merged: UnsafeMutablePointer<UInt16>, _ stride: Int, _ reference: UnsafePointer<UInt16>, _ referenceStride: Int,
    _ count: Int, _ scale: Float, _ energies: UnsafePointer<Float>, _ energyStride: Int, _ limit: Float,
    _ limitAround: Float
) {
    for quad in 0..<count {
        let (above, here) = (energies + quad, energies + (quad &+ energyStride))
        let below = here + energyStride
        let around =
            above[0] + above[1] + above[2] + here[0] + here[1] + here[2] + below[0] + below[1] + below[2]
        guard here[1] > limit || around > limitAround else { continue }
        let ratio = min(
            (limit - meanOfQuad) / max(here[1] - meanOfQuad, limit - meanOfQuad),
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
