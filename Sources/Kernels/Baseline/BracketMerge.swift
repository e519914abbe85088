package import KernelTypes

// Kernels of bracket merging. A mosaic row is stored as two half rows, its even and its odd columns, `half` values
// apart; rows are `stride` values apart. A quad is one 2×2 cell of the Bayer pattern: the values at one index of the
// half rows of an even row and of the row below it. A signal is a linear value in codes of the reference frame, less
// the black level. Counts are multiples of 8, and rows have padding on both sides.

private typealias Constant = BracketConstants

/// Averages each quad of two mosaic rows after limiting its codes to `ceiling`, subtracts the black level, multiplies
/// by `gain` and rounds to −512…3583.
package func cappedGreyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Int16>, _ count: Int,
    _ ceiling: UInt16, _ black: Float, _ gain: Float
) {
    for index in 0..<count {
        let sum =
            UInt32(min(upper[2 &* index], ceiling)) &+ UInt32(min(upper[2 &* index &+ 1], ceiling))
            &+ UInt32(min(lower[2 &* index], ceiling)) &+ UInt32(min(lower[2 &* index &+ 1], ceiling))
        let value = (Float(Int32(truncatingIfNeeded: sum)) * 0.25 - black) * gain
        // Adding 1.5 · 2²³ leaves no mantissa bits for a fraction, so the low bits of the sum hold the rounded value.
        let rounded = (min(max(value, -512), 3583) + 12_582_912).bitPattern
        grey[index] = Int16(truncatingIfNeeded: rounded)
    }
}

/// Multiplies `count` values of a half row by a factor.
package func scaleHalfRow(
    _ source: UnsafePointer<Float>, _ factor: Float, _ target: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count { target[index] = source[index] * factor }
}

/// Converts a mosaic row to signals, codes less the black level of their column, and stores its even and odd columns as
/// two half rows.
package func signalRow(
    _ codes: UnsafePointer<UInt16>, _ cells: Int, _ even: UnsafeMutablePointer<Float>,
    _ odd: UnsafeMutablePointer<Float>, _ evenBlack: Float, _ oddBlack: Float
) {
    for cell in 0..<cells {
        even[cell] = Float(Int32(codes[2 &* cell])) - evenBlack
        odd[cell] = Float(Int32(codes[2 &* cell &+ 1])) - oddBlack
    }
}

/// Finds the highest code of each quad of two mosaic rows.
package func quadPeaks(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ peaks: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        let top = max(upper[2 &* index], upper[2 &* index &+ 1])
        let bottom = max(lower[2 &* index], lower[2 &* index &+ 1])
        peaks[index] = Float(Int32(max(top, bottom)))
    }
}

/// Computes each quad's unclipped weight from the highest code among the `peaks` of the 3×3 quads around it: 1 up to
/// the code `low`, falling by `slope` per code above it, to 0 where clipped.
package func unclippedWeightRow(
    _ above: UnsafePointer<Float>, _ peaks: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ low: Float,
    _ slope: Float, _ unclipped: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        var peak = max(max(above[index &- 1], above[index]), above[index &+ 1])
        peak = max(peak, max(max(peaks[index &- 1], peaks[index]), peaks[index &+ 1]))
        peak = max(peak, max(max(below[index &- 1], below[index]), below[index &+ 1]))
        unclipped[index] = min(max(1 - (peak - low) * slope, 0), 1)
    }
}

