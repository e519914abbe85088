internal import CProcessor
package import KernelTypes

// Kernels of super-resolution: a kernel regression of the samples of all frames, relative to a guide picture, on tiles
// of 16×16 pixels with a margin of two. A tile's samples are 20 rows of 24 values, of which the last four are unused
// padding; they belong to one frame, shifted by whole pixels, and `redRow` and `redColumn` (0 or 1) are the CFA phase
// of its red samples. Guides are planes of red, green and blue linear values.

private typealias Tile = SuperResolutionTile

/// Converts a block of 20 rows of 24 codes to linear values limited to 1. `black` and `gain` have 24 values for even
/// rows and 24 for odd ones.
package func superResolutionLinearize(
    _ codes: UnsafePointer<UInt16>, _ codeStride: Int, _ black: UnsafePointer<Float>, _ gain: UnsafePointer<Float>,
    _ linear: UnsafeMutablePointer<Float>
) {
    for line in 0..<Tile.sampleRows {
        let from = codes + line &* codeStride
        let parity = Tile.sampleStride &* (line & 1)
        let (black, gain) = (black + parity, gain + parity)
        let to = linear + Tile.sampleStride &* line
        for column in 0..<Tile.sampleStride {
            to[column] = min((Float(Int32(from[column])) - black[column]) * gain[column], 1)
        }
    }
}

/// Subtracts the guide from a tile's samples in place. The guide is interpolated at a subpixel offset with four taps
/// across and four down; `guide` points at the position of the first sample's first taps. `scratch` holds
/// `SuperResolutionTile.guideCount` values.
package func superResolutionResidual(
    _ samples: UnsafeMutablePointer<Float>, _ guide: ColorPlanes, _ across: UnsafePointer<Float>,
    _ down: UnsafePointer<Float>, _ redRow: Int, _ redColumn: Int, _ scratch: UnsafeMutablePointer<Float>
) {
    let (red, green, blue, guideStride) = (guide.red, guide.green, guide.blue, guide.stride)
    let isRedColumn = alternating(redColumn)
    // Interpolates the guide's rows across, into one plane for rows of red and green samples and one for rows of green
    // and blue.
    for row in 0..<Tile.guideRows {
        var column = 0
        while column < Tile.sampleStride {
            let from = row &* guideStride &+ column
            let (r, g, b) = (
                fourAcross(red + from, across), fourAcross(green + from, across), fourAcross(blue + from, across)
            )
            let to = Tile.sampleStride &* row &+ column
            store8(g.replacing(with: r, where: isRedColumn), scratch + to)
            store8(b.replacing(with: g, where: isRedColumn), scratch + (Tile.guidePlane &+ to))
            column &+= 8
        }
    }
    for row in 0..<Tile.sampleRows {
        let from = scratch + (Tile.sampleStride &* row &+ ((row & 1) == redRow ? 0 : Tile.guidePlane))
        let (second, third) = (from + Tile.sampleStride, from + 2 &* Tile.sampleStride)
        let fourth = from + 3 &* Tile.sampleStride
        let to = samples + Tile.sampleStride &* row
        var column = 0
        while column < Tile.sampleStride {
            let guide =
                load8(from + column) * down[0] + load8(second + column) * down[1]
                + load8(third + column) * down[2] + load8(fourth + column) * down[3]
            store8(load8(to + column) - guide, to + column)
            column &+= 8
        }
    }
}

/// Returns eight values of a row, each interpolated from four neighbouring values with four taps.
@inline(__always)
private func fourAcross(_ from: UnsafePointer<Float>, _ taps: UnsafePointer<Float>) -> SIMD8<Float> {
    load8(from) * taps[0] + load8(from + 1) * taps[1] + load8(from + 2) * taps[2] + load8(from + 3) * taps[3]
}

