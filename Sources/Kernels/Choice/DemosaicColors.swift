internal import KernelsBaseline
internal import KernelsV3

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
    hasWideVectors
        ? KernelsV3.interpolateGreen(
            line, beside: beside, above1: above1, above2: above2, above3: above3, above4: above4, below1: below1,
            below2: below2, below3: below3, below4: below4, mean: mean, meanAbove: meanAbove, meanBelow: meanBelow,
            across: across, acrossAbove: acrossAbove, acrossBelow: acrossBelow, green: green, difference: difference,
            count: count)
        : KernelsBaseline.interpolateGreen(
            line, beside: beside, above1: above1, above2: above2, above3: above3, above4: above4, below1: below1,
            below2: below2, below3: below3, below4: below4, mean: mean, meanAbove: meanAbove, meanBelow: meanBelow,
            across: across, acrossAbove: acrossAbove, acrossBelow: acrossBelow, green: green, difference: difference,
            count: count)
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
    hasWideVectors
        ? KernelsV3.interpolateOpposite(
            green: green, above1: above1, above3: above3, below1: below1, below3: below3,
            differenceAbove: differenceAbove, differenceBelow: differenceBelow, greenAbove2: greenAbove2,
            greenBelow2: greenBelow2, rising: rising, risingAbove: risingAbove, risingBelow: risingBelow,
            opposite: opposite, count: count)
        : KernelsBaseline.interpolateOpposite(
            green: green, above1: above1, above3: above3, below1: below1, below3: below3,
            differenceAbove: differenceAbove, differenceBelow: differenceBelow, greenAbove2: greenAbove2,
            greenBelow2: greenBelow2, rising: rising, risingAbove: risingAbove, risingBelow: risingBelow,
            opposite: opposite, count: count)
}
