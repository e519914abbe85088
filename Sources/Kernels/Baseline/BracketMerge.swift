// Loops of bracket merging. A mosaic row is held as two half lines, its even and its odd columns, `half` values apart;
// rows are `stride` values apart. A quad is a cell of the mosaic: the values at one index of the half lines of an even
// row and of the row below it. Signals are codes of the reference above black. Counts are multiples of 8, and lines
// have room for a few values on both sides.

/// The mean of each quad of two mosaic rows, each code cut at a ceiling, less black, times a gain.
package func cappedGreyRow(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ grey: UnsafeMutablePointer<Int16>, _ count: Int,
    _ ceiling: UInt16, _ black: Float, _ gain: Float
) {
    for index in 0..<count {
        let sum =
            UInt32(min(upper[2 &* index], ceiling)) &+ UInt32(min(upper[2 &* index &+ 1], ceiling))
            &+ UInt32(min(lower[2 &* index], ceiling)) &+ UInt32(min(lower[2 &* index &+ 1], ceiling))
        let value = (Float(Int32(truncatingIfNeeded: sum)) * 0.25 - black) * gain
        // Beside so large a number no fraction fits: its low bits are the rounded value.
        let rounded = (min(max(value, -512), 3583) + 12_582_912).bitPattern
        grey[index] = Int16(truncatingIfNeeded: rounded)
    }
}

/// A half line times a factor.
package func scaleHalfLine(
    _ source: UnsafePointer<Float>, _ factor: Float, _ target: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count { target[index] = source[index] * factor }
}

/// A row's signals, codes less black, as two half lines.
package func signalRow(
    _ codes: UnsafePointer<UInt16>, _ cells: Int, _ even: UnsafeMutablePointer<Float>,
    _ odd: UnsafeMutablePointer<Float>, _ evenBlack: Float, _ oddBlack: Float
) {
    for cell in 0..<cells {
        even[cell] = Float(Int32(codes[2 &* cell])) - evenBlack
        odd[cell] = Float(Int32(codes[2 &* cell &+ 1])) - oddBlack
    }
}

/// The highest code of each quad of two mosaic rows.
package func quadPeaks(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, _ peaks: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        let top = max(upper[2 &* index], upper[2 &* index &+ 1])
        let bottom = max(lower[2 &* index], lower[2 &* index &+ 1])
        peaks[index] = Float(Int32(max(top, bottom)))
    }
}

/// How far quads and their neighbours are from clipping: 1 up to `low`, and less by `slope` a code above it, down to 0.
package func opennessRow(
    _ above: UnsafePointer<Float>, _ peaks: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ low: Float,
    _ slope: Float, _ openness: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        var peak = max(max(above[index &- 1], above[index]), above[index &+ 1])
        peak = max(peak, max(max(peaks[index &- 1], peaks[index]), peaks[index &+ 1]))
        peak = max(peak, max(max(below[index &- 1], below[index]), below[index &+ 1]))
        openness[index] = min(max(1 - (peak - low) * slope, 0), 1)
    }
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
    let (x0, x1, x2, x3) = (weights[0], weights[1], weights[2], weights[3])
    let (y0, y1, y2, y3) = (weights[4], weights[5], weights[6], weights[7])
    let (fractionRight, fractionDown) = (weights[8], weights[9])
    for row in 0..<8 {
        for phase in 0..<2 {
            let place = 2 &* (row & 1) &+ phase
            let line = light + (colors[place] &+ row &* stride)
            let column = phase &+ right
            let first = line + (((column &- 1) & 1) &* half &+ (column &- 1) >> 1)
            let second = line + ((column & 1) &* half &+ column >> 1)
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
            let linear = leftSide + (rightSide - leftSide) * fractionRight
            let variance = larger(linear, SIMD8(repeating: 0)) * noise[place] + noise[4 &+ place]
            let detail = cubic - linear
            let energy = detail * detail
            store8(
                linear + detail * (energy / (energy + variance * 4)),
                target + (row &* targetStride &+ phase &* targetHalf))
        }
    }
}

