// Loops of burst merging. A block shares one shift; its planes are read with a fraction of their own pixel distance.

/// How far a shifted frame can be trusted at each quad of a row: 1 where it differs from the reference as noise does,
/// less the more it differs beyond that. Gives the sum.
package func trustRow(
    _ reference: UnsafePointer<Float>, _ referenceStride: Int, _ upper: UnsafePointer<Float>,
    _ lower: UnsafePointer<Float>, _ right: Float, _ down: Float, _ shot: Float, _ read: Float,
    _ trust: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    let (w00, w01) = ((1 - right) * (1 - down), right * (1 - down))
    let (w10, w11) = ((1 - right) * down, right * down)
    var sum: Float = 0
    for index in 0..<count {
        let other = upper[index] * w00 + upper[index &+ 1] * w01 + lower[index] * w10 + lower[index &+ 1] * w11
        let here = reference[index]
        let difference = here - other
        let gx = reference[index &+ 1] - reference[index &- 1]
        let gy = reference[index &+ referenceStride] - reference[index &- referenceStride]
        // What a little misalignment costs at an edge is no motion; much is: interpolation softens sharp edges.
        let expected = shot * max(here, 0) + read + (gx * gx + gy * gy) * 0.0004
        let excess = max(difference * difference - 3 * expected, 0) / expected
        let value = 1 / (1 + excess)
        trust[index] = value
        sum += value
    }
    return sum
}

/// Lowers the trust in quads whose shifted pixels, two rows of a colour cell at a time, differ from the reference's by more
/// than noise: there interpolation cannot follow the detail, or something moved. Variance = `shot` · code + `read`.
package func doubtRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ rowPair: Int, _ right: Float, _ down: Float,
    _ referenceUpper: UnsafePointer<UInt16>, _ referenceLower: UnsafePointer<UInt16>, _ gain: Float, _ offset: Float,
    _ shot: Float, _ read: Float, _ trust: UnsafeMutablePointer<Float>, _ quads: Int
) {
    let (w00, w01) = ((1 - right) * (1 - down) * gain, right * (1 - down) * gain)
    let (w10, w11) = ((1 - right) * down * gain, right * down * gain)
    let (upperNext, lowerNext) = (upper + rowPair, lower + rowPair)
    for quad in 0..<quads {
        let x = 2 &* quad
        let a =
            Float(upper[x]) * w00 + Float(upper[x &+ 2]) * w01 + Float(upperNext[x]) * w10
            + Float(upperNext[x &+ 2]) * w11 + offset - Float(referenceUpper[x])
        let b =
            Float(upper[x &+ 1]) * w00 + Float(upper[x &+ 3]) * w01 + Float(upperNext[x &+ 1]) * w10
            + Float(upperNext[x &+ 3]) * w11 + offset - Float(referenceUpper[x &+ 1])
        let c =
            Float(lower[x]) * w00 + Float(lower[x &+ 2]) * w01 + Float(lowerNext[x]) * w10
            + Float(lowerNext[x &+ 2]) * w11 + offset - Float(referenceLower[x])
        let d =
            Float(lower[x &+ 1]) * w00 + Float(lower[x &+ 3]) * w01 + Float(lowerNext[x &+ 1]) * w10
            + Float(lowerNext[x &+ 3]) * w11 + offset - Float(referenceLower[x &+ 1])
        let sum =
            Float(referenceUpper[x]) + Float(referenceUpper[x &+ 1]) + Float(referenceLower[x])
            + Float(referenceLower[x &+ 1])
        // Four differences of two noisy pixels each.
        let expected = 2 * (shot * sum + 4 * read)
        let excess = max((a * a + b * b + c * c + d * d) / max(expected, 1) - 1.5, 0)
        trust[quad] *= 1 / (1 + 4 * excess * excess)
    }
}

/// Adds a shifted row of a frame to the sums, each pixel weighted by its quad's trust. `from` is the frame's row at the
/// whole part of the shift; the fractions are of the distance of two pixels of one colour.
package func accumulateRow(
    _ from: UnsafePointer<UInt16>, _ rowPair: Int, _ right: Float, _ down: Float, _ black: UnsafePointer<Float>,
    _ gain: Float, _ trust: UnsafePointer<Float>, _ sums: UnsafeMutablePointer<Float>, _ quads: Int
) {
    let (w00, w01) = ((1 - right) * (1 - down) * gain, right * (1 - down) * gain)
    let (w10, w11) = ((1 - right) * down * gain, right * down * gain)
    let lower = from + rowPair
    let (black0, black1) = (black[0], black[1])
    // Black levels stay where they are when a frame is scaled to the reference's exposure.
    let (offset0, offset1) = (black0 - black0 * gain, black1 - black1 * gain)
    for quad in 0..<quads {
        let x = 2 &* quad
        let weight = trust[quad]
        let a = Float(from[x]) * w00 + Float(from[x &+ 2]) * w01 + Float(lower[x]) * w10 + Float(lower[x &+ 2]) * w11
        let b =
            Float(from[x &+ 1]) * w00 + Float(from[x &+ 3]) * w01 + Float(lower[x &+ 1]) * w10
            + Float(lower[x &+ 3]) * w11
        sums[x] += (a + offset0) * weight
        sums[x &+ 1] += (b + offset1) * weight
    }
}

/// The mean of what was summed, times a scale, rounded: a row of the merged mosaic.
package func finishRow(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ scale: Float,
    _ target: UnsafeMutablePointer<UInt16>, _ quads: Int
) {
    for quad in 0..<quads {
        let factor = scale / weights[quad]
        let a = min(max(sums[2 &* quad] * factor + 0.5, 0), 65535)
        let b = min(max(sums[2 &* quad &+ 1] * factor + 0.5, 0), 65535)
        target[2 &* quad] = UInt16(truncatingIfNeeded: Int32(a))
        target[2 &* quad &+ 1] = UInt16(truncatingIfNeeded: Int32(b))
    }
}
