// Kernels that cut off noise below black without raising the mean. Values below 0 become 0, and the other values of the
// same block of 16 pixels of a row lose as much in total, each the same amount: of all blocks of this mean without
// negative values, the result is the nearest one. A block whose mean is below 0 becomes 0.

/// Keeps the means of the blocks of one colour of a row of `width` pixels, whose even columns are in `even` and whose
/// odd ones are in `odd`. Reads and writes whole vectors of 8 values, into the rows' padding.
package func keepBlackMeans(
    even: UnsafeMutablePointer<Float>, odd: UnsafeMutablePointer<Float>, width: Int
) {
    for block in 0..<(width &+ 15) / 16 {
        let (first, second) = (even + 8 &* block, odd + 8 &* block)
        let columns = width &- 16 &* block
        keepMean(first, second, columns < 16 ? (columns &+ 1) / 2 : 8, columns < 16 ? columns / 2 : 8)
    }
}

/// Keeps the means of the blocks of a row of `width` values, which has padding for whole blocks.
package func keepBlackMeans(_ row: UnsafeMutablePointer<Float>, width: Int) {
    for block in 0..<(width &+ 15) / 16 {
        let columns = width &- 16 &* block
        let first = row + 16 &* block
        keepMean(first, first + 8, min(columns, 8), min(max(columns &- 8, 0), 8))
    }
}

/// Keeps the mean of a block, of which the first half has `count` values and the second `secondCount`.
@inline(__always)
private func keepMean(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, _ count: Int, _ secondCount: Int
) {
    var (a, b) = (load8(first), load8(second))
    // Values behind the row count as 0, which changes no sum.
    if count < 8 { a = a.replacing(with: 0, where: lanes .>= SIMD8(repeating: Int32(count))) }
    if secondCount < 8 { b = b.replacing(with: 0, where: lanes .>= SIMD8(repeating: Int32(secondCount))) }
    guard notNegative(-smaller(a, b)).sum() > 0 else { return }
    let sum = a.sum() + b.sum()
    var loss: Float = 0
    if sum <= 0 { (a, b) = (SIMD8(repeating: 0), SIMD8(repeating: 0)) }
    // Newton's method on a convex, piecewise linear function: it nears the loss from below, in a few steps.
    var steps = sum <= 0 ? 0 : mostSteps
    while steps > 0 {
        let (left, right) = (notNegative(a - loss), notNegative(b - loss))
        let excess = left.sum() + right.sum() - sum
        let positive = ones(left) + ones(right)
        guard excess > sum * tolerance else { break }
        loss += excess / max(positive, 1)
        steps &-= 1
    }
    store8(notNegative(a - loss), first)
    store8(notNegative(b - loss), second)
}

private let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
private let mostSteps = 8
/// The error of a block's mean, as a fraction, at which the search ends.
private let tolerance: Float = 1e-3

/// Returns the number of values above 0.
@inline(__always)
private func ones(_ values: SIMD8<Float>) -> Float {
    SIMD8<Float>(repeating: 0).replacing(with: 1, where: values .> 0).sum()
}
