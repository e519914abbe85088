internal import KernelsBaseline
internal import KernelsV3

/// Adds a row of codes, each cut at its limit, `weight` times to `sums`.
package func addRow(
    _ codes: UnsafePointer<UInt16>, limits: UnsafePointer<UInt16>, weight: Int32, count: Int,
    to sums: UnsafeMutablePointer<Int32>
) {
    if hasWideVectors {
        KernelsV3.addRow(codes, limits: limits, weight: weight, count: count, to: sums)
    } else {
        KernelsBaseline.addRow(codes, limits: limits, weight: weight, count: count, to: sums)
    }
}

/// Turns the weighted sum of three rows of codes, each cut at its limit, into light, cut at 1; each value has an
/// offset and a scale of its own.
package func mixRows(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, _ third: UnsafePointer<UInt16>,
    firstWeight: Int32, secondWeight: Int32, thirdWeight: Int32, limits: UnsafePointer<UInt16>,
    offsets: UnsafePointer<Float>, scales: UnsafePointer<Float>, count: Int, into light: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.mixRows(
            first, second, third, firstWeight: firstWeight, secondWeight: secondWeight, thirdWeight: thirdWeight,
            limits: limits, offsets: offsets, scales: scales, count: count, into: light)
    } else {
        KernelsBaseline.mixRows(
            first, second, third, firstWeight: firstWeight, secondWeight: secondWeight, thirdWeight: thirdWeight,
            limits: limits, offsets: offsets, scales: scales, count: count, into: light)
    }
}

/// Turns sums of codes into light, cut at 1; each value has an offset and a scale of its own.
package func balanceSums(
    _ sums: UnsafePointer<Int32>, offsets: UnsafePointer<Float>, scales: UnsafePointer<Float>, count: Int,
    into light: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.balanceSums(sums, offsets: offsets, scales: scales, count: count, into: light)
    } else {
        KernelsBaseline.balanceSums(sums, offsets: offsets, scales: scales, count: count, into: light)
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
    if hasWideVectors {
        KernelsV3.sumColumns(
            low: low, high: high, step: step, starts: starts, weights: weights, taps: taps, count: count, into: sums)
    } else {
        KernelsBaseline.sumColumns(
            low: low, high: high, step: step, starts: starts, weights: weights, taps: taps, count: count, into: sums)
    }
}
