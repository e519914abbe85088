// Kernels that make a picture smaller: first rows are summed by weight, then each output pixel sums its columns.

/// Adds a row of codes, each cut at its limit, `weight` times to `sums`.
package func addRow(
    _ codes: UnsafePointer<UInt16>, limits: UnsafePointer<UInt16>, weight: Int32, count: Int,
    to sums: UnsafeMutablePointer<Int32>
) {
    for i in 0..<count {
        sums[i] = sums[i] &+ Int32(min(codes[i], limits[i])) &* weight
    }
}

/// Turns the weighted sum of three rows of codes, each cut at its limit, into light, cut at 1; each value has an
/// offset and a scale of its own.
package func mixRows(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ third: UnsafePointer<UInt16>,
    firstWeight: Int32, secondWeight: Int32, thirdWeight: Int32, limits: UnsafePointer<UInt16>,
    offsets: UnsafePointer<Float>, scales: UnsafePointer<Float>, count: Int, into light: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let limit = limits[i]
        var sum = Int32(min(first[i], limit)) &* firstWeight
        sum = sum &+ Int32(min(second[i], limit)) &* secondWeight
        sum = sum &+ Int32(min(third[i], limit)) &* thirdWeight
        light[i] = min((Float(sum) - offsets[i]) * scales[i], 1)
    }
}

/// Turns sums of codes into light, cut at 1; each value has an offset and a scale of its own.
package func balanceSums(
    _ sums: UnsafePointer<Int32>, offsets: UnsafePointer<Float>, scales: UnsafePointer<Float>, count: Int,
    into light: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        light[i] = min((Float(sums[i]) - offsets[i]) * scales[i], 1)
    }
}

/// Sums columns of light by weight, four values a pixel.
///
/// A cell has four values, two at `low` and two at `high`, and the next cell's are `step` values on. Output pixel `x`
/// sums `taps` cells from cell `starts[x]` with its own weights, one for each value of a pair.
package func sumColumns(
    low: UnsafePointer<Float>, high: UnsafePointer<Float>, step: Int, starts: UnsafePointer<Int32>,
    weights: UnsafePointer<SIMD2<Float>>, taps: Int, count: Int, into sums: UnsafeMutablePointer<SIMD4<Float>>
) {
    // The usual numbers of taps stand here as constants, so that the inner loop unrolls without a branch.
    switch taps {
    case 1: sumCells(low, high, step, starts, weights, 1, count, sums)
    case 2: sumCells(low, high, step, starts, weights, 2, count, sums)
    case 3: sumCells(low, high, step, starts, weights, 3, count, sums)
    default: sumCells(low, high, step, starts, weights, taps, count, sums)
    }
}

@inline(__always)
private func sumCells(
    _ low: UnsafePointer<Float>, _ high: UnsafePointer<Float>, _ step: Int, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<SIMD2<Float>>, _ taps: Int, _ count: Int, _ sums: UnsafeMutablePointer<SIMD4<Float>>
) {
    var weight = weights
    for x in 0..<count {
        var at = Int(starts[x]) &* step
        var sum = SIMD4<Float>()
        for _ in 0..<taps {
            let cell = SIMD4(lowHalf: load2(low + at), highHalf: load2(high + at))
            let share = weight.pointee
            sum += cell * SIMD4(lowHalf: share, highHalf: share)
            weight += 1
            at &+= step
        }
        sums[x] = sum
    }
}

@inline(__always)
private func load2(_ values: UnsafePointer<Float>) -> SIMD2<Float> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD2<Float>.self)
}
