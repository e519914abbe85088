package import KernelTypes

// Kernels that correct lens distortion and lateral chromatic aberration, as DNG's opcode WarpRectilinear defines them.

/// Computes the source positions of a row of the corrected picture, in pixels of the raw one; they are limited to one
/// pixel outside, and NaN becomes an edge.
///
/// `first` is the first pixel's offset from the optical centre and `step` the pixel pitch, both in units of `radius`;
/// `centre` is in pixels. `radial` and `tangential` are WarpRectilinear's coefficients. Works on whole vectors of 8
/// values, into the rows' padding.
package func distortedPositions(
    first: SIMD2<Float>, step: Float, radius: Float, centre: SIMD2<Float>, radial: SIMD4<Float>,
    tangential: SIMD2<Float>, limits: SIMD2<Float>, count: Int, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>
) {
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let (two, y, start) = (
        SIMD8<Float>(repeating: 2), SIMD8<Float>(repeating: first[1]), SIMD8<Float>(repeating: first[0])
    )
    let (steps, scale) = (SIMD8<Float>(repeating: step), SIMD8<Float>(repeating: radius))
    let (k0, k1) = (SIMD8<Float>(repeating: radial[0]), SIMD8<Float>(repeating: radial[1]))
    let (k2, k3) = (SIMD8<Float>(repeating: radial[2]), SIMD8<Float>(repeating: radial[3]))
    let (t0, t1) = (SIMD8<Float>(repeating: tangential[0]), SIMD8<Float>(repeating: tangential[1]))
    let (centreX, centreY) = (SIMD8<Float>(repeating: centre[0]), SIMD8<Float>(repeating: centre[1]))
    var i = 0
    while i < count {
        let x = start + (SIMD8<Float>(repeating: Float(Int32(truncatingIfNeeded: i))) + lanes) * steps
        let (xx, yy, cross) = (x * x, y * y, two * x * y)
        let square = xx + yy
        let ratio = k0 + square * (k1 + square * (k2 + square * k3))
        let (alongX, alongY): (SIMD8<Float>, SIMD8<Float>) = (square + two * xx, square + two * yy)
        let toX: SIMD8<Float> = x * ratio + t0 * cross + t1 * alongX
        let toY: SIMD8<Float> = y * ratio + t1 * cross + t0 * alongY
        store8(limited(toX * scale + centreX, limits[0]), across + i)
        store8(limited(toY * scale + centreY, limits[1]), down + i)
        i = i &+ 8
    }
}

/// Computes the source positions of a row as `distortedPositions` does, with the radial ratio interpolated in `ratios`:
/// `steps` + 1 entries for the distances from 0 to `radius`. Larger distances use the last entry.
package func distortedPositionsByTable(
    first: SIMD2<Float>, step: Float, radius: Float, centre: SIMD2<Float>, ratios: UnsafePointer<Float>, steps: Int,
    tangential: SIMD2<Float>, limits: SIMD2<Float>, count: Int, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>
) {
    let (y, yy, last) = (first[1], first[1] * first[1], Int32(truncatingIfNeeded: steps &- 1))
    let scale = Float(Int32(truncatingIfNeeded: steps))
    // The positions are computed up to a whole vector of 8, because the kernels that read them read whole vectors.
    let end = (count &+ 7) & ~7
    for i in 0..<end {
        let x = first[0] + Float(Int32(truncatingIfNeeded: i)) * step
        let square = x * x + yy
        across[i] = (square < 1 ? square : 1).squareRoot() * scale
    }
    for i in 0..<end {
        let below = min(Int32(across[i]), last)
        let ratio = ratios + Int(below)
        down[i] = ratio[0] + (ratio[1] - ratio[0]) * (across[i] - Float(below))
    }
    for i in 0..<end {
        let x = first[0] + Float(Int32(truncatingIfNeeded: i)) * step
        let (xx, cross, found) = (x * x, 2 * x * y, down[i])
        let square = xx + yy
        let toX = x * found + tangential[0] * cross + tangential[1] * (square + 2 * xx)
        let toY = y * found + tangential[1] * cross + tangential[0] * (square + 2 * yy)
        across[i] = limited(toX * radius + centre[0], limits[0])
        down[i] = limited(toY * radius + centre[1], limits[1])
    }
}

/// Limits a position to −1…`limit`; NaN becomes −1.
@inline(__always)
private func limited(_ position: Float, _ limit: Float) -> Float {
    let least = position > -1 ? position : -1
    return least < limit ? least : limit
}

