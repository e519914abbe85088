// The missing colours of a row's own pixels, from roots of light. Lines are laid out as for the directions.

/// Estimates green at a row's own pixels, and the own colour's difference from it.
///
/// A neighbour's green is carried over by the ratio of the local means here and beyond that neighbour. Both neighbours
/// of a direction count the more, the less the picture changes towards them, and both directions by `across`.
package func interpolateGreen(
    _ line: UnsafePointer<Float>, beside: UnsafePointer<Float>, above1: UnsafePointer<Float>,
    above2: UnsafePointer<Float>, above3: UnsafePointer<Float>, above4: UnsafePointer<Float>,
    below1: UnsafePointer<Float>, below2: UnsafePointer<Float>, below3: UnsafePointer<Float>,
    below4: UnsafePointer<Float>, mean: UnsafePointer<Float>, meanAbove: UnsafePointer<Float>,
    meanBelow: UnsafePointer<Float>, across: UnsafePointer<Float>, acrossAbove: UnsafePointer<Float>,
    acrossBelow: UnsafePointer<Float>, green: UnsafeMutablePointer<Float>, difference: UnsafeMutablePointer<Float>,
    count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let own = load8(line + i)
        let local = load8(mean + i) + least
        let row = carry(
            own, before: load8(beside + i), after: load8(beside + i + 1), ownBefore: load8(line + i - 1),
            ownAfter: load8(line + i + 1), farBefore: load8(beside + i - 1), farAfter: load8(beside + i + 2),
            lastBefore: load8(line + i - 2), lastAfter: load8(line + i + 2), mean: local,
            meanBefore: load8(mean + i - 1) + least, meanAfter: load8(mean + i + 1) + least)
        let column = carry(
            own, before: load8(above1 + i), after: load8(below1 + i), ownBefore: load8(above2 + i),
            ownAfter: load8(below2 + i), farBefore: load8(above3 + i), farAfter: load8(below3 + i),
            lastBefore: load8(above4 + i), lastAfter: load8(below4 + i), mean: local,
            meanBefore: load8(meanAbove + i) + least, meanAfter: load8(meanBelow + i) + least)
        let estimate = column + (row - column) * clearer(across + i, acrossAbove + i, acrossBelow + i)
        store8(estimate, green + i)
        store8(own - estimate, difference + i)
    }
}

/// Estimates the opposite colour at a row's own pixels, as its difference from green, from the differences at the four
/// diagonal neighbours.
package func interpolateOpposite(
    green: UnsafePointer<Float>, above1: UnsafePointer<Float>, above3: UnsafePointer<Float>,
    below1: UnsafePointer<Float>, below3: UnsafePointer<Float>, differenceAbove: UnsafePointer<Float>,
    differenceBelow: UnsafePointer<Float>, greenAbove2: UnsafePointer<Float>, greenBelow2: UnsafePointer<Float>,
    rising: UnsafePointer<Float>, risingAbove: UnsafePointer<Float>, risingBelow: UnsafePointer<Float>,
    opposite: UnsafeMutablePointer<Float>, count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(green + i)
        let (northWest, northEast) = (load8(above1 + i), load8(above1 + i + 1))
        let (southWest, southEast) = (load8(below1 + i), load8(below1 + i + 1))
        let fall = magnitude(northWest - southEast) + least
        let rise = magnitude(northEast - southWest) + least
        let toNorthWest =
            fall + magnitude(northWest - load8(above3 + i - 1)) + magnitude(centre - load8(greenAbove2 + i - 1))
        let toSouthEast =
            fall + magnitude(southEast - load8(below3 + i + 2)) + magnitude(centre - load8(greenBelow2 + i + 1))
        let toNorthEast =
            rise + magnitude(northEast - load8(above3 + i + 2)) + magnitude(centre - load8(greenAbove2 + i + 1))
        let toSouthWest =
            rise + magnitude(southWest - load8(below3 + i - 1)) + magnitude(centre - load8(greenBelow2 + i - 1))
        let falling =
            (toSouthEast * load8(differenceAbove + i) + toNorthWest * load8(differenceBelow + i + 1))
            / (toNorthWest + toSouthEast)
        let climbing =
            (toSouthWest * load8(differenceAbove + i + 1) + toNorthEast * load8(differenceBelow + i))
            / (toNorthEast + toSouthWest)
        let share = clearer(rising + i, risingAbove + i, risingBelow + i)
        store8(falling + (climbing - falling) * share, opposite + i)
    }
}

/// Far below what can be seen, and more than nothing to divide by.
private let least: Float = 1e-5

/// Green at a pixel from its neighbours before and after it in one direction.
@inline(__always)
private func carry(
    _ own: SIMD8<Float>, before: SIMD8<Float>, after: SIMD8<Float>, ownBefore: SIMD8<Float>, ownAfter: SIMD8<Float>,
    farBefore: SIMD8<Float>, farAfter: SIMD8<Float>, lastBefore: SIMD8<Float>, lastAfter: SIMD8<Float>,
    mean: SIMD8<Float>, meanBefore: SIMD8<Float>, meanAfter: SIMD8<Float>
) -> SIMD8<Float> {
    let step = magnitude(before - after) + least
    let changeBefore =
        step + magnitude(own - ownBefore) + magnitude(before - farBefore) + magnitude(ownBefore - lastBefore)
    let changeAfter = step + magnitude(own - ownAfter) + magnitude(after - farAfter) + magnitude(ownAfter - lastAfter)
    // The ratios are 2 · mean / (mean + meanBefore) and the same after; here over one denominator.
    let (sumBefore, sumAfter) = (mean + meanBefore, mean + meanAfter)
    let weighted = changeAfter * before * sumAfter + changeBefore * after * sumBefore
    return (mean + mean) * weighted / ((changeBefore + changeAfter) * sumBefore * sumAfter)
}

/// The share of a pixel or the mean of its diagonal neighbours', whichever says more clearly what to do.
@inline(__always)
private func clearer(
    _ share: UnsafePointer<Float>, _ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>
) -> SIMD8<Float> {
    let own = load8(share)
    let corners = (load8(above) + load8(above + 1) + (load8(below) + load8(below + 1))) * 0.25
    return own.replacing(with: corners, where: magnitude(own - 0.5) .< magnitude(corners - 0.5))
}
