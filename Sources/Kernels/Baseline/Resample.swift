// Kernels that make a picture smaller: first rows are summed by weight, then each output pixel sums its columns.
//
// All is in whole numbers of 16 bits, and a weight of one is 65,536: the sum of weights, so no sum overflows.

/// Sums three rows of codes by weight, each code cut at its limit and shifted up first.
package func mixRows(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ third: UnsafePointer<UInt16>,
    firstWeight: UInt16, secondWeight: UInt16, thirdWeight: UInt16, limits: UnsafePointer<UInt16>, shift: UInt16,
    count: Int, into sums: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let limit = limits[i]
        let upper = share(min(first[i], limit) &<< shift, firstWeight)
        let middle = share(min(second[i], limit) &<< shift, secondWeight)
        sums[i] = upper &+ middle &+ share(min(third[i], limit) &<< shift, thirdWeight)
    }
}

/// Adds a row of codes by weight, each code cut at its limit and shifted up first.
package func addRow(
    _ codes: UnsafePointer<UInt16>, weight: UInt16, limits: UnsafePointer<UInt16>, shift: UInt16, count: Int,
    to sums: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        sums[i] = sums[i] &+ share(min(codes[i], limits[i]) &<< shift, weight)
    }
}

/// Joins the pairs of an upper and a lower row to cells of four values.
package func joinPairs(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, count: Int, into cells: UnsafeMutablePointer<UInt64>
) {
    for i in 0..<count {
        cells[i] = UInt64(upper[i]) | UInt64(lower[i]) &<< 32
    }
}

/// Copies the cells at `starts`, so that they lie side by side.
package func gatherCells(
    _ cells: UnsafePointer<UInt64>, starts: UnsafePointer<Int32>, count: Int,
    into gathered: UnsafeMutablePointer<UInt64>
) {
    for i in 0..<count {
        gathered[i] = cells[Int(starts[i])]
    }
}

/// Adds values to sums, each by its own weight.
package func addShares(
    _ values: UnsafePointer<UInt16>, weights: UnsafePointer<UInt16>, count: Int, to sums: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        sums[i] = sums[i] &+ share(values[i], weights[i])
    }
}

/// A share of a value, without its fraction.
@inline(__always)
private func share(_ value: UInt16, _ weight: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(value) &* UInt32(weight)) &>> 16)
}
