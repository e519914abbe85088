// Kernels of the fusion of a wide and a tele photo: their alignment, in grey values. Values below −1 are missing.

/// Halves a row of grey values: each is the mean of 2×2 values, or missing if one of them is missing.
package func halveTeleGrey(
    _ target: UnsafeMutablePointer<Float>, _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, count: Int
) {
    var index = 0
    while index < count {
        let (above, below) = (upper + index &* 2, lower + index &* 2)
        let isMissing = above[0] < -1 || above[1] < -1 || below[0] < -1 || below[1] < -1
        target[index] = isMissing ? -1e9 : (above[0] + above[1] + below[0] + below[1]) * 0.25
        index &+= 1
    }
}

/// Compares a tile of `columns` (a multiple of 8) × `rows` grey values. Returns the number of values that both have,
/// the sum of their differences, the sum of the squared differences, and 0.
package func compareTeleTile(
    _ wide: UnsafePointer<Float>, _ tele: UnsafePointer<Float>, stride: Int, columns: Int, rows: Int
) -> SIMD4<Float> {
    var (count, sum, squares) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    var row = 0
    while row < rows {
        var column = 0
        while column < columns {
            let other = load8(tele + (row &* stride &+ column))
            let own = load8(wide + (row &* stride &+ column))
            let isMissing = other .< SIMD8<Float>(repeating: -1)
            let difference: SIMD8<Float> = (own - other).replacing(with: zero, where: isMissing)
            count += one.replacing(with: zero, where: isMissing)
            sum += difference
            squares += difference * difference
            column &+= 8
        }
        row &+= 1
    }
    return SIMD4(total(count), total(sum), total(squares), 0)
}

/// Compares a tile as `compareTeleTile` does, with the tele's grey values interpolated bilinearly at `right` and `down`
/// of a pixel.
package func compareTeleTileBetween(
    _ wide: UnsafePointer<Float>, _ tele: UnsafePointer<Float>, stride: Int, columns: Int, rows: Int, right: Float,
    down: Float
) -> SIMD4<Float> {
    var (count, sum, squares) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    var row = 0
    while row < rows {
        var column = 0
        while column < columns {
            let upper = tele + (row &* stride &+ column)
            let upperLeft = load8(upper)
            let above: SIMD8<Float> = upperLeft + (load8(upper + 1) - upperLeft) * right
            let lowerLeft = load8(upper + stride)
            let below: SIMD8<Float> = lowerLeft + (load8(upper + (stride &+ 1)) - lowerLeft) * right
            let other: SIMD8<Float> = above + (below - above) * down
            let own = load8(wide + (row &* stride &+ column))
            let isMissing = other .< SIMD8<Float>(repeating: -1)
            let difference: SIMD8<Float> = (own - other).replacing(with: zero, where: isMissing)
            count += one.replacing(with: zero, where: isMissing)
            sum += difference
            squares += difference * difference
            column &+= 8
        }
        row &+= 1
    }
    return SIMD4(total(count), total(sum), total(squares), 0)
}

/// Returns the sum of the lanes.
@inline(__always)
private func total(_ lanes: SIMD8<Float>) -> Float {
    let low = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    return low + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
}

/// Adds up the terms of the least-squares shift of a tile against the tele's grey values, interpolated bilinearly at
/// `right` and `down` of a pixel: gradients squared (xx, xy, yy), gradients times differences (x, y), gradients (x, y),
/// differences and their count.
package func teleShiftTerms(
    _ sums: UnsafeMutablePointer<Float>, _ wide: UnsafePointer<Float>, _ tele: UnsafePointer<Float>, stride: Int,
    columns: Int, rows: Int, right: Float, down: Float
) {
    var terms: (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    var means: (Float, Float, Float, Float) = (0, 0, 0, 0)
    var row = 0
    while row < rows {
        var column = 0
        while column < columns {
            let upper = tele + (row &* stride &+ column)
            let lower = upper + stride
            let isMissing = upper[0] < -1 || upper[1] < -1 || lower[0] < -1 || lower[1] < -1
            if !isMissing {
                let above = upper[0] + (upper[1] - upper[0]) * right
                let below = lower[0] + (lower[1] - lower[0]) * right
                let value = above + (below - above) * down
                let own = wide + (row &* stride &+ column)
                let across = (own[1] - own[-1]) * 0.5
                let along = (own[stride] - own[-stride]) * 0.5
                let difference = own[0] - value
                terms.0 += across * across
                terms.1 += across * along
                terms.2 += along * along
                terms.3 += across * difference
                terms.4 += along * difference
                means.0 += across
                means.1 += along
                means.2 += difference
                means.3 += 1
            }
            column &+= 1
        }
        row &+= 1
    }
    (sums[0], sums[1], sums[2], sums[3], sums[4]) = terms
    (sums[5], sums[6], sums[7], sums[8]) = means
}

/// Follows the paths of a tile's places: `paths` become the costs of the cheapest paths that end at each place, and are
/// added to `sums`. A path comes from the same place of the `last` tile, from a place beside it, which costs `step`, or
/// from any place, which costs `jump`; costs count from the cheapest of the last tile on.
package func followTelePaths(
    _ paths: UnsafeMutablePointer<Float>, _ sums: UnsafeMutablePointer<Float>, _ costs: UnsafePointer<Float>,
    _ last: UnsafePointer<Float>, count: Int, step: Float, jump: Float
) {
    var least = last[0]
    var index = 1
    while index < count {
        least = last[index] < least ? last[index] : least
        index &+= 1
    }
    index = 0
    while index < count {
        let (same, before) = (last[index], last[index > 0 ? index &- 1 : 0] + step)
        let after = last[index &+ 1 < count ? index &+ 1 : index] + step
        let beside = before < after ? before : after
        let near = same < beside ? same : beside
        let path = costs[index] - least + (near < least + jump ? near : least + jump)
        paths[index] = path
        sums[index] += path
        index &+= 1
    }
}
