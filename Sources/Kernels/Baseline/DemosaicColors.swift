internal import CProcessor
package import KernelTypes

// Kernels that interpolate the missing colours of a row's own pixels (those with a red or a blue sample) by
// ratio-corrected demosaicing, on square roots of linear values. Half rows are laid out as in DemosaicDirections.swift.

/// Interpolates green at a row's own pixels (those with a red or a blue sample), and computes the sample's difference
/// from green.
///
/// `column` has the half row and the pixels up to three rows above and below its own, `farthest` those four rows away,
/// `beside` the green pixels of the row. `mean` are the local means here and two rows away. A neighbour's green is
/// corrected by the ratio of the local means here and beyond that neighbour. The two neighbours of a direction are
/// weighted inversely to the gradient towards them, rows against columns by `across`.
package func interpolateGreen(
    column: LineNeighbours, farthest: RowPair, beside: UnsafePointer<Float>, mean: RowTriple,
    across: RowTriple, green: UnsafeMutablePointer<Float>, difference: UnsafeMutablePointer<Float>, count: Int
) {
    let (line, above1, above2, above3) = (column.centre, column.before1, column.before2, column.before3)
    let (below1, below2, below3) = (column.after1, column.after2, column.after3)
    let (above4, below4) = (farthest.above, farthest.below)
    let (meanHere, meanAbove, meanBelow) = (mean.row, mean.above, mean.below)
    for i in stride(from: 0, to: count, by: 8) {
        let own = load8(line + i)
        let local = load8(meanHere + i) + least
        let row = estimateAlong(
            own, before: load8(beside + i), after: load8(beside + i + 1), ownBefore: load8(line + i - 1),
            ownAfter: load8(line + i + 1), farBefore: load8(beside + i - 1), farAfter: load8(beside + i + 2),
            lastBefore: load8(line + i - 2), lastAfter: load8(line + i + 2), mean: local,
            meanBefore: load8(meanHere + i - 1) + least, meanAfter: load8(meanHere + i + 1) + least)
        let column = estimateAlong(
            own, before: load8(above1 + i), after: load8(below1 + i), ownBefore: load8(above2 + i),
            ownAfter: load8(below2 + i), farBefore: load8(above3 + i), farAfter: load8(below3 + i),
            lastBefore: load8(above4 + i), lastAfter: load8(below4 + i), mean: local,
            meanBefore: load8(meanAbove + i) + least, meanAfter: load8(meanBelow + i) + least)
        let estimate = column + (row - column) * decided(across, i)
        store8(estimate, green + i)
        store8(own - estimate, difference + i)
    }
}

/// Interpolates the opposite colour (blue at red samples, red at blue ones) at a row's own pixels, as its difference
/// from green, from the differences at the four diagonal neighbours. These are weighted inversely to the gradients
/// towards them, and the two diagonals by `rising`.
///
/// `near` and `far` are the opposite colour's half rows one and three rows away, `difference` the differences one row
/// away; `green` has the row and those two rows away.
package func interpolateOpposite(
    green: RowTriple, near: RowPair, far: RowPair, difference: RowPair, rising: RowTriple,
    opposite: UnsafeMutablePointer<Float>, count: Int
) {
    let (greenHere, greenAbove2, greenBelow2) = (green.row, green.above, green.below)
    let (above1, below1, above3, below3) = (near.above, near.below, far.above, far.below)
    let (differenceAbove, differenceBelow) = (difference.above, difference.below)
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(greenHere + i)
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
        let weight = decided(rising, i)
        store8(falling + (climbing - falling) * weight, opposite + i)
    }
}

/// Added to local means and gradients that are divided by, so that no divisor is 0; far below a visible difference.
private let least: Float = 1e-5

/// Estimates green at a pixel from its neighbours before and after it in one direction, each corrected by the ratio of
/// local means and weighted inversely to its gradient.
@inline(__always)
private func estimateAlong(
    _ own: SIMD8<Float>, before: SIMD8<Float>, after: SIMD8<Float>, ownBefore: SIMD8<Float>, ownAfter: SIMD8<Float>,
    farBefore: SIMD8<Float>, farAfter: SIMD8<Float>, lastBefore: SIMD8<Float>, lastAfter: SIMD8<Float>,
    mean: SIMD8<Float>, meanBefore: SIMD8<Float>, meanAfter: SIMD8<Float>
) -> SIMD8<Float> {
    let step = magnitude(before - after) + least
    let changeBefore =
        step + magnitude(own - ownBefore) + magnitude(before - farBefore) + magnitude(ownBefore - lastBefore)
    let changeAfter = step + magnitude(own - ownAfter) + magnitude(after - farAfter) + magnitude(ownAfter - lastAfter)
    // The ratios are 2 · mean / (mean + meanBefore) and 2 · mean / (mean + meanAfter), here over a common denominator.
    let (sumBefore, sumAfter) = (mean + meanBefore, mean + meanAfter)
    let weighted = changeAfter * before * sumAfter + changeBefore * after * sumBefore
    return (mean + mean) * weighted / ((changeBefore + changeAfter) * sumBefore * sumAfter)
}

/// Returns the direction weights (0…1, 0.5 is undecided) of eight pixels from index `i` on or, for each of them, the
/// mean of its four diagonal neighbours' weights where that is farther from 0.5.
@inline(__always)
private func decided(_ weight: RowTriple, _ i: Int) -> SIMD8<Float> {
    let own = load8(weight.row + i)
    let (above, below) = (weight.above + i, weight.below + i)
    let corners = (load8(above) + load8(above + 1) + (load8(below) + load8(below + 1))) * 0.25
    return gscap_where_smaller(magnitude(own - 0.5), magnitude(corners - 0.5), corners, own)
}
