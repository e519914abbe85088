internal import KernelsBaseline
internal import KernelsV3

/// Splits pixels of four values into rows of light: what is above black, scaled.
package func splitPixels(
    _ pixels: UnsafePointer<UInt16>, count: Int, black: SIMD3<Float>, gain: SIMD3<Float>,
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.splitPixels(pixels, count: count, black: black, gain: gain, red: red, green: green, blue: blue)
    } else {
        KernelsBaseline.splitPixels(pixels, count: count, black: black, gain: gain, red: red, green: green, blue: blue)
    }
}

/// Joins even and odd columns to a row.
package func joinHalves(
    _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, count: Int, row: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.joinHalves(even, odd, count: count, row: row)
    } else {
        KernelsBaseline.joinHalves(even, odd, count: count, row: row)
    }
}

/// Multiplies rows by gains of their own.
package func multiplyRow(_ row: UnsafeMutablePointer<Float>, _ gains: UnsafePointer<Float>, count: Int) {
    if hasWideVectors {
        KernelsV3.multiplyRow(row, gains, count: count)
    } else {
        KernelsBaseline.multiplyRow(row, gains, count: count)
    }
}

/// Adds a row times a weight to another.
package func addWeightedRow(
    _ row: UnsafePointer<Float>, weight: Float, count: Int, to sum: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.addWeightedRow(row, weight: weight, count: count, to: sum)
    } else {
        KernelsBaseline.addWeightedRow(row, weight: weight, count: count, to: sum)
    }
}

/// Where colours reach what the sensor can take, guesses by those that do not what they would have been, so that bright
/// lights stay neutral. `limits` is the light at which each is full. Works on whole vectors.
package func rebuildHighlights(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    limits: SIMD3<Float>, count: Int
) {
    if hasWideVectors {
        KernelsV3.rebuildHighlights(red, green, blue, limits: limits, count: count)
    } else {
        KernelsBaseline.rebuildHighlights(red, green, blue, limits: limits, count: count)
    }
}

/// Mixes three colours, each `most` at most, into three others in place, which are `least` at least. Works on whole vectors.
package func mixProfileRows(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    redShares: SIMD3<Float>, greenShares: SIMD3<Float>, blueShares: SIMD3<Float>, most: Float, least: Float, count: Int
) {
    if hasWideVectors {
        KernelsV3.mixProfileRows(
            red, green, blue, redShares: redShares, greenShares: greenShares, blueShares: blueShares, most: most,
            least: least, count: count)
    } else {
        KernelsBaseline.mixProfileRows(
            red, green, blue, redShares: redShares, greenShares: greenShares, blueShares: blueShares, most: most,
            least: least, count: count)
    }
}

/// Takes the black off: light below `black - radius` is 0, and from there bends into the straight line that keeps 1.
/// Works on whole vectors.
package func takeBlack(_ row: UnsafeMutablePointer<Float>, black: Float, slope: Float, radius: Float, count: Int) {
    if hasWideVectors {
        KernelsV3.takeBlack(row, black: black, slope: slope, radius: radius, count: count)
    } else {
        KernelsBaseline.takeBlack(row, black: black, slope: slope, radius: radius, count: count)
    }
}

/// Puts light through a table of steps: values and differences in turn. `indices` is room for as many as there are.
/// Works on whole vectors.
package func lookUp(
    _ row: UnsafeMutablePointer<Float>, steps: UnsafePointer<Float>, top: Float, count: Int,
    indices: UnsafeMutablePointer<UInt32>
) {
    if hasWideVectors {
        KernelsV3.lookUp(row, steps: steps, top: top, count: count, indices: indices)
    } else {
        KernelsBaseline.lookUp(row, steps: steps, top: top, count: count, indices: indices)
    }
}

/// Puts the largest and the smallest colour of each pixel through a table of steps; the middle one keeps its place between
/// them, and so the hue. Works on whole vectors. `room` is for four rows.
package func toneRows(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    steps: UnsafePointer<Float>, top: Float, count: Int, high: UnsafeMutablePointer<Float>,
    low: UnsafeMutablePointer<Float>, highIndices: UnsafeMutablePointer<UInt32>,
    lowIndices: UnsafeMutablePointer<UInt32>
) {
    if hasWideVectors {
        KernelsV3.toneRows(
            red, green, blue, steps: steps, top: top, count: count, high: high, low: low, highIndices: highIndices,
            lowIndices: lowIndices)
    } else {
        KernelsBaseline.toneRows(
            red, green, blue, steps: steps, top: top, count: count, high: high, low: low, highIndices: highIndices,
            lowIndices: lowIndices)
    }
}

/// Takes colours that reach below 0 or above `top` half of the way toward their own grey at which they do not, a fourteenth
/// at most, and cuts the rest: all of it would take the glow from lights and petals, and converters that only cut are to show
/// the same picture. Works on whole vectors.
package func mapGamut(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    weights: SIMD3<Float>, top: Float, count: Int
) {
    if hasWideVectors {
        KernelsV3.mapGamut(red, green, blue, weights: weights, top: top, count: count)
    } else {
        KernelsBaseline.mapGamut(red, green, blue, weights: weights, top: top, count: count)
    }
}