/// Sees the openness of 4 rows of 8 quads at a place between quads.
package func openBlock(
    _ openness: UnsafePointer<Float>, _ stride: Int, _ right: Float, _ down: Float,
    _ target: UnsafeMutablePointer<Float>, _ targetStride: Int
) {
    for row in 0..<4 {
        let upper = openness + row &* stride
        let lower = upper + stride
        let (a, b) = (load8(upper), load8(upper + 1))
        let (c, d) = (load8(lower), load8(lower + 1))
        let (top, bottom) = (a + (b - a) * right, c + (d - c) * right)
        store8(top + (bottom - top) * down, target + row &* targetStride)
    }
}

/// What a merge knows of a frame beside the reference: 6 values of four places each, one after the other. Variance is
/// `shot` · signal + `read`.
///
/// 0 the reference's shot, 1 its read, 2 the frame's shot, 3 its read; 4 the signal up to which the reference is open,
/// 5 by how much it closes a unit above that.
private func constant(_ constants: UnsafePointer<Float>, _ kind: Int, _ place: Int) -> Float {
    constants[4 &* kind &+ place]
}

/// How much a row of quads differs from the reference's, in units of noise: sums of squares into `mismatch`, of what
/// may be compared into `weight`. Where the reference is clipped a frame may be brighter, not darker.
package func compareQuads(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ openness: UnsafePointer<Float>, _ isLonger: Bool, _ constants: UnsafePointer<Float>,
    _ mismatch: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>, _ count: Int
) {
    let zero = SIMD8<Float>(repeating: 0)
    var index = 0
    while index < count {
        var sum = zero
        for place in 0..<4 {
            let offset = (place >> 1) &* stride &+ (place & 1) &* half &+ index
            let (mine, its) = (load8(reference + offset), load8(frame + offset))
            let open = openShare(mine, constants, place)
            let signal = larger(isLonger ? its : mine, zero)
            let noise =
                signal * (constant(constants, 0, place) + constant(constants, 2, place))
                + (constant(constants, 1, place) + constant(constants, 3, place))
            let difference = its - mine
            let counted = difference.replacing(with: difference * open, where: difference .> zero)
            sum += counted * counted / noise
        }
        let known = load8(openness + index)
        store8(sum * known * 0.25, mismatch + index)
        store8(known, weight + index)
        index &+= 8
    }
}

/// How much a row of quads of a shorter frame differs from the reference's, to know how far it may be trusted where that
/// is clipped: squares into `mismatch`, and into `tolerance` those of noise and of a quarter of the light around, since
/// edges of lamps never fit to within noise. Quads that the frame clips count as well.
package func compareHighlights(
    _ reference: UnsafePointer<Float>, _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ isSeen: UnsafePointer<Float>, _ constants: UnsafePointer<Float>, _ mismatch: UnsafeMutablePointer<Float>,
    _ tolerance: UnsafeMutablePointer<Float>, _ count: Int
) {
    let zero = SIMD8<Float>(repeating: 0)
    var index = 0
    while index < count {
        var (sum, allowed) = (zero, zero)
        for place in 0..<4 {
            let offset = (place >> 1) &* stride &+ (place & 1) &* half &+ index
            let (mine, its) = (load8(reference + offset), load8(frame + offset))
            let open = openShare(mine, constants, place)
            let signal = larger(mine, zero)
            let slack = signal * 0.25
            allowed +=
                signal * (constant(constants, 0, place) + constant(constants, 2, place))
                + (constant(constants, 1, place) + constant(constants, 3, place)) + slack * slack
            let difference = its - mine
            let counted = difference.replacing(with: difference * open, where: difference .> zero)
            sum += counted * counted
        }
        let seen = load8(isSeen + index)
        store8(sum * seen, mismatch + index)
        store8(allowed * seen, tolerance + index)
        index &+= 8
    }
}

/// Blurs the middle one of five rows, which are `stride` values apart: 1 4 6 4 1 down and across. `scratch` has room for
/// a row.
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

/// By how many times the noise of a difference quads differ beyond it: 0 where they and their surroundings agree.
package func mismatchRow(
    _ mismatch: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ own: UnsafePointer<Float>,
    _ excess: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        // A fifth more than noise is what the mean of so few squares reaches by itself; the four of a quad, much more.
        excess[index] = max(max(mismatch[index] / max(1.2 * weight[index], 0.01), own[index] * 0.3) - 1, 0)
    }
}