/// Computes the reciprocal of the standard deviation expected of residuals at each quad of a tile, for red, green and
/// blue.
///
/// The variance is that of the noise, plus the guide's squared gradient times `slack` (for a small motion error), plus
/// the fractions `detail` of its fine structure and `color` of its colour difference that may be aliasing. `guide`
/// points at the position of the first sample; `noise` has shot and read terms of red, green and blue.
package func superResolutionPrecision(
    _ guide: ColorPlanes, _ noise: UnsafePointer<Float>, _ slack: Float, _ detail: Float, _ color: Float,
    _ precision: UnsafeMutablePointer<Float>
) {
    let (red, green, blue, guideStride) = (guide.red, guide.green, guide.blue, guide.stride)
    for row in 0..<Tile.precisionRows {
        let from = 2 &* row &* guideStride
        let upper = green + from
        let lower = upper + guideStride
        let (above, below) = (upper - guideStride, lower + guideStride)
        var quad = 0
        while quad < Tile.precisionColumns {
            let c = 2 &* quad
            let ((a, b), (d, e)) = (pairs(upper + c), pairs(lower + c))
            let (left, right) = (pairs(upper + c - 2).odd, pairs(upper + c + 2).even)
            let (aboveA, aboveB) = pairs(above + c)
            let (belowD, belowE) = pairs(below + c)
            let (lowerLeft, lowerRight) = (pairs(lower + c - 2).odd, pairs(lower + c + 2).even)
            let across: SIMD4<Float> = right - left + lowerRight - lowerLeft
            let down: SIMD4<Float> = belowD - aboveA + belowE - aboveB
            var variance: SIMD4<Float> = (across * across + down * down) * slack
            var fine: SIMD4<Float> = square(a - b) + square(d - e)
            fine += square(a - d) + square(b - e)
            fine += square(b - right) + square(a - left)
            fine += square(a - aboveA) + square(d - belowD)
            let at = from &+ c
            let (redA, redB) = pairs(red + at)
            let (redD, redE) = pairs(red + at + guideStride)
            let (blueA, blueB) = pairs(blue + at)
            let (blueD, blueE) = pairs(blue + at + guideStride)
            var chroma: SIMD4<Float> = square(redA - a) + square(redB - b)
            chroma += square(redD - d) + square(redE - e)
            chroma += square(blueA - a) + square(blueB - b)
            chroma += square(blueD - d) + square(blueE - e)
            variance += fine * (detail * 0.125) + chroma * (color * 0.125)
            // Red and blue are sampled at every second pixel only, so they alias coarser detail.
            let redVariance = variance + sparseDetail(red + at, redA, guideStride) * (detail * 0.5)
            let blueVariance = variance + sparseDetail(blue + at, blueA, guideStride) * (detail * 0.5)
            let signal = a.replacing(with: 0, where: a .<= 0)
            let to = precision + (Tile.precisionStride &* row &+ quad)
            store4(gscap_reciprocal_roots(noise[0] * signal + noise[1] + redVariance), to)
            store4(gscap_reciprocal_roots(noise[2] * signal + noise[3] + variance), to + Tile.precisionPlane)
            store4(
                gscap_reciprocal_roots(noise[4] * signal + noise[5] + blueVariance), to + 2 &* Tile.precisionPlane)
            quad &+= 4
        }
    }
}

/// Returns the values at even and at odd offsets of eight values, those of the left and of the right pixels of quads.
@inline(__always)
private func pairs(_ from: UnsafePointer<Float>) -> (even: SIMD4<Float>, odd: SIMD4<Float>) {
    let values = load8(from)
    return (values.evenHalf, values.oddHalf)
}

@inline(__always)
private func store4(_ vector: SIMD4<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD4<Float>.self)
}

@inline(__always)
private func square(_ value: SIMD4<Float>) -> SIMD4<Float> { value * value }

/// Returns the sums of the squared differences of four quads' left values, `here`, from their four neighbours two
/// pixels away.
@inline(__always)
private func sparseDetail(_ plane: UnsafePointer<Float>, _ here: SIMD4<Float>, _ stride: Int) -> SIMD4<Float> {
    let across = square(here - pairs(plane + 2).even) + square(here - pairs(plane - 2).even)
    let (below, above) = (pairs(plane + 2 &* stride).even, pairs(plane - 2 &* stride).even)
    return across + square(here - below) + square(here - above)
}

@inline(__always)
private func square(_ value: Float) -> Float { value * value }

