// Kernels that straighten what a lens bent.

/// Where the pixels of a row of the straight picture were recorded, in pixels of the raw one: no farther outside than a pixel,
/// and what is no number at the edge.
///
/// `first` is the first pixel's place against the optical centre, `step` the distance of pixels, both with `radius` for 1;
/// the centre's own place is in pixels. `radial` and `tangential` are DNG's. Works on whole vectors.
package func warpPlaces(
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
        let toX = x * ratio + t0 * cross + t1 * (square + two * xx)
        let toY = y * ratio + t1 * cross + t0 * (square + two * yy)
        store8(nearby(toX * scale + centreX, limits[0]), across + i)
        store8(nearby(toY * scale + centreY, limits[1]), down + i)
        i = i &+ 8
    }
}

/// The same, with the ratios of distances in a table: from 0 to 1 at equal steps, beyond as at 1.
package func warpPlacesByTable(
    first: SIMD2<Float>, step: Float, radius: Float, centre: SIMD2<Float>, ratios: UnsafePointer<Float>, steps: Int,
    tangential: SIMD2<Float>, limits: SIMD2<Float>, count: Int, across: UnsafeMutablePointer<Float>,
    down: UnsafeMutablePointer<Float>
) {
    let (y, yy, last) = (first[1], first[1] * first[1], Int32(truncatingIfNeeded: steps &- 1))
    let scale = Float(Int32(truncatingIfNeeded: steps))
    // Those who read the places read whole vectors.
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
        across[i] = alone(toX * radius + centre[0], limits[0])
        down[i] = alone(toY * radius + centre[1], limits[1])
    }
}

@inline(__always)
private func alone(_ place: Float, _ limit: Float) -> Float {
    let least = place > -1 ? place : -1
    return least < limit ? least : limit
}

@inline(__always)
private func nearby(_ place: SIMD8<Float>, _ limit: Float) -> SIMD8<Float> {
    let (outside, limits) = (SIMD8<Float>(repeating: -1), SIMD8<Float>(repeating: limit))
    let least = outside.replacing(with: place, where: place .> outside)
    return limits.replacing(with: least, where: least .< limits)
}

/// Reads one colour or three at places between pixels, by a cubic that passes through them, as light: what is above black,
/// scaled.
///
/// `line` is the first colour's part of the picture's first row; colours lie `planePitch` values apart and rows `pitch`, with 8
/// values of each end's own colour beyond it. Places are no farther outside than a pixel. Works on whole vectors.
package func readWarped(
    _ line: UnsafePointer<UInt16>, planePitch: Int, pitch: Int, width: Int, height: Int, across: UnsafePointer<Float>,
    down: UnsafePointer<Float>, black: Float, gains: SIMD3<Float>, planes: Int, count: Int,
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
) {
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let blacks = SIMD8<Float>(repeating: black)
    var i = 0
    while i < count {
        let (x, y) = (load8(across + i) - lanes, load8(down + i))
        let (left, top) = (least(x[0], x[4], x[7]), least(y[0], y[4], y[7]))
        let (right, bottom) = (most(x[0], x[4], x[7]), most(y[0], y[4], y[7]))
        // A hair less, for the lanes between those compared.
        let (column, first) = (floorOf(left - 0.05), floorOf(top - 0.05))
        let isNear = right - left < 0.9 && bottom - top < 0.9
        let isInside = column >= -7 && column <= Int32(truncatingIfNeeded: width) &- 4
        var plane = 0
        if isNear && isInside {
            // Along most of a row no place is farther than one row from the first: then the last one counts nothing.
            let isLow = bottom - Float(first) > 0.95
            let a = taps(x - SIMD8(repeating: Float(column)))
            let b = taps(y - SIMD8(repeating: Float(first)))
            let start = line + (Int(column) &- 1)
            while plane < planes {
                let light = mean(
                    of: start + plane &* planePitch, a, b, first, isLow: isLow, pitch: pitch, height: height)
                let target = plane == 0 ? red : plane == 1 ? green : blue
                store8((light - blacks) * SIMD8(repeating: gains[plane]), target + i)
                plane = plane &+ 1
            }
        } else {
            while plane < planes {
                let target = plane == 0 ? red : plane == 1 ? green : blue
                var lane = i
                while lane < i &+ 8 {
                    let code = readAlone(line + plane &* planePitch, pitch, width, height, across[lane], down[lane])
                    target[lane] = (code - black) * gains[plane]
                    lane = lane &+ 1
                }
                plane = plane &+ 1
            }
        }
        i = i &+ 8
    }
}