/// How far highlights may be taken over, 0…1.
package func trustRow(
    _ mismatch: UnsafePointer<Float>, _ tolerance: UnsafePointer<Float>, _ isSeen: UnsafePointer<Float>,
    _ trust: UnsafeMutablePointer<Float>, _ count: Int
) {
    for index in 0..<count {
        let value = min(tolerance[index] / max(mismatch[index], 1e-6), 1)
        trust[index] = value * value * isSeen[index]
    }
}

/// Begins a row of a merge: what is not yet seen of it (where the reference is clipped), and empty sums.
package func beginHalfLine(
    _ reference: UnsafePointer<Float>, _ low: Float, _ slope: Float, _ base: UnsafeMutablePointer<Float>,
    _ unseen: UnsafeMutablePointer<Float>, _ sum: UnsafeMutablePointer<Float>, _ weight: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    for index in 0..<count {
        base[index] = reference[index]
        unseen[index] = min(max((reference[index] - low) * slope, 0), 1)
        sum[index] = 0
        weight[index] = 0
    }
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
    let zero = SIMD8<Float>(repeating: 0)
    var shares = zero
    var index = 0
    while index < count {
        let known = load8(openness + index)
        let beyond = load8(excess + index)
        var (added, strained) = (zero, zero)
        for place in 0..<4 {
            let offset = (place >> 1) &* stride &+ (place & 1) &* half &+ index
            let (mine, its) = (load8(reference + offset), load8(frame + offset))
            let signal = larger(isLonger ? its : mine, zero)
            let ours = signal * constant(constants, 0, place) + constant(constants, 1, place)
            let theirs = signal * constant(constants, 2, place) + constant(constants, 3, place)
            let difference = its - mine
            let least = larger(smaller(mine, its), zero)
            let noiseOfLeast =
                least * (constant(constants, 0, place) + constant(constants, 2, place))
                + (constant(constants, 1, place) + constant(constants, 3, place))
            // Noise alone takes few pixels beyond four deviations.
            let excess = larger(beyond, difference * difference / (noiseOfLeast * 16) - 1)
            let open = known * openShare(mine, constants, place)
            let trusted = ours / (theirs + (ours + theirs) * excess) * open
            store8(load8(sum + offset) + trusted * difference, sum + offset)
            store8(load8(weight + offset) + trusted, weight + offset)
            let part = trusted * theirs / ours
            added += trusted * part
            strained += larger(trusted * (open - part), zero).squareRoot()
            shares += (trusted + part) / (trusted + 1)
        }
        store8(load8(noise + index) + added * 0.25, noise + index)
        store8(load8(strain + index) + strained * 0.25, strain + index)
        index &+= 8
    }
    return shares.sum() * 0.25
}

/// Takes over what a shorter frame sees where the reference, and the frames before it, are clipped. Gives the sum over
/// the quads of the share that was taken over.
package func mergeHighlights(
    _ frame: UnsafePointer<Float>, _ stride: Int, _ half: Int, _ openness: UnsafePointer<Float>,
    _ trust: UnsafePointer<Float>, _ constants: UnsafePointer<Float>, _ base: UnsafeMutablePointer<Float>,
    _ unseen: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    let zero = SIMD8<Float>(repeating: 0)
    var shares = zero
    var index = 0
    while index < count {
        let trusted = load8(trust + index)
        let seen = trusted * load8(openness + index)
        for place in 0..<4 {
            let offset = (place >> 1) &* stride &+ (place & 1) &* half &+ index
            let rest = load8(unseen + offset)
            let before = load8(base + offset)
            // Clipped is at least as bright as what begins to clip, and what noise may have made of that says nothing.
            let its = larger(load8(frame + offset), SIMD8(repeating: constant(constants, 4, place)))
            let variance = its * constant(constants, 2, place) + constant(constants, 3, place)
            let beyond = its - before
            let energy = beyond * beyond
            store8(before + rest * trusted * beyond * (energy / (energy + variance * 3)), base + offset)
            store8(rest * (1 - seen), unseen + offset)
            shares += rest * trusted
        }
        index &+= 8
    }
    return shares.sum() * 0.25
}

