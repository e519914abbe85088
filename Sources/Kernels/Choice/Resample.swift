internal import KernelsBaseline
internal import KernelsV3

/// Sums three rows of codes by weight, each code cut at its limit and shifted up first.
package func mixRows(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ third: UnsafePointer<UInt16>,
    firstWeight: UInt16, secondWeight: UInt16, thirdWeight: UInt16, limits: UnsafePointer<UInt16>, shift: UInt16,
    count: Int, into sums: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.mixRows(
            first, second, third, firstWeight: firstWeight, secondWeight: secondWeight, thirdWeight: thirdWeight,
            limits: limits, shift: shift, count: count, into: sums)
    } else {
        KernelsBaseline.mixRows(
            first, second, third, firstWeight: firstWeight, secondWeight: secondWeight, thirdWeight: thirdWeight,
            limits: limits, shift: shift, count: count, into: sums)
    }
}

/// Adds a row of codes by weight, each code cut at its limit and shifted up first.
package func addRow(
    _ codes: UnsafePointer<UInt16>, weight: UInt16, limits: UnsafePointer<UInt16>, shift: UInt16, count: Int,
    to sums: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.addRow(codes, weight: weight, limits: limits, shift: shift, count: count, to: sums)
    } else {
        KernelsBaseline.addRow(codes, weight: weight, limits: limits, shift: shift, count: count, to: sums)
    }
}

/// Joins the pairs of an upper and a lower row to cells of four values.
package func joinPairs(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, count: Int, into cells: UnsafeMutablePointer<UInt64>
) {
    if hasWideVectors {
        KernelsV3.joinPairs(upper, lower, count: count, into: cells)
    } else {
        KernelsBaseline.joinPairs(upper, lower, count: count, into: cells)
    }
}

/// Copies the cells at `starts`, so that they lie side by side.
package func gatherCells(
    _ cells: UnsafePointer<UInt64>, starts: UnsafePointer<Int32>, count: Int,
    into gathered: UnsafeMutablePointer<UInt64>
) {
    if hasWideVectors {
        KernelsV3.gatherCells(cells, starts: starts, count: count, into: gathered)
    } else {
        KernelsBaseline.gatherCells(cells, starts: starts, count: count, into: gathered)
    }
}

/// Adds values to sums, each by its own weight.
package func addShares(
    _ values: UnsafePointer<UInt16>, weights: UnsafePointer<UInt16>, count: Int, to sums: UnsafeMutablePointer<UInt16>
) {
    if hasWideVectors {
        KernelsV3.addShares(values, weights: weights, count: count, to: sums)
    } else {
        KernelsBaseline.addShares(values, weights: weights, count: count, to: sums)
    }
}
