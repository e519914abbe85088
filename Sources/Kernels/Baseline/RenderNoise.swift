// Kernels that take noise away: brightness and two differences of colour, each as what its own scale adds to the next
// coarser one, in which noise shrinks.

/// Turns light into roots of it, in which noise is alike in shadow and light: brightness, and what red and blue differ from
/// green. Works on whole vectors.
package func splitBrightness(
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

/// Turns brightness and differences of roots back into light. Works on whole vectors.
package func joinBrightness(
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

/// The means of squares of four values of two rows.
package func halveRows(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int, means: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        means[i] = (upper[2 &* i] + upper[2 &* i &+ 1] + lower[2 &* i] + lower[2 &* i &+ 1]) * 0.25
    }
}

/// A row a quarter of the way from one to another. Works on whole vectors.
package func rowBetween(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, count: Int, row: UnsafeMutablePointer<Float>
) {
    let (most, least) = (SIMD8<Float>(repeating: 0.75), SIMD8<Float>(repeating: 0.25))
    var i = 0
    while i < count {
        store8(load8(near + i) * most + load8(far + i) * least, row + i)
        i = i &+ 8
    }
}

/// Takes a row of half the length, drawn out, from another. It has a value more at each end.
package func subtractDoubled(
    _ half: UnsafePointer<Float>, count: Int, from row: UnsafePointer<Float>, into rest: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let own = half[i] * 0.75
        rest[2 &* i] = row[2 &* i] - (own + half[i &- 1] * 0.25)
        rest[2 &* i &+ 1] = row[2 &* i &+ 1] - (own + half[i &+ 1] * 0.25)
    }
}

/// How much stronger than noise the squares of two rows' details are, in each square of four: 1 for noise. `scales` make so of
/// the squares of brightness and of both colours.
package func detailStrengths(
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

@inline(__always)
private func squares(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> Float { a * a + b * b + c * c + d * d }

/// The shares of details that stay, by their strengths around: what is as strong as `brightnessLimit` or `colorLimit` or weaker
/// goes. Where brightness has detail, colour is believed to have some. Rows have a value more at each end. Works on whole
/// vectors.
package func detailShares(
    above: UnsafePointer<Float>, here: UnsafePointer<Float>, below: UnsafePointer<Float>, planeLength: Int,
    brightnessLimit: Float, colorLimit: Float, count: Int, shares: UnsafeMutablePointer<Float>
) {
    let (one, least, belief) = (
        SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: 1e-9), SIMD8<Float>(repeating: 0.1)
    )
    let (limits, colorLimits) = (SIMD8<Float>(repeating: brightnessLimit), SIMD8<Float>(repeating: colorLimit))
    var i = 0
    while i < count {
        let strength = larger(smoothed(above + i, here + i, below + i), least)
        store8(notNegative(strength - limits) / strength, shares + i)
        let place = i &+ planeLength
        let own = smoothed(above + place, here + place, below + place)
        let color = larger(own + notNegative(strength - one) * belief, least)
        store8(notNegative(color - colorLimits) / color, shares + place)
        i = i &+ 8
    }
}

/// The mean of nine values, the middle ones counting most.
@inline(__always)
private func smoothed(
    _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>, _ below: UnsafePointer<Float>
) -> SIMD8<Float> {
    let (two, part) = (SIMD8<Float>(repeating: 2), SIMD8<Float>(repeating: 0.0625))
    let left = load8(above - 1) + two * load8(here - 1) + load8(below - 1)
    let middle = load8(above) + two * load8(here) + load8(below)
    let right = load8(above + 1) + two * load8(here + 1) + load8(below + 1)
    return (left + two * middle + right) * part
}

/// Puts a row together again: one of half the length, drawn out, and the shares of details that stay, drawn out alike. Both
/// have a value more at each end.
package func addDetails(
    _ half: UnsafePointer<Float>, shares: UnsafePointer<Float>, count: Int, to details: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let (own, share) = (half[i] * 0.75, shares[i] * 0.75)
        let (even, odd) = (details[2 &* i], details[2 &* i &+ 1])
        details[2 &* i] = own + half[i &- 1] * 0.25 + even * (share + shares[i &- 1] * 0.25)
        details[2 &* i &+ 1] = own + half[i &+ 1] * 0.25 + odd * (share + shares[i &+ 1] * 0.25)
    }
}
