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

/// Sets `sums` to two rows of codes, each cut at its limit, times their weights.
package func mixRows(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, limits: UnsafePointer<UInt16>,
    firstWeight: Int32, secondWeight: Int32, count: Int, into sums: UnsafeMutablePointer<Int32>
) {
    for i in 0..<count {
        let limit = limits[i]
        sums[i] =
            Int32(min(first[i], limit)) &* firstWeight &+ Int32(min(second[i], limit)) &* secondWeight
    }
}

/// Turns sums of codes into light, each value with an offset and a scale of its own.
package func balanceSums(
    _ sums: UnsafePointer<Int32>, offsets: UnsafePointer<Float>, scales: UnsafePointer<Float>, count: Int,
    into light: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        light[i] = (Float(sums[i]) - offsets[i]) * scales[i]
    }
}

/// Sums columns of light by weight and turns each sum into the display's colour, four values a pixel.
///
/// A cell has four values, two at `low` and two at `high`, and the next cell's are `step` values on. Output pixel `x`
/// sums `taps` cells from cell `starts[x]` with its own weights, one for each value of a pair; the four sums are cut
/// at 1 and weighted by the four columns of a colour matrix.
package func sumColumns(
    low: UnsafePointer<Float>, high: UnsafePointer<Float>, step: Int, starts: UnsafePointer<Int32>,
    weights: UnsafePointer<SIMD2<Float>>, taps: Int, count: Int, column0: SIMD4<Float>, column1: SIMD4<Float>,
    column2: SIMD4<Float>, column3: SIMD4<Float>, into colors: UnsafeMutablePointer<SIMD4<Float>>
) {
    var weight = weights
    for x in 0..<count {
        var at = Int(starts[x]) &* step
        var light = SIMD4<Float>()
        for _ in 0..<taps {
            let cell = SIMD4(lowHalf: load2(low + at), highHalf: load2(high + at))
            let share = weight.pointee
            light += cell * SIMD4(lowHalf: share, highHalf: share)
            weight += 1
            at &+= step
        }
        var color = column0 * min(light[0], 1)
        color += column1 * min(light[1], 1)
        color += column2 * min(light[2], 1)
        color += column3 * min(light[3], 1)
        colors[x] = color
    }
}

@inline(__always)
private func load2(_ values: UnsafePointer<Float>) -> SIMD2<Float> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD2<Float>.self)
}
