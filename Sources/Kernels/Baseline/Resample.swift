// Kernels that reduce the size of a mosaic: rows are summed by weight, then each output pixel sums its columns.
//
// All values are 16-bit integers, and weights are in units of 1/65,536. Weights add up to 65,536, so no sum overflows.

/// Computes the weighted sum of three rows of codes, after limiting each code to its column's limit and shifting it
/// left by `shift` bits.
package func mixRows(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ third: UnsafePointer<UInt16>,
    firstWeight: UInt16, secondWeight: UInt16, thirdWeight: UInt16, limits: UnsafePointer<UInt16>, shift: UInt16,
    count: Int, into sums: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let limit = limits[i]
        let upper = weighted(min(first[i], limit) &<< shift, firstWeight)
        let middle = weighted(min(second[i], limit) &<< shift, secondWeight)
        sums[i] = upper &+ middle &+ weighted(min(third[i], limit) &<< shift, thirdWeight)
    }
}

/// Adds a row of codes times `weight` to sums, after limiting each code to its column's limit and shifting it left by
/// `shift` bits.
package func addRow(
    _ codes: UnsafePointer<UInt16>, weight: UInt16, limits: UnsafePointer<UInt16>, shift: UInt16, count: Int,
    to sums: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        sums[i] = sums[i] &+ weighted(min(codes[i], limits[i]) &<< shift, weight)
    }
}

/// Joins the pairs of codes of an upper and a lower mosaic row to Bayer cells of four codes.
package func joinPairs(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, count: Int, into cells: UnsafeMutablePointer<UInt64>
) {
    for i in 0..<count {
        cells[i] = UInt64(upper[i]) | UInt64(lower[i]) &<< 32
    }
}

/// Copies the Bayer cells at the indices `starts` to contiguous memory.
package func gatherCells(
    _ cells: UnsafePointer<UInt64>, starts: UnsafePointer<Int32>, count: Int,
    into gathered: UnsafeMutablePointer<UInt64>
) {
    for i in 0..<count {
        gathered[i] = cells[Int(starts[i])]
    }
}

/// Adds values to sums, each times its own weight.
package func addWeighted(
    _ values: UnsafePointer<UInt16>, weights: UnsafePointer<UInt16>, count: Int, to sums: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        sums[i] = sums[i] &+ weighted(values[i], weights[i])
    }
}

/// Returns a value times a weight in units of 1/65,536, rounded down.
@inline(__always)
private func weighted(_ value: UInt16, _ weight: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(value) &* UInt32(weight)) &>> 16)
}
