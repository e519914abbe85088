internal import KernelsBaseline
internal import KernelsV3

/// Turns light into roots of it, in which noise is alike in shadow and light: brightness, and what red and blue differ from
/// green. Works on whole vectors.
package func splitBrightness(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    offset: Float, count: Int
) {
    if hasWideVectors {
        KernelsV3.splitBrightness(red, green, blue, offset: offset, count: count)
    } else {
        KernelsBaseline.splitBrightness(red, green, blue, offset: offset, count: count)
    }
}

/// Turns brightness and differences of roots back into light. Works on whole vectors.
package func joinBrightness(
    _ brightness: UnsafePointer<Float>, _ redExcess: UnsafePointer<Float>, _ blueExcess: UnsafePointer<Float>,
    offset: Float, count: Int, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.joinBrightness(
            brightness, redExcess, blueExcess, offset: offset, count: count, red: red, green: green, blue: blue)
    } else {
        KernelsBaseline.joinBrightness(
            brightness, redExcess, blueExcess, offset: offset, count: count, red: red, green: green, blue: blue)
    }
}

/// The means of squares of four values of two rows.
package func halveRows(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int, means: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.halveRows(upper, lower, count: count, means: means)
    } else {
        KernelsBaseline.halveRows(upper, lower, count: count, means: means)
    }
}

/// A row a quarter of the way from one to another. Works on whole vectors.
package func rowBetween(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, count: Int, row: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.rowBetween(near, far, count: count, row: row)
    } else {
        KernelsBaseline.rowBetween(near, far, count: count, row: row)
    }
}

/// Takes a row of half the length, drawn out, from another; `rest` may be that row itself. The half has a value more at each
/// end.
package func subtractDoubled(
    _ half: UnsafePointer<Float>, count: Int, from row: UnsafePointer<Float>, into rest: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.subtractDoubled(half, count: count, from: row, into: rest)
    } else {
        KernelsBaseline.subtractDoubled(half, count: count, from: row, into: rest)
    }
}

/// How much stronger than noise the squares of two rows' details are, in each square of four: 1 for noise. `scales` make so of
/// the squares of brightness and of both colours.
package func detailStrengths(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, planeLength: Int, scales: SIMD3<Float>, count: Int,
    brightness: UnsafeMutablePointer<Float>, color: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.detailStrengths(
            upper, lower, planeLength: planeLength, scales: scales, count: count, brightness: brightness, color: color)
    } else {
        KernelsBaseline.detailStrengths(
            upper, lower, planeLength: planeLength, scales: scales, count: count, brightness: brightness, color: color)
    }
}

/// The shares of details that stay, by their strengths around: what is as strong as `brightnessLimit` or `colorLimit` or weaker
/// goes. Where brightness has detail, colour is believed to have some. Rows have a value more at each end.
package func detailShares(
    above: UnsafePointer<Float>, here: UnsafePointer<Float>, below: UnsafePointer<Float>, planeLength: Int,
    brightnessLimit: Float, colorLimit: Float, count: Int, shares: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.detailShares(
            above: above, here: here, below: below, planeLength: planeLength, brightnessLimit: brightnessLimit,
            colorLimit: colorLimit, count: count, shares: shares)
    } else {
        KernelsBaseline.detailShares(
            above: above, here: here, below: below, planeLength: planeLength, brightnessLimit: brightnessLimit,
            colorLimit: colorLimit, count: count, shares: shares)
    }
}

/// Puts a row together again: one of half the length, drawn out, and the shares of details that stay, drawn out alike. Both
/// have a value more at each end.
package func addDetails(
    _ half: UnsafePointer<Float>, shares: UnsafePointer<Float>, count: Int, to details: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.addDetails(half, shares: shares, count: count, to: details)
    } else {
        KernelsBaseline.addDetails(half, shares: shares, count: count, to: details)
    }
}

/// Makes the coarsest picture's row the mean of five by five values around each, the less alike the less they count: by
/// `scales` times the squares of how far they lie apart. `shares` says how much of brightness and of colours becomes so. Rows
/// have two values more at each end. Works on whole vectors.
package func smoothCoarse(
    _ above2: UnsafePointer<Float>, _ above: UnsafePointer<Float>, _ here: UnsafePointer<Float>,
    _ below: UnsafePointer<Float>, _ below2: UnsafePointer<Float>, planeLength: Int, scales: SIMD3<Float>,
    shares: SIMD2<Float>, count: Int, row: UnsafeMutablePointer<Float>, rowPlaneLength: Int
) {
    if hasWideVectors {
        KernelsV3.smoothCoarse(
            above2, above, here, below, below2, planeLength: planeLength, scales: scales, shares: shares, count: count,
            row: row, rowPlaneLength: rowPlaneLength)
    } else {
        KernelsBaseline.smoothCoarse(
            above2, above, here, below, below2, planeLength: planeLength, scales: scales, shares: shares, count: count,
            row: row, rowPlaneLength: rowPlaneLength)
    }
}
