// Kernels of multiscale noise reduction: luma and two colour differences are split into a Laplacian pyramid, each level
// the difference from the next coarser one, and the differences are shrunk by their energy against noise.

/// Converts linear RGB in place to luma and the differences of red and blue from green, all computed on square roots of
/// value plus `offset`, in which noise is alike in shadows and highlights. Works on whole vectors of 8 values, into the
/// rows' padding.
package func splitLumaRoots(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    offset: Float, count: Int
) {
    let (offsets, quarter) = (SIMD8<Float>(repeating: offset), SIMD8<Float>(repeating: 0.25))
    var i = 0
    while i < count {
        let redRoot = notNegative(load8(red + i) + offsets).squareRoot()
        let greenRoot = notNegative(load8(green + i) + offsets).squareRoot()
        let blueRoot = notNegative(load8(blue + i) + offsets).squareRoot()
        store8((redRoot + greenRoot + greenRoot + blueRoot) * quarter, red + i)
        store8(redRoot - greenRoot, green + i)
        store8(blueRoot - greenRoot, blue + i)
        i = i &+ 8
    }
}

/// Converts luma and the differences of red and blue from green, computed on square roots, back to linear RGB. Works on
/// whole vectors of 8 values, into the rows' padding.
package func joinLumaRoots(
    _ brightness: UnsafePointer<Float>, _ redExcess: UnsafePointer<Float>, _ blueExcess: UnsafePointer<Float>,
    offset: Float, count: Int, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>
) {
    let (offsets, quarter) = (SIMD8<Float>(repeating: offset), SIMD8<Float>(repeating: 0.25))
    var i = 0
    while i < count {
        let (redStep, blueStep) = (load8(redExcess + i), load8(blueExcess + i))
        let greenRoot = load8(brightness + i) - (redStep + blueStep) * quarter
        let (redRoot, blueRoot) = (notNegative(greenRoot + redStep), notNegative(greenRoot + blueStep))
        let positive = notNegative(greenRoot)
        store8(redRoot * redRoot - offsets, red + i)
        store8(positive * positive - offsets, green + i)
        store8(blueRoot * blueRoot - offsets, blue + i)
        i = i &+ 8
    }
}

/// Averages each 2×2 block of two rows to one value; `count` is the number of resulting values.
package func halveRows(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int, means: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        means[i] = (upper[2 &* i] + upper[2 &* i &+ 1] + lower[2 &* i] + lower[2 &* i &+ 1]) * 0.25
    }
}

/// Computes the row a quarter of the way from the row `near` to the row `far`. Works on whole vectors of 8 values, into
/// the rows' padding.
package func interpolateQuarter(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, count: Int, row: UnsafeMutablePointer<Float>
) {
    let (most, least) = (SIMD8<Float>(repeating: 0.75), SIMD8<Float>(repeating: 0.25))
    var i = 0
    while i < count {
        store8(load8(near + i) * most + load8(far + i) * least, row + i)
        i = i &+ 8
    }
}

/// Subtracts a row of half the length, enlarged to double with weights 3/4 and 1/4, from `row`; `rest` may be the same
/// memory as `row`. The half-length row has one more value at each end.
package func subtractDoubled(
    _ half: UnsafePointer<Float>, count: Int, from row: UnsafePointer<Float>, into rest: UnsafeMutablePointer<Float>
) {
    // The in-place case has a separate loop: the compiler cannot vectorise a loop that serves both cases.
    if row == UnsafePointer(rest) {
        for i in 0..<count {
            let own = half[i] * 0.75
            rest[2 &* i] -= own + half[i &- 1] * 0.25
            rest[2 &* i &+ 1] -= own + half[i &+ 1] * 0.25
        }
        return
    }
    for i in 0..<count {
        let own = half[i] * 0.75
        rest[2 &* i] = row[2 &* i] - (own + half[i &- 1] * 0.25)
        rest[2 &* i &+ 1] = row[2 &* i &+ 1] - (own + half[i &+ 1] * 0.25)
    }
}

/// Computes the energy of each 2×2 block of two rows of a pyramid level in units of noise: about 1 for noise alone. The
/// four squares are added and multiplied by `scales`: one factor for luma, one for each colour difference.
package func pyramidEnergies(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, planeLength: Int, scales: SIMD3<Float>, count: Int,
    brightness: UnsafeMutablePointer<Float>, color: UnsafeMutablePointer<Float>
) {
    let (upperRed, lowerRed) = (upper + planeLength, lower + planeLength)
    let (upperBlue, lowerBlue) = (upper + 2 &* planeLength, lower + 2 &* planeLength)
    for i in 0..<count {
        brightness[i] = squares(upper[2 &* i], upper[2 &* i &+ 1], lower[2 &* i], lower[2 &* i &+ 1]) * scales[0]
        color[i] =
            squares(upperRed[2 &* i], upperRed[2 &* i &+ 1], lowerRed[2 &* i], lowerRed[2 &* i &+ 1]) * scales[1]
            + squares(upperBlue[2 &* i], upperBlue[2 &* i &+ 1], lowerBlue[2 &* i], lowerBlue[2 &* i &+ 1]) * scales[2]
    }
}