/// Interpolates a block of 8 mosaic rows of 8 quads from a demosaiced frame at a subpixel offset.
///
/// `source` points at the block's position in the frame, already shifted down but not yet by `right` columns, in the
/// even half row of the first colour plane; `colors` has the distance from there to the plane of the colour at each of
/// the quad's four CFA positions. `weights` are four cubic weights across, four down, and the fractions of a pixel to
/// the right and down. The difference of the bicubic from the bilinear value is shrunk by a Wiener factor; `noise` has
/// the shot and read terms of the variance at the four CFA positions.
package func interpolateBlock(
    _ source: UnsafePointer<Float>, _ colors: UnsafePointer<Int>, _ right: Int, _ stride: Int, _ half: Int,
    _ weights: UnsafePointer<Float>, _ noise: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
    _ targetStride: Int, _ targetHalf: Int
) {
    let (x0, x1, x2, x3) = (weights[0], weights[1], weights[2], weights[3])
    let (y0, y1, y2, y3) = (weights[4], weights[5], weights[6], weights[7])
    let (fractionRight, fractionDown) = (weights[8], weights[9])
    for row in 0..<8 {
        for phase in 0..<2 {
            let position = 2 &* (row & 1) &+ phase
            let plane = source + (colors[position] &+ row &* stride)
            let column = phase &+ right
            let previous: Int = column &- 1
            let first = plane + ((previous & 1) &* half &+ previous >> 1)
            let second = plane + ((column & 1) &* half &+ column >> 1)
            let (third, fourth) = (first + 1, second + 1)
            let aboveSecond = load8(second)
            let belowSecond = load8(second + stride)
            let aboveThird = load8(third)
            let belowThird = load8(third + stride)
            let atSecond =
                load8(second - stride) * y0 + aboveSecond * y1 + belowSecond * y2 + load8(second + 2 &* stride) * y3
            let atThird =
                load8(third - stride) * y0 + aboveThird * y1 + belowThird * y2 + load8(third + 2 &* stride) * y3
            let atFirst =
                load8(first - stride) * y0 + load8(first) * y1 + load8(first + stride) * y2
                + load8(first + 2 &* stride) * y3
            let atFourth =
                load8(fourth - stride) * y0 + load8(fourth) * y1 + load8(fourth + stride) * y2
                + load8(fourth + 2 &* stride) * y3
            let cubic = atFirst * x0 + atSecond * x1 + atThird * x2 + atFourth * x3
            let leftSide = aboveSecond + (belowSecond - aboveSecond) * fractionDown
            let rightSide = aboveThird + (belowThird - aboveThird) * fractionDown
            let bilinear = leftSide + (rightSide - leftSide) * fractionRight
            let variance = larger(bilinear, SIMD8(repeating: 0)) * noise[position] + noise[4 &+ position]
            let difference = cubic - bilinear
            let energy = difference * difference
            store8(
                bilinear + difference * (energy / (energy + variance * 4)),
                target + (row &* targetStride &+ phase &* targetHalf))
        }
    }
}

/// Interpolates 4 rows of 8 quads' unclipped weights (0 clipped, 1 unclipped) bilinearly, at the fractions of a quad
/// `right` and `down`.
package func interpolateUnclippedBlock(
    _ unclipped: UnsafePointer<Float>, _ stride: Int, _ right: Float, _ down: Float,
    _ target: UnsafeMutablePointer<Float>, _ targetStride: Int
) {
    for row in 0..<4 {
        let upper = unclipped + row &* stride
        let lower = upper + stride
        let (a, b) = (load8(upper), load8(upper + 1))
        let (c, d) = (load8(lower), load8(lower + 1))
        let (top, bottom) = (a + (b - a) * right, c + (d - c) * right)
        store8(top + (bottom - top) * down, target + row &* targetStride)
    }
}

/// Measures how a row of quads of a frame differs from the reference frame, in units of noise: writes the mean squared
/// difference divided by its noise variance, times the quad's unclipped weight, into `mismatch`, and that weight into
/// `weight`. Where the reference is clipped, a brighter frame is no mismatch, a darker one is.
package func compareQuads(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ unclipped: UnsafePointer<Float>, _ isLonger: Bool, _ constants: UnsafePointer<Float>,
    _ mismatch: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>, _ count: Int
) {
    let zero = SIMD8<Float>(repeating: 0)
    var index = 0
    while index < count {
        var sum = zero
        for position in 0..<4 {
            let here = constants + position
            let offset = (position >> 1) &* stride &+ (position & 1) &* half &+ index
            let (referenceValue, frameValue) = (load8(reference + offset), load8(frame + offset))
            let open = unclippedWeight(referenceValue, here)
            let signal = larger(isLonger ? frameValue : referenceValue, zero)
            let noise =
                signal * (here[Constant.referenceShot] + here[Constant.frameShot])
                + (here[Constant.referenceRead] + here[Constant.frameRead])
            let difference = frameValue - referenceValue
            let counted = difference.replacing(with: difference * open, where: difference .> zero)
            sum += counted * counted / noise
        }
        let unclippedWeights = load8(unclipped + index)
        store8(sum * unclippedWeights * 0.25, mismatch + index)
        store8(unclippedWeights, weight + index)
        index &+= 8
    }
}