/// Limits eight positions to −1…`limit`; NaN becomes −1.
@inline(__always)
private func limited(_ position: SIMD8<Float>, _ limit: Float) -> SIMD8<Float> {
    let (outside, limits) = (SIMD8<Float>(repeating: -1), SIMD8<Float>(repeating: limit))
    let least = outside.replacing(with: position, where: position .> outside)
    return limits.replacing(with: least, where: least .< limits)
}

/// Interpolates one or three colours at source positions with a cubic that passes through the samples, and converts
/// them to linear values.
///
/// The rows of `source` have 8 repeated edge values at both ends. Positions are at most one pixel outside. Works on
/// whole vectors of 8 values, into the rows' padding.
package func readDistorted(
    _ source: PaddedPlanes, across: UnsafePointer<Float>, down: UnsafePointer<Float>, black: Float, gains: SIMD3<Float>,
    planes: Int, count: Int, red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>,
    blue: UnsafeMutablePointer<Float>
) {
    let (line, planePitch, pitch) = (source.start, source.planePitch, source.pitch)
    let (width, height) = (source.width, source.height)
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let blacks = SIMD8<Float>(repeating: black)
    var i = 0
    while i < count {
        let (x, y) = (load8(across + i) - lanes, load8(down + i))
        let (left, top) = (least(x[0], x[4], x[7]), least(y[0], y[4], y[7]))
        let (right, bottom) = (most(x[0], x[4], x[7]), most(y[0], y[4], y[7]))
        // The whole column and row at or before the eight positions. Subtracts 0.05, because `left` and `top` are the
        // minima of three of the positions, and the others may be slightly smaller.
        let (column, first) = (floorOf(left - 0.05), floorOf(top - 0.05))
        let isNear = right - left < 0.9 && bottom - top < 0.9
        let isInside = column >= -7 && column <= Int32(truncatingIfNeeded: width) &- 4
        var plane = 0
        if isNear && isInside {
            // Mostly no position lies more than one row below the first row: then the last of the five rows of samples
            // has no weight.
            let isLow = bottom - Float(first) > 0.95
            let a = taps(x - SIMD8(repeating: Float(column)))
            let b = taps(y - SIMD8(repeating: Float(first)))
            let start = line + (Int(column) &- 1)
            while plane < planes {
                let mean8 = mean(
                    of: start + plane &* planePitch, a, b, first, isLow: isLow, pitch: pitch, height: height)
                let target = plane == 0 ? red : plane == 1 ? green : blue
                store8((mean8 - blacks) * SIMD8(repeating: gains[plane]), target + i)
                plane = plane &+ 1
            }
        } else {
            while plane < planes {
                let target = plane == 0 ? red : plane == 1 ? green : blue
                var lane = i
                while lane < i &+ 8 {
                    let code = readPosition(line + plane &* planePitch, pitch, width, height, across[lane], down[lane])
                    target[lane] = (code - black) * gains[plane]
                    lane = lane &+ 1
                }
                plane = plane &+ 1
            }
        }
        i = i &+ 8
    }
}

/// Returns, for eight positions, the weighted mean of 5×5 samples; the last of the five rows is read only if `isLow` is
/// set. Not inlined, because the compiler does not vectorise it within the surrounding loop.
@inline(never)
private func mean(
    of values: UnsafePointer<UInt16>, _ a: Taps, _ b: Taps, _ first: Int32, isLow: Bool, pitch: Int, height: Int
) -> SIMD8<Float> {
    var sum = b.t0 * a.sum(values + rowAt(first &- 1, height, pitch))
    sum += b.t1 * a.sum(values + rowAt(first, height, pitch))
    sum += b.t2 * a.sum(values + rowAt(first &+ 1, height, pitch))
    sum += b.t3 * a.sum(values + rowAt(first &+ 2, height, pitch))
    if isLow { sum += b.t4 * a.sum(values + rowAt(first &+ 3, height, pitch)) }
    return sum
}

/// The weights of five neighbouring samples for eight positions, each 0 to 2 pixels after the second sample; at most
/// four are not 0.
private struct Taps {
    let t0: SIMD8<Float>
    let t1: SIMD8<Float>
    let t2: SIMD8<Float>
    let t3: SIMD8<Float>
    let t4: SIMD8<Float>