/// Computes how well a tile's quads agree with the guide, as weights 0…1, stored in 8 rows of 16 columns with each
/// weight twice, for the two columns of a quad. `counts` holds the sums of the weights over the frames (8×8): the call
/// with `isReference` sets it, calls for other frames add to it.
///
/// `reference` holds the energies of the reference frame's residuals (8×8); the call with `isReference` fills it. Where
/// that energy exceeds the energy of noise, `patience` times the excess is tolerated in the 3×3 mean of another frame's
/// residuals, too. `scratch` holds `SuperResolutionTile.agreementCount` values.
package func superResolutionAgreement(
    _ residual: UnsafePointer<Float>, _ precision: UnsafePointer<Float>, _ redRow: Int, _ redColumn: Int,
    _ isReference: Bool, _ trust: Float, _ patience: Float, _ reference: UnsafeMutablePointer<Float>,
    _ weights: UnsafeMutablePointer<Float>, _ counts: UnsafeMutablePointer<Float>,
    _ scratch: UnsafeMutablePointer<Float>
) {
    // The offsets of a quad's four samples: red, the green in its row, the green in its column, and blue.
    let red = Tile.sampleStride &* redRow &+ redColumn
    let beside = Tile.sampleStride &* redRow &+ 1 &- redColumn
    let below = Tile.sampleStride &* (1 &- redRow) &+ redColumn
    let blue = Tile.sampleStride &* (1 &- redRow) &+ 1 &- redColumn
    let (greenPlane, bluePlane) = (Tile.precisionPlane, 2 &* Tile.precisionPlane)
    let energyPlane = 3 &* Tile.precisionPlane
    for row in 0..<Tile.precisionRows {
        let from = residual + 2 &* Tile.sampleStride &* row
        for quad in 0..<Tile.precisionColumns {
            let at = Tile.precisionStride &* row &+ quad
            let r = from[2 &* quad &+ red] * precision[at]
            let g0 = from[2 &* quad &+ beside] * precision[greenPlane &+ at]
            let g1 = from[2 &* quad &+ below] * precision[greenPlane &+ at]
            let b = from[2 &* quad &+ blue] * precision[bluePlane &+ at]
            scratch[at] = r
            scratch[greenPlane &+ at] = g0 + g1
            scratch[bluePlane &+ at] = b
            scratch[energyPlane &+ at] = r * r + g0 * g0 + g1 * g1 + b * b
        }
    }
    for row in 0..<Tile.quads {
        let from = scratch + Tile.precisionStride &* row
        let (r, g, b) = (sumOf3x3(from), sumOf3x3(from + greenPlane), sumOf3x3(from + bluePlane))
        // For noise alone the sums r and b have variance 9, and g, of two greens, 18: `squares` is 54 on average and
        // the sum of energies 36, so that bias and energy are about 1.
        var squares: SIMD8<Float> = r * r * 2
        squares += g * g
        squares += b * b * 2
        let bias: SIMD8<Float> = squares * (trust / 54)
        let energy: SIMD8<Float> = sumOf3x3(from + energyPlane) * (trust / 36)
        if isReference { store8(energy, reference + Tile.quads &* row) }
        let zero = SIMD8<Float>(repeating: 0)
        let one = SIMD8<Float>(repeating: 1)
        let usual: SIMD8<Float> = larger(load8(reference + Tile.quads &* row), one)
        let oddBias: SIMD8<Float> = larger(bias - 2 - (usual - 1) * patience, zero)
        let oddEnergy: SIMD8<Float> = larger(energy - usual * 1.5, zero)
        let odd: SIMD8<Float> = (oddBias + oddEnergy) * 0.5
        let weight: SIMD8<Float> = isReference ? one : 1 / (odd * odd + 1)
        for quad in 0..<Tile.quads {
            weights[Tile.side &* row &+ 2 &* quad] = weight[quad]
            weights[Tile.side &* row &+ 2 &* quad &+ 1] = weight[quad]
        }
        let count = counts + Tile.quads &* row
        store8(isReference ? weight : load8(count) + weight, count)
    }
}