/// What no frame saw, in a row of quads: it is taken for white light, as bright as the darkest of the colours that are
/// known says, or, where none is, as the brightest. `neutral` has the response to white at the four places.
package func whitenQuads(
    _ base: UnsafeMutablePointer<Float>, _ unseen: UnsafePointer<Float>, _ stride: Int, _ half: Int,
    _ neutral: UnsafePointer<Float>, _ count: Int
) {
    var index = 0
    while index < count {
        let (a, b) = (index, index &+ half)
        let (c, d) = (stride &+ index, stride &+ half &+ index)
        let (restA, restB, restC, restD) = (
            load8(unseen + a), load8(unseen + b), load8(unseen + c), load8(unseen + d)
        )
        if (restA + restB + restC + restD).sum() > 0 {
            let (lightA, lightB) = (load8(base + a) / neutral[0], load8(base + b) / neutral[1])
            let (lightC, lightD) = (load8(base + c) / neutral[2], load8(base + d) / neutral[3])
            let most = larger(larger(lightA, lightB), larger(lightC, lightD))
            // How far the darkest known one lies below that.
            let upper = larger((most - lightA) * (1 - restA), (most - lightB) * (1 - restB))
            let lower = larger((most - lightC) * (1 - restC), (most - lightD) * (1 - restD))
            let light = most - larger(upper, lower)
            for place in 0..<4 {
                let offset = (place >> 1) &* stride &+ (place & 1) &* half &+ index
                let before = load8(base + offset)
                let raised = larger(light * neutral[place], before)
                store8(before + load8(unseen + offset) * (raised - before), base + offset)
            }
        }
        index &+= 8
    }
}

/// What the reference weighs against the sums of a row of quads. Noise is another in each frame, but all frames miss the
/// reference's detail in the same way: what they differ by does not become less with their number. Gives the sum over the
/// quads of the variance that is left, as shares of the reference's.
package func settleQuads(
    _ weight: UnsafePointer<Float>, _ stride: Int, _ half: Int, _ noise: UnsafePointer<Float>,
    _ strain: UnsafePointer<Float>, _ own: UnsafeMutablePointer<Float>, _ count: Int
) -> Float {
    var rest: Float = 0
    for index in 0..<count {
        let upper = weight[index] + weight[index &+ half]
        let lower = weight[index &+ stride] + weight[index &+ stride &+ half]
        let others = (upper + lower) * 0.25
        let against = (noise[index] + strain[index] * strain[index]) / max(others, 1e-9)
        let mine = others > 1e-9 ? against : 1
        own[index] = mine
        rest += (mine * mine + noise[index]) / ((mine + others) * (mine + others))
    }
    return rest
}

/// A merged row as codes, rounded: base and mean difference, times `scale` above `black`. `own` is the weight of the
/// reference in each quad.
package func bracketRow(
    _ base: UnsafePointer<Float>, _ sum: UnsafePointer<Float>, _ weight: UnsafePointer<Float>,
    _ own: UnsafePointer<Float>, _ half: Int, _ scale: Float, _ black: Float, _ codes: UnsafeMutablePointer<UInt16>,
    _ width: Int
) {
    for cell in 0..<width / 2 {
        let odd = cell &+ half
        codes[2 &* cell] = code((base[cell] + sum[cell] / (weight[cell] + own[cell])) * scale + black)
        codes[2 &* cell &+ 1] = code((base[odd] + sum[odd] / (weight[odd] + own[cell])) * scale + black)
    }
    if width & 1 == 1 {
        let cell = width / 2
        codes[2 &* cell] = code((base[cell] + sum[cell] / (weight[cell] + own[cell])) * scale + black)
    }
}

/// 1 where the reference is open, less in its shoulder, 0 where it is clipped.
@inline(__always)
private func openShare(_ signal: SIMD8<Float>, _ constants: UnsafePointer<Float>, _ place: Int) -> SIMD8<Float> {
    let closed = (signal - constant(constants, 4, place)) * constant(constants, 5, place)
    let one = SIMD8<Float>(repeating: 1)
    let open = one - larger(closed, SIMD8(repeating: 0))
    return larger(open, SIMD8(repeating: 0))
}

@inline(__always)
private func smaller(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .< a) }

/// Rounds by adding a number so large that no fraction fits beside it: its low bits are then the whole number.
@inline(__always)
private func code(_ value: Float) -> UInt16 {
    UInt16(truncatingIfNeeded: (min(max(value, 0), 65535) + 12_582_912).bitPattern)
}