/// Returns the sum of four squares.
@inline(__always)
private func squares(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float { a * a + b * b + c * c + d * d }

/// Computes the factors by which a pyramid level's luma and colour differences are multiplied, from their energies in
/// units of noise, smoothed over 3×3 blocks: 0 for energies up to `brightnessLimit` or `colorLimit`, (energy − limit) /
/// energy above. A luma energy that stands out alone is limited, as it may be noise. A tenth of the luma energy above
/// noise is added to that of colour. Rows have one more value at each end.
package func pyramidFactors(
    above: UnsafePointer<Float>, here: UnsafePointer<Float>, below: UnsafePointer<Float>, planeLength: Int,
    brightnessLimit: Float, colorLimit: Float, count: Int, shares: UnsafeMutablePointer<Float>
) {
    let colors = shares + planeLength
    for i in 0..<count { shares[i] = max(smoothedWithoutOutlier(above, here, below, i), 1e-9) }
    for i in 0..<count {
        let own = smoothed(above, here, below, i &+ planeLength)
        let color = max(own + max(shares[i] - 1, 0) * 0.1, 1e-9)
        colors[i] = max(color - colorLimit, 0) / color
    }
    for i in 0..<count { shares[i] = max(shares[i] - brightnessLimit, 0) / shares[i] }
}

/// Returns the mean of nine energies with weights 1 2 1 down and across. Each is limited: to 3 where the others of the
/// nine are noise, and by more the stronger these are. A single energy above 12, which noise does not reach, raises the
/// limit, too.
@inline(__always)
private func smoothedWithoutOutlier(
    _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ i: Int
) -> Float {
    let (a, b, c) = (above[i &- 1], above[i], above[i &+ 1])
    let (d, e, f) = (here[i &- 1], here[i], here[i &+ 1])
    let (g, h, j) = (below[i &- 1], below[i], below[i &+ 1])
    let most = max(max(max(a, b), max(c, d)), max(max(max(e, f), max(g, h)), j))
    let others = (a + b + c + d + e + f + g + h + j - most) * 0.125
    let limit = 3 + 8 * max(others - 1.5, 0) + 3 * max(most - 12, 0)
    let corners = min(a, limit) + min(c, limit) + min(g, limit) + min(j, limit)
    let sides = min(b, limit) + min(d, limit) + min(f, limit) + min(h, limit)
    return (corners + 2 * sides + 4 * min(e, limit)) * 0.0625
}

/// Returns the mean of nine values with weights 1 2 1 down and across.
@inline(__always)
private func smoothed(
    _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ i: Int
) -> Float {
    let left = above[i &- 1] + 2 * here[i &- 1] + below[i &- 1]
    let middle = above[i] + 2 * here[i] + below[i]
    let right = above[i &+ 1] + 2 * here[i &+ 1] + below[i &+ 1]
    return (left + 2 * middle + right) * 0.0625
}

/// Reconstructs a row of the pyramid in place: the half-length row `half`, enlarged to double, plus the differences
/// `details` times their factors `shares`, enlarged alike. Both half-length rows have one more value at each end.
package func reconstructPyramidRow(
    _ half: UnsafePointer<Float>, shares: UnsafePointer<Float>, count: Int, to details: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let (own, factor) = (half[i] * 0.75, shares[i] * 0.75)
        let (even, odd) = (details[2 &* i], details[2 &* i &+ 1])
        details[2 &* i] = own + half[i &- 1] * 0.25 + even * (factor + shares[i &- 1] * 0.25)
        details[2 &* i &+ 1] = own + half[i &+ 1] * 0.25 + odd * (factor + shares[i &+ 1] * 0.25)
    }
}

/// Smooths a row of the coarsest pyramid level over 5×5 values with weights that fall with their difference (a
/// bilateral filter); `scales` convert squared differences to units of noise. `shares` are the weights 0…1 of the
/// result against the input, for luma and for colour. Rows have two more values at each end. Works on whole vectors of
/// 8 values, into the rows' padding.
package func smoothCoarse(
    _ above2: UnsafePointer<Float>, _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>,
    _ below: UnsafePointer<Float>, _ below2: UnsafePointer<Float>, planeLength: Int, scales: SIMD3<Float>,
    shares: SIMD2<Float>, count: Int, row: UnsafeMutablePointer<Float>, rowPlaneLength: Int
) {
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    let (red, blue) = (planeLength, 2 &* planeLength)
    let (scale0, scale1) = (SIMD8<Float>(repeating: scales[0]), SIMD8<Float>(repeating: scales[1]))
    let scale2 = SIMD8<Float>(repeating: scales[2])
    let (lumaBlend, colorBlend) = (SIMD8<Float>(repeating: shares[0]), SIMD8<Float>(repeating: shares[1]))
    var i = 0
    while i < count {
        let (own0, own1, own2) = (load8(here + i), load8(here + red + i), load8(here + blue + i))
        var (total, sum0, sum1, sum2) = (zero, zero, zero, zero)
        var line = 0
        while line < 5 {
            let values = line < 2 ? (line == 0 ? above2 : above) : line == 2 ? here : line == 3 ? below : below2
            var column = i &- 2
            while column <= i &+ 2 {
                let step0 = load8(values + column) - own0
                let step1 = load8(values + red + column) - own1
                let step2 = load8(values + blue + column) - own2
                var distance: SIMD8<Float> = step0 * step0 * scale0
                distance += step1 * step1 * scale1
                distance += step2 * step2 * scale2
                let weight = one / (one + distance * distance)
                total += weight
                sum0 += weight * step0
                sum1 += weight * step1
                sum2 += weight * step2
                column = column &+ 1
            }
            line = line &+ 1
        }
        store8(own0 + sum0 / total * lumaBlend, row + i)
        store8(own1 + sum1 / total * colorBlend, row + rowPlaneLength + i)
        store8(own2 + sum2 / total * colorBlend, row + 2 &* rowPlaneLength + i)
        i = i &+ 8
    }
}