/// Computes how far a tile's result deviates from the reference frame's samples, for each of 8×8 quads, in four maps
/// that are `plane` values apart: the sum of four squared deviations, in units of variance, and the sums of the
/// deviations in red, in green and in blue, in units of standard deviation. `samples` and `precision` start at the
/// tile's first quad, behind the margin.
package func superResolutionDeviation(
    _ samples: UnsafePointer<Float>, _ result: ColorPlanes, _ precision: UnsafePointer<Float>, _ redRow: Int,
    _ redColumn: Int, _ deviations: UnsafeMutablePointer<Float>, _ deviationStride: Int, _ plane: Int
) {
    let (red, green, blue, stride) = (result.red, result.green, result.blue, result.stride)
    let (blueRow, blueColumn) = (1 &- redRow, 1 &- redColumn)
    for row in 0..<Tile.quads {
        let (cellSamples, values) = (samples + 2 &* Tile.sampleStride &* row, 2 &* row &* stride)
        for quad in 0..<Tile.quads {
            let (sample, value) = (cellSamples + 2 &* quad, values &+ 2 &* quad)
            let at = Tile.precisionStride &* row &+ quad
            let redSamples = sample + Tile.sampleStride &* redRow
            let blueSamples = sample + Tile.sampleStride &* blueRow
            let (redPrecision, greenPrecision) = (precision[at], precision[Tile.precisionPlane &+ at])
            let r = redSamples[redColumn] - min(red[value &+ redRow &* stride &+ redColumn], 1)
            let g0 = redSamples[blueColumn] - min(green[value &+ redRow &* stride &+ blueColumn], 1)
            let g1 = blueSamples[redColumn] - min(green[value &+ blueRow &* stride &+ redColumn], 1)
            let b = blueSamples[blueColumn] - min(blue[value &+ blueRow &* stride &+ blueColumn], 1)
            let (redDeviation, blueDeviation) = (r * redPrecision, b * precision[2 &* Tile.precisionPlane &+ at])
            let greenSquares = (square(g0) + square(g1)) * square(greenPrecision)
            let to = deviations + (row &* deviationStride &+ quad)
            to[0] = square(redDeviation) + square(blueDeviation) + greenSquares
            to[plane] = redDeviation
            to[2 &* plane] = (g0 + g1) * greenPrecision
            to[3 &* plane] = blueDeviation
        }
    }
}

/// Computes the weight 0…1 of each quad's result from its deviations from the reference frame, in the maps of
/// `superResolutionDeviation`. Squared deviations, averaged over 5×5 quads, are tolerated up to `tolerance` variances,
/// and deviations of a colour, averaged over 3×3 quads, up to a squared mean of `shiftTolerance` times its variance;
/// beyond these the weight falls. All maps have `count` rows and columns; `deviations` is overwritten.
package func superResolutionTrust(
    _ deviations: UnsafeMutablePointer<Float>, _ stride: Int, _ plane: Int, _ count: Int, _ tolerance: Float,
    _ shiftTolerance: Float, _ trust: UnsafeMutablePointer<Float>
) {
    sumAround(deviations, stride, count, 2, trust)
    for color in 1...3 { sumAround(deviations + color &* plane, stride, count, 1, trust) }
    for row in 0..<count {
        let (squares, to) = (deviations + row &* stride, trust + row &* stride)
        let (red, green, blue) = (squares + plane, squares + 2 &* plane, squares + 3 &* plane)
        for column in 0..<count {
            // The sums of red and blue have nine times the variance, those of two greens eighteen times.
            let shift = (2 * square(red[column]) + square(green[column]) + 2 * square(blue[column])) * (1 / 54)
            let odd = max(squares[column] * 0.01 - tolerance, 0) * 2
            let shifted = max(shift - shiftTolerance, 0) * 0.5
            to[column] = 1 / ((odd * odd + 1) * (shifted * shifted + 1))
        }
    }
}