/// Measures how a row of quads of a shorter exposure differs from the reference frame, to decide how far it may replace
/// clipped highlights. Writes squared differences into `mismatch` and the squares allowed into `tolerance`: the noise
/// variance and the square of a quarter of the signal, because edges of lamps never match to within noise. Quads that
/// are clipped in the frame count as well; `isCovered` is 1 where the frame covers the quad and 0 elsewhere.
package func compareHighlights(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ isCovered: UnsafePointer<Float>, _ constants: UnsafePointer<Float>, _ mismatch: UnsafeMutablePointer<Float>,
    _ tolerance: UnsafeMutablePointer<Float>, _ count: Int
) {
    let zero = SIMD8<Float>(repeating: 0)
    var index = 0
    while index < count {
        var (sum, allowed) = (zero, zero)
        for position in 0..<4 {
            let here = constants + position
            let offset = (position >> 1) &* stride &+ (position & 1) &* half &+ index
            let (referenceValue, frameValue) = (load8(reference + offset), load8(frame + offset))
            let open = unclippedWeight(referenceValue, here)
            let signal = larger(referenceValue, zero)
            let quarter = signal * 0.25
            allowed +=
                signal * (here[Constant.referenceShot] + here[Constant.frameShot])
                + (here[Constant.referenceRead] + here[Constant.frameRead]) + quarter * quarter
            let difference = frameValue - referenceValue
            let counted = difference.replacing(with: difference * open, where: difference .> zero)
            sum += counted * counted
        }
        let covered = load8(isCovered + index)
        store8(sum * covered, mismatch + index)
        store8(allowed * covered, tolerance + index)
        index &+= 8
    }
}

/// Blurs the middle one of five rows, which are `stride` values apart, with the binomial weights 1 4 6 4 1 down and
/// across. `scratch` holds `count` values and two more on each side.
package func blurRow(
    _ middle: UnsafePointer<Float>, _ stride: Int, _ scratch: UnsafeMutablePointer<Float>,
    _ target: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in -2..<count &+ 2 {
        let near = middle[index &- stride] + middle[index &+ stride]
        let far = middle[index &- 2 &* stride] + middle[index &+ 2 &* stride]
        scratch[index] = (6 * middle[index] + 4 * near + far) * (1 / 16)
    }
    for index in 0..<count {
        let near = scratch[index &- 1] + scratch[index &+ 1]
        let far = scratch[index &- 2] + scratch[index &+ 2]
        target[index] = (6 * scratch[index] + 4 * near + far) * (1 / 16)
    }
}

/// Computes by how much the squared difference of quads from the reference frame exceeds the noise variance, in units
/// of that variance: 0 where both the quad (`own`) and its surroundings (`mismatch` divided by `weight`) agree.
package func mismatchRow(
    _ mismatch: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ own: UnsafePointer<Float>,
    _ excess: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        // Noise alone may raise the mean square of the surroundings to 1.2 variances, and that of a single quad to 3.3.
        excess[index] = max(max(mismatch[index] / max(1.2 * weight[index], 0.01), own[index] * 0.3) - 1, 0)
    }
}

/// Computes the weight 0…1 with which a shorter exposure may replace clipped highlights: the square of the ratio of
/// `tolerance` to `mismatch`, at most 1, and 0 where the exposure does not cover the quad.
package func trustRow(
    _ mismatch: UnsafePointer<Float>, _ tolerance: UnsafePointer<Float>, _ isCovered: UnsafePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        let value = min(tolerance[index] / max(mismatch[index], 1e-6), 1)
        trust[index] = value * value * isCovered[index]
    }
}

/// Starts a half row of a merge: copies the reference, computes its clipped fraction (0 up to the signal `low`, rising
/// by `slope` per unit of signal above it, at most 1) and sets the sums to 0.
package func beginHalfRow(
    _ reference: UnsafePointer<Float>, _ low: Float, _ slope: Float, _ base: UnsafeMutablePointer<Float>,
    _ clipped: UnsafeMutablePointer<Float>, _ sum: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    for index in 0..<count {
        base[index] = reference[index]
        clipped[index] = min(max((reference[index] - low) * slope, 0), 1)
        sum[index] = 0
        weight[index] = 0
    }
}