/// The mean of five by five neighbours by weights, those of the last row only if some place is low. A function of its own, for
/// what is woven into the loop around is no longer done by whole vectors.
@inline(never)
private func mean(
    of values: UnsafePointer<UInt16>, _ a: Taps, _ b: Taps, _ first: Int32, isLow: Bool, pitch: Int, height: Int
) -> SIMD8<Float> {
    var light = b.t0 * a.sum(values + rowAt(first &- 1, height, pitch))
    light += b.t1 * a.sum(values + rowAt(first, height, pitch))
    light += b.t2 * a.sum(values + rowAt(first &+ 1, height, pitch))
    light += b.t3 * a.sum(values + rowAt(first &+ 2, height, pitch))
    if isLow { light += b.t4 * a.sum(values + rowAt(first &+ 3, height, pitch)) }
    return light
}

/// Weights of five neighbours at distances from the second one, of 0 to 2: four of them count.
private struct Taps {
    let t0: SIMD8<Float>
    let t1: SIMD8<Float>
    let t2: SIMD8<Float>
    let t3: SIMD8<Float>
    let t4: SIMD8<Float>

    @inline(__always)
    func sum(_ values: UnsafePointer<UInt16>) -> SIMD8<Float> {
        let first = t0 * floats8(values) + t1 * floats8(values + 1)
        return first + t2 * floats8(values + 2) + t3 * floats8(values + 3) + t4 * floats8(values + 4)
    }
}

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

@inline(__always)
private func floats8(_ values: UnsafePointer<UInt16>) -> SIMD8<Float> {
    SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: UnsafeRawPointer(values).loadUnaligned(as: SIMD8<UInt16>.self)))
}

/// The start of the picture's row nearest to a place.
@inline(__always)
private func rowAt(_ row: Int32, _ height: Int, _ pitch: Int) -> Int { max(0, min(height &- 1, Int(row))) &* pitch }

@inline(__always)
private func least(_ a: Float, _ b: Float, _ c: Float) -> Float { min(a, min(b, c)) }

@inline(__always)
private func most(_ a: Float, _ b: Float, _ c: Float) -> Float { max(a, max(b, c)) }

/// The whole number below, of one that fits 24 bits.
@inline(__always)
private func floorOf(_ value: Float) -> Int32 {
    let whole = Int32(value)
    return Float(whole) > value ? whole &- 1 : whole
}

/// The same for one place, wherever it is.
@inline(__always)
private func readAlone(
    _ line: UnsafePointer<UInt16>, _ pitch: Int, _ width: Int, _ height: Int, _ x: Float, _ y: Float
) -> Float {
    let (left, top) = (floorOf(x), floorOf(y))
    let (across, down) = (x - Float(left), y - Float(top))
    var sum: Float = 0
    var tap: Int32 = -1
    while tap < 3 {
        let values = line + rowAt(top &+ tap, height, pitch)
        var inRow: Float = 0
        var place: Int32 = -1
        while place < 3 {
            let column = max(0, min(width &- 1, Int(left &+ place)))
            inRow += Float(Int32(values[column])) * cubic(across, place)
            place = place &+ 1
        }
        sum += inRow * cubic(down, tap)
        tap = tap &+ 1
    }
    return sum
}

/// The weight of the neighbour at -1, 0, 1 or 2 of a place between 0 and 1.
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

/// Stores a row of light as whole numbers, those outside their range at its ends.
package func storePlane(
    _ light: UnsafePointer<Float>, scale: Float, pedestal: Float, count: Int, line: UnsafeMutablePointer<UInt16>
) {
    for i in 0..<count {
        let value = max(0, min(65_535, light[i] * scale + pedestal))
        line[i] = UInt16(truncatingIfNeeded: (value + 12_582_912).bitPattern)
    }
}