    /// Returns the weighted sum of five samples of a row, for eight positions.
    @inline(__always)
    func sum(_ values: UnsafePointer<UInt16>) -> SIMD8<Float> {
        let first = t0 * floats8(values) + t1 * floats8(values + 1)
        return first + t2 * floats8(values + 2) + t3 * floats8(values + 3) + t4 * floats8(values + 4)
    }
}

/// Returns the weights of five samples in a cubic (Catmull-Rom) for eight positions, 0 to 2 pixels after the second
/// sample.
@inline(__always)
private func taps(_ distance: SIMD8<Float>) -> Taps {
    let (zero, half, one) = (
        SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0.5), SIMD8<Float>(repeating: 1)
    )
    let (three, five) = (SIMD8<Float>(repeating: 1.5), SIMD8<Float>(repeating: 2.5))
    let isSecond = distance .>= one
    let t = distance - zero.replacing(with: one, where: isSecond)
    let square = t * t
    let cube = square * t
    let two = one + one
    let a = square - half * (cube + t)
    let b = three * cube - five * square + one
    let c = two * square - three * cube + half * t
    let d = half * (cube - square)
    return Taps(
        t0: a.replacing(with: zero, where: isSecond), t1: b.replacing(with: a, where: isSecond),
        t2: c.replacing(with: b, where: isSecond), t3: d.replacing(with: c, where: isSecond),
        t4: zero.replacing(with: d, where: isSecond))
}

/// Loads eight 16-bit samples as floats.
@inline(__always)
private func floats8(_ values: UnsafePointer<UInt16>) -> SIMD8<Float> {
    SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: UnsafeRawPointer(values).loadUnaligned(as: SIMD8<UInt16>.self)))
}

/// Returns the offset of a row in values; a row outside the picture gives that of the first or last one.
@inline(__always)
private func rowAt(_ row: Int32, _ height: Int, _ pitch: Int) -> Int { max(0, min(height &- 1, Int(row))) &* pitch }

/// Returns the smallest of three values.
@inline(__always)
private func least(_ a: Float, _ b: Float, _ c: Float) -> Float { min(a, min(b, c)) }

/// Returns the largest of three values.
@inline(__always)
private func most(_ a: Float, _ b: Float, _ c: Float) -> Float { max(a, max(b, c)) }

/// Returns the value rounded down to a whole number, for magnitudes below 2²⁴.
@inline(__always)
private func floorOf(_ value: Float) -> Int32 {
    let whole = Int32(value)
    return Float(whole) > value ? whole &- 1 : whole
}

/// Interpolates a sample at a single position, which may lie anywhere, repeating the picture's edges.
@inline(__always)
private func readPosition(
    _ line: UnsafePointer<UInt16>, _ pitch: Int, _ width: Int, _ height: Int, _ x: Float, _ y: Float
) -> Float {
    let (left, top) = (floorOf(x), floorOf(y))
    let (across, down) = (x - Float(left), y - Float(top))
    var sum: Float = 0
    var tap: Int32 = -1
    while tap < 3 {
        let values = line + rowAt(top &+ tap, height, pitch)
        var inRow: Float = 0
        var offset: Int32 = -1
        while offset < 3 {
            let column = max(0, min(width &- 1, Int(left &+ offset)))
            inRow += Float(Int32(values[column])) * cubic(across, offset)
            offset = offset &+ 1
        }
        sum += inRow * cubic(down, tap)
        tap = tap &+ 1
    }
    return sum
}

/// Returns the Catmull-Rom weight of the sample at offset −1, 0, 1 or 2 (`neighbour`) for a position `t`, 0 to 1, after
/// the sample at offset 0.
@inline(__always)
private func cubic(_ t: Float, _ neighbour: Int32) -> Float {
    let (square, cube) = (t * t, t * t * t)
    switch neighbour {
    case -1: return square - 0.5 * (cube + t)
    case 0: return 1.5 * cube - 2.5 * square + 1
    case 1: return 2 * square - 1.5 * cube + 0.5 * t
    default: return 0.5 * (cube - square)
    }
}

/// Stores a row of linear values as rounded 16-bit codes, clamped: value times `scale` plus `pedestal`.
package func storePlane(
    _ linear: UnsafePointer<Float>, scale: Float, pedestal: Float, count: Int, line: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let value = max(0, min(65_535, linear[i] * scale + pedestal))
        line[i] = UInt16(truncatingIfNeeded: (value + 12_582_912).bitPattern)
    }
}