/// Adds a row of quads of a frame to the sums of a merge: its differences from the reference frame, weighted by the
/// frame's noise and mismatch relative to a weight of 1 for the reference frame. Adds the frame's weighted noise
/// variance to `sums.noise`, and the deviation that its mismatch may cause to `sums.bias`, both in units of the
/// reference frame's noise. Returns the sum over the quads of the fraction of the frame's full weight that was used.
package func mergeQuads(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ unclipped: UnsafePointer<Float>, _ excess: UnsafePointer<Float>, _ isLonger: Bool,
    _ constants: UnsafePointer<Float>, _ sums: BracketSums, _ count: Int
) -> Float {
    let (sum, weight, noise, bias) = (sums.difference, sums.weight, sums.noise, sums.bias)
    let zero = SIMD8<Float>(repeating: 0)
    var fractions = zero
    var index = 0
    while index < count {
        let unclippedWeights = load8(unclipped + index)
        let beyond = load8(excess + index)
        var (added, addedBias) = (zero, zero)
        for position in 0..<4 {
            let here = constants + position
            let offset = (position >> 1) &* stride &+ (position & 1) &* half &+ index
            let (referenceValue, frameValue) = (load8(reference + offset), load8(frame + offset))
            let signal = larger(isLonger ? frameValue : referenceValue, zero)
            let referenceNoise = signal * here[Constant.referenceShot] + here[Constant.referenceRead]
            let frameNoise = signal * here[Constant.frameShot] + here[Constant.frameRead]
            let difference = frameValue - referenceValue
            let lower = larger(smaller(referenceValue, frameValue), zero)
            let noiseOfLower =
                lower * (here[Constant.referenceShot] + here[Constant.frameShot])
                + (here[Constant.referenceRead] + here[Constant.frameRead])
            // Noise alone rarely exceeds four standard deviations, so a larger difference of one pixel counts as
            // mismatch.
            let excess = larger(beyond, difference * difference / (noiseOfLower * 16) - 1)
            let open = unclippedWeights * unclippedWeight(referenceValue, here)
            let trusted = referenceNoise / (frameNoise + (referenceNoise + frameNoise) * excess) * open
            store8(load8(sum + offset) + trusted * difference, sum + offset)
            store8(load8(weight + offset) + trusted, weight + offset)
            let noiseWeight = trusted * frameNoise / referenceNoise
            added += trusted * noiseWeight
            addedBias += larger(trusted * (open - noiseWeight), zero).squareRoot()
            fractions += (trusted + noiseWeight) / (trusted + 1)
        }
        store8(load8(noise + index) + added * 0.25, noise + index)
        store8(load8(bias + index) + addedBias * 0.25, bias + index)
        index &+= 8
    }
    return fractions.sum() * 0.25
}

/// Replaces values that are clipped in the reference frame, and in the frames merged before, by those of a shorter
/// exposure. Returns the sum over the quads of the fraction that was replaced.
package func mergeHighlights(
    _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int, _ unclipped: UnsafePointer<Float>,
    _ trust: UnsafePointer<Float>, _ constants: UnsafePointer<Float>, _ base: UnsafeMutablePointer<Float>,
    _ clipped: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    let zero = SIMD8<Float>(repeating: 0)
    var fractions = zero
    var index = 0
    while index < count {
        let trusted = load8(trust + index)
        let replaced = trusted * load8(unclipped + index)
        for position in 0..<4 {
            let here = constants + position
            let offset = (position >> 1) &* stride &+ (position & 1) &* half &+ index
            let stillClipped = load8(clipped + offset)
            let before = load8(base + offset)
            // A clipped pixel is at least as bright as the level where clipping begins; noise below that level carries
            // no information.
            let frameValue = larger(load8(frame + offset), SIMD8(repeating: here[Constant.clippingStart]))
            let variance = frameValue * here[Constant.frameShot] + here[Constant.frameRead]
            let beyond = frameValue - before
            let energy = beyond * beyond
            let share: SIMD8<Float> = energy / (energy + variance * 3)
            let added: SIMD8<Float> = stillClipped * trusted * beyond * share
            store8(before + added, base + offset)
            store8(stillClipped * (1 - replaced), clipped + offset)
            fractions += stillClipped * trusted
        }
        index &+= 8
    }
    return fractions.sum() * 0.25
}

