internal import KernelsBaseline
internal import KernelsV3

/// The square of the fine detail of a half line along its row and along its columns.
package func detail(
    _ line: UnsafePointer<Float>, beside: UnsafePointer<Float>, above1: UnsafePointer<Float>,
    above2: UnsafePointer<Float>, above3: UnsafePointer<Float>, below1: UnsafePointer<Float>,
    below2: UnsafePointer<Float>, below3: UnsafePointer<Float>, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.detail(
            line, beside: beside, above1: above1, above2: above2, above3: above3, below1: below1, below2: below2,
            below3: below3, across: across, down: down, count: count)
        : KernelsBaseline.detail(
            line, beside: beside, above1: above1, above2: above2, above3: above3, below1: below1, below2: below2,
            below3: below3, across: across, down: down, count: count)
}

/// The square of the fine detail of a row's own pixels along both diagonals, and their local mean of all colours.
///
/// `falling` goes down to the right, `rising` up to the right. Lines in odd distance are those of own pixels; `greens`
/// are beside the own pixels, and `greenAbove` and `greenBelow` over and under them.
package func diagonalDetail(
    _ line: UnsafePointer<Float>, above1: UnsafePointer<Float>, above2: UnsafePointer<Float>,
    above3: UnsafePointer<Float>, below1: UnsafePointer<Float>, below2: UnsafePointer<Float>,
    below3: UnsafePointer<Float>, greens: UnsafePointer<Float>, greenAbove: UnsafePointer<Float>,
    greenBelow: UnsafePointer<Float>, falling: UnsafeMutablePointer<Float>, rising: UnsafeMutablePointer<Float>,
    mean: UnsafeMutablePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.diagonalDetail(
            line, above1: above1, above2: above2, above3: above3, below1: below1, below2: below2, below3: below3,
            greens: greens, greenAbove: greenAbove, greenBelow: greenBelow, falling: falling, rising: rising,
            mean: mean, count: count)
        : KernelsBaseline.diagonalDetail(
            line, above1: above1, above2: above2, above3: above3, below1: below1, below2: below2, below3: below3,
            greens: greens, greenAbove: greenAbove, greenBelow: greenBelow, falling: falling, rising: rising,
            mean: mean, count: count)
}

/// How much each direction counts at a row's own pixels: `across` against down, `rising` against falling.
///
/// What was found in a pixel is added to what was found in the next on both sides along the same direction. Detail
/// below `noise` tells nothing: both directions count alike.
package func directions(
    detailAcross: UnsafePointer<Float>, detailBeside: UnsafePointer<Float>, detailDown: UnsafePointer<Float>,
    downAbove: UnsafePointer<Float>, downBelow: UnsafePointer<Float>, detailFalling: UnsafePointer<Float>,
    fallingAbove: UnsafePointer<Float>, fallingBelow: UnsafePointer<Float>, detailRising: UnsafePointer<Float>,
    risingAbove: UnsafePointer<Float>, risingBelow: UnsafePointer<Float>, noise: Float,
    across: UnsafeMutablePointer<Float>, rising: UnsafeMutablePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.directions(
            detailAcross: detailAcross, detailBeside: detailBeside, detailDown: detailDown, downAbove: downAbove,
            downBelow: downBelow, detailFalling: detailFalling, fallingAbove: fallingAbove, fallingBelow: fallingBelow,
            detailRising: detailRising, risingAbove: risingAbove, risingBelow: risingBelow, noise: noise,
            across: across, rising: rising, count: count)
        : KernelsBaseline.directions(
            detailAcross: detailAcross, detailBeside: detailBeside, detailDown: detailDown, downAbove: downAbove,
            downBelow: downBelow, detailFalling: detailFalling, fallingAbove: fallingAbove, fallingBelow: fallingBelow,
            detailRising: detailRising, risingAbove: risingAbove, risingBelow: risingBelow, noise: noise,
            across: across, rising: rising, count: count)
}