/// Replaces each value of a map by the sum of those up to `reach` rows and columns away; at the edges values are
/// repeated. `across` is scratch memory of the map's layout.
@inline(__always)
private func sumAround(
    _ map: UnsafeMutablePointer<Float>, _ stride: Int, _ count: Int, _ reach: Int, _ across: UnsafeMutablePointer<Float>
) {
    for row in 0..<count {
        let (from, to) = (map + row &* stride, across + row &* stride)
        for column in 0..<count {
            var sum: Float = 0
            for step in -reach...reach { sum += from[min(max(column &+ step, 0), count &- 1)] }
            to[column] = sum
        }
    }
    for row in 0..<count {
        let to = map + row &* stride
        for column in 0..<count {
            var sum: Float = 0
            for step in -reach...reach { sum += across[min(max(row &+ step, 0), count &- 1) &* stride &+ column] }
            to[column] = sum
        }
    }
}

/// Blends a plane with the guide, in place: each quad keeps the fraction `trust` of its difference from the guide.
package func superResolutionBlend(
    _ guide: UnsafePointer<Float>, _ trust: UnsafePointer<Float>, _ trustStride: Int, _ count: Int,
    _ plane: UnsafeMutablePointer<Float>, _ stride: Int
) {
    for row in 0..<2 &* count {
        let (from, to, trust) = (guide + row &* stride, plane + row &* stride, trust + (row >> 1) &* trustStride)
        for quad in 0..<count {
            let (even, odd, weight) = (2 &* quad, 2 &* quad &+ 1, trust[quad])
            to[even] = from[even] + (to[even] - from[even]) * weight
            to[odd] = from[odd] + (to[odd] - from[odd]) * weight
        }
    }
}

/// Multiplies a tile's weights, in the layout of `superResolutionAgreement`, by the weight `trust` of each quad.
package func superResolutionScaleWeights(
    _ weights: UnsafeMutablePointer<Float>, _ trust: UnsafePointer<Float>, _ trustStride: Int
) {
    for row in 0..<Tile.quads {
        for quad in 0..<Tile.quads {
            let factor = trust[row &* trustStride &+ quad]
            weights[Tile.side &* row &+ 2 &* quad] *= factor
            weights[Tile.side &* row &+ 2 &* quad &+ 1] *= factor
        }
    }
}

/// Returns, for eight quads of a row, the sums over the 3×3 quads that start there.
@inline(__always)
private func sumOf3x3(_ from: UnsafePointer<Float>) -> SIMD8<Float> {
    var sum = SIMD8<Float>(repeating: 0)
    for row in 0..<3 {
        let line = from + Tile.precisionStride &* row
        sum += load8(line) + load8(line + 1) + load8(line + 2)
    }
    return sum
}

/// Adds to `sums`, for each pixel of a tile, the residuals of the 5×5 samples around it, weighted by a separable kernel
/// of five taps `across` and five `down` and by the pixel's weight. `sums` are six planes of 16×16: weighted residuals
/// of red, green and blue, then the sums of their weights.
package func superResolutionAccumulate(
    _ residual: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ across: UnsafePointer<Float>,
    _ down: UnsafePointer<Float>, _ redRow: Int, _ redColumn: Int, _ sums: UnsafeMutablePointer<Float>
) {
    let isRedColumn = alternating(redColumn)
    let (nearAcross, farAcross) = (across[0] + across[2] + across[4], across[1] + across[3])
    let (nearDown, farDown) = (down[0] + down[2] + down[4], down[1] + down[3])
    // For each pixel, the sum of the taps on columns with red samples: those 0 and 2 columns away if the pixel is in
    // such a column itself, otherwise those 1 column away.
    let own = SIMD8(repeating: farAcross).replacing(with: nearAcross, where: isRedColumn)
    let other = SIMD8(repeating: nearAcross).replacing(with: farAcross, where: isRedColumn)
    for row in 0..<Tile.side {
        let isRedRow = (row & 1) == redRow
        let (redDown, blueDown) = isRedRow ? (nearDown, farDown) : (farDown, nearDown)
        var column = 0
        while column < Tile.side {
            let from = residual + (Tile.sampleStride &* row &+ column)
            var near = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
            var far = near
            for tap in 0..<Tile.kernelTaps {
                let here = from + tap
                let even =
                    load8(here) * down[0] + load8(here + 2 &* Tile.sampleStride) * down[2]
                    + load8(here + 4 &* Tile.sampleStride) * down[4]
                let odd =
                    load8(here + Tile.sampleStride) * down[1] + load8(here + 3 &* Tile.sampleStride) * down[3]
                if tap & 1 == 0 {
                    near.0 += even * across[tap]
                    near.1 += odd * across[tap]
                } else {
                    far.0 += even * across[tap]
                    far.1 += odd * across[tap]
                }
            }
            // The red pair are sums over the rows with red samples, the blue pair sums over those with blue samples;
            // near sums are over columns 0 and 2 away from the pixel, far sums over those 1 away.
            let (redNear, redFar) = isRedRow ? (near.0, far.0) : (near.1, far.1)
            let (blueNear, blueFar) = isRedRow ? (near.1, far.1) : (near.0, far.0)
            let weight = load8(weights + (Tile.side &* (row >> 1) &+ column))
            let to = sums + (Tile.side &* row &+ column)
            let weightTo = to + Tile.weightSums
            add8(redFar.replacing(with: redNear, where: isRedColumn) * weight, to)
            add8(
                (redNear.replacing(with: redFar, where: isRedColumn)
                    + blueFar.replacing(with: blueNear, where: isRedColumn)) * weight, to + Tile.count)
            add8(blueNear.replacing(with: blueFar, where: isRedColumn) * weight, to + 2 &* Tile.count)
            add8(own * weight * redDown, weightTo)
            add8((other * redDown + own * blueDown) * weight, weightTo + Tile.count)
            add8(other * weight * blueDown, weightTo + 2 &* Tile.count)
            column &+= 8
        }
    }
}