/// Replaces the values of a row of quads that are clipped in every frame by white. The white is as bright as the
/// darkest unclipped colour of the quad implies or, if all are clipped, as the brightest implies. `neutral` is the
/// response to white at the four CFA positions.
package func fillClippedQuads(
    _ base: UnsafeMutablePointer<Float>, _ clipped: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ neutral: UnsafePointer<Float>, _ count: Int
) {
    var index = 0
    while index < count {
        let (a, b) = (index, index &+ half)
        let (c, d) = (stride &+ index, stride &+ half &+ index)
        let (clippedA, clippedB, clippedC, clippedD) = (
            load8(clipped + a), load8(clipped + b), load8(clipped + c), load8(clipped + d)
        )
        if (clippedA + clippedB + clippedC + clippedD).sum() > 0 {
            let (whiteA, whiteB) = (load8(base + a) / neutral[0], load8(base + b) / neutral[1])
            let (whiteC, whiteD) = (load8(base + c) / neutral[2], load8(base + d) / neutral[3])
            let most = larger(larger(whiteA, whiteB), larger(whiteC, whiteD))
            // How far the darker unclipped one of two samples lies below the quad's brightest sample; each sample
            // stands for the brightness of the white that it implies.
            let upper = larger((most - whiteA) * (1 - clippedA), (most - whiteB) * (1 - clippedB))
            let lower = larger((most - whiteC) * (1 - clippedC), (most - whiteD) * (1 - clippedD))
            let white = most - larger(upper, lower)
            for position in 0..<4 {
                let offset = (position >> 1) &* stride &+ (position & 1) &* half &+ index
                let before = load8(base + offset)
                let raised = larger(white * neutral[position], before)
                store8(before + load8(clipped + offset) * (raised - before), base + offset)
            }
        }
        index &+= 8
    }
}

/// Computes, for a row of quads, the weight of the reference frame relative to the summed frames. Noise is independent
/// between frames and averages out; a bias common to all frames does not, so it enters as the square of its sum.
/// Returns the sum over the quads of the remaining variance as a fraction of the reference frame's.
package func weighReferenceQuads(
    _ weight: UnsafePointer<Float>, _ stride: Int, _ half: Int, _ noise: UnsafePointer<Float>,
    _ bias: UnsafePointer<Float>, _ referenceWeight: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    var rest: Float = 0
    for index in 0..<count {
        let upper = weight[index] + weight[index &+ half]
        let lower = weight[index &+ stride] + weight[index &+ stride &+ half]
        let frameWeight = (upper + lower) * 0.25
        let error = (noise[index] + bias[index] * bias[index]) / max(frameWeight, 1e-9)
        let settled = frameWeight > 1e-9 ? error : 1
        referenceWeight[index] = settled
        rest += (settled * settled + noise[index]) / ((settled + frameWeight) * (settled + frameWeight))
    }
    return rest
}

/// Converts a merged mosaic row to rounded codes: (base + weighted mean difference) times `scale`, plus `black`.
/// `referenceWeight` has the weight of the reference frame in each quad.
package func bracketRow(
    _ base: UnsafePointer<Float>, _ sum: UnsafePointer<Float>, _ weight: UnsafePointer<Float>,
    _ referenceWeight: UnsafePointer<Float>, _ half: Int, _ scale: Float, _ black: Float,
    _ codes: UnsafeMutablePointer<UInt16>,
    _ width: Int
) {
    for cell in 0..<width / 2 {
        let odd = cell &+ half
        codes[2 &* cell] = code((base[cell] + sum[cell] / (weight[cell] + referenceWeight[cell])) * scale + black)
        codes[2 &* cell &+ 1] = code((base[odd] + sum[odd] / (weight[odd] + referenceWeight[cell])) * scale + black)
    }
    if width & 1 == 1 {
        let cell = width / 2
        codes[2 &* cell] = code((base[cell] + sum[cell] / (weight[cell] + referenceWeight[cell])) * scale + black)
    }
}

/// Returns the reference frame's weights at eight signals: 1 up to the signal at which clipping begins, falling
/// linearly to 0 above it. `here` points at the constants of the signals' CFA position.
@inline(__always)
private func unclippedWeight(_ signal: SIMD8<Float>, _ here: UnsafePointer<Float>) -> SIMD8<Float> {
    let closed = (signal - here[Constant.clippingStart]) * here[Constant.clippingSlope]
    let one = SIMD8<Float>(repeating: 1)
    let open = one - larger(closed, SIMD8(repeating: 0))
    return larger(open, SIMD8(repeating: 0))
}

/// Returns the nearest code, rounded by adding 1.5 · 2²³: no mantissa bits are left for a fraction, so the low bits of
/// the sum hold the whole number.
@inline(__always)
private func code(_ value: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
}