/// Computes a 16×16 tile of one colour: the guide plus the weighted mean residual. The residual is halved where the sum
/// of weights equals `fewest`, and reduced more where it is smaller and, with `restraint` above 0, where noise (`shot`,
/// `read`) is large against the squared signal of `green`.
package func superResolutionResolve(
    _ guide: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ guideStride: Int, _ sums: UnsafePointer<Float>,
    _ fewest: Float, _ shot: Float, _ read: Float, _ restraint: Float, _ result: UnsafeMutablePointer<Float>,
    _ resultStride: Int
) {
    for row in 0..<Tile.side {
        let from = guide + row &* guideStride
        let signals = green + row &* guideStride
        let to = result + row &* resultStride
        var column = 0
        while column < Tile.side {
            let at = Tile.side &* row &+ column
            let beyond = load8(sums + at) / (load8(sums + (Tile.weightSums &+ at)) + fewest)
            let signal = larger(load8(signals + column), SIMD8(repeating: 0))
            let noise = (signal * shot + read) * restraint
            let square = signal * signal + 1e-12
            store8(load8(from + column) + beyond * square / (square + noise), to + column)
            column &+= 8
        }
    }
}

/// Interpolates a tile of 16×16 values of a plane at a subpixel offset, with four taps across and four down; `plane`
/// points at the position of the first value's first taps.
package func superResolutionInterpolate(
    _ plane: UnsafePointer<Float>, _ stride: Int, _ across: UnsafePointer<Float>, _ down: UnsafePointer<Float>,
    _ tile: UnsafeMutablePointer<Float>
) {
    for row in 0..<Tile.side {
        var column = 0
        while column < Tile.side {
            let from = plane + (row &* stride &+ column)
            let (a, b) = (fourAcross(from, across), fourAcross(from + stride, across))
            let (c, d) = (fourAcross(from + 2 &* stride, across), fourAcross(from + 3 &* stride, across))
            store8(a * down[0] + b * down[1] + c * down[2] + d * down[3], tile + (Tile.side &* row &+ column))
            column &+= 8
        }
    }
}

/// Returns a mask of every second lane: the even ones if `first` is 0, the odd ones if it is 1.
@inline(__always)
private func alternating(_ first: Int) -> SIMDMask<SIMD8<Int32>> {
    SIMD8<Int32>(0, 1, 0, 1, 0, 1, 0, 1) .== SIMD8(repeating: Int32(truncatingIfNeeded: first))
}

/// Adds eight values to those in memory.
@inline(__always)
private func add8(_ vector: SIMD8<Float>, _ values: UnsafeMutablePointer<Float>) {
    store8(load8(values) + vector, values)
}
