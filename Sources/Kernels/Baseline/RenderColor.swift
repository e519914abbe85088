// Kernels of the renderer on rows of linear red, green and blue. Rows have padding for whole vectors of 8 behind their
// end; kernels whose comment mentions whole vectors read and write it.

/// Splits 16-bit RGBA pixels into rows of linear values: codes less the black level, times the gain of their colour.
package func linearizePixels(
    _ pixels: UnsafePointer<UInt16>, count: Int, black: SIMD3<Float>, gain: SIMD3<Float>,
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        red[i] = (Float(Int32(pixels[4 &* i])) - black[0]) * gain[0]
        green[i] = (Float(Int32(pixels[4 &* i &+ 1])) - black[1]) * gain[1]
        blue[i] = (Float(Int32(pixels[4 &* i &+ 2])) - black[2]) * gain[2]
    }
}

/// Interleaves the half rows of even and odd columns to one row.
package func joinHalves(
    _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, count: Int, row: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        row[2 &* i] = even[i]
        row[2 &* i &+ 1] = odd[i]
    }
}

/// Interleaves the half rows of even and odd columns to one row, rounded as in a linear photo of 16 bits: each value
/// times `scale` becomes a code 0…65535, and the code times `gain` the value.
package func joinRoundedHalves(
    _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, scale: Float, gain: Float, count: Int,
    row: UnsafeMutablePointer<Float>
) {
    let (scales, gains) = (SIMD8<Float>(repeating: scale), SIMD8<Float>(repeating: gain))
    var i = 0
    while i &+ 8 <= count {
        let first = wholeCodes(load8(even + i) * scales) * gains
        let second = wholeCodes(load8(odd + i) * scales) * gains
        store8(interleaved(first.lowHalf, second.lowHalf), row + 2 &* i)
        store8(interleaved(first.highHalf, second.highHalf), row + 2 &* i + 8)
        i = i &+ 8
    }
    while i < count {
        row[2 &* i] = (wholeCodes(SIMD8(repeating: even[i] * scale)) * gains)[0]
        row[2 &* i &+ 1] = (wholeCodes(SIMD8(repeating: odd[i] * scale)) * gains)[0]
        i = i &+ 1
    }
}

@inline(__always)
private func interleaved(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD8<Float> {
    SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
}

/// Returns the nearest whole numbers, limited to the 16-bit codes 0…65535.
@inline(__always)
private func wholeCodes(_ values: SIMD8<Float>) -> SIMD8<Float> {
    // Adding 2²³ leaves no mantissa bits for a fraction, which rounds.
    let shift = SIMD8<Float>(repeating: 8_388_608)
    return (bounded(values, SIMD8(repeating: 0), SIMD8(repeating: 65_535)) + shift) - shift
}

/// Multiplies each value of a row by its own gain.
package func multiplyRow(_ row: UnsafeMutablePointer<Float>, _ gains: UnsafePointer<Float>, count: Int) {
    for i in 0..<count { row[i] *= gains[i] }
}

/// Adds a row times a weight to another row.
package func addWeightedRow(
    _ row: UnsafePointer<Float>, weight: Float, count: Int, to sum: UnsafeMutablePointer<Float>
) {
    for i in 0..<count { sum[i] += row[i] * weight }
}

/// Reconstructs clipped highlights: a colour close to its clipping level is raised to the mean of the unclipped
/// colours, so that bright areas stay neutral. `limits` are the linear values at which each colour clips. Works on
/// whole vectors of 8 values, into the rows' padding.
package func reconstructHighlights(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    limits: SIMD3<Float>, count: Int
) {
    let (zero, one) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1))
    let steepness = SIMD8<Float>(repeating: 12)
    let little = SIMD8<Float>(repeating: 0.02)
    let start = SIMD8<Float>(repeating: 0.9)
    let (inverseRed, inverseGreen, inverseBlue) = (
        SIMD8(repeating: 1 / limits[0]), SIMD8(repeating: 1 / limits[1]), SIMD8(repeating: 1 / limits[2])
    )
    var i = 0
    while i < count {
        let end = i &+ 64 < count ? i &+ 64 : count
        var most = start
        var j = i
        while j < end {
            most = larger(most, load8(red + j) * inverseRed)
            most = larger(most, load8(green + j) * inverseGreen)
            most = larger(most, load8(blue + j) * inverseBlue)
            j = j &+ 8
        }
        let isBright = anyLane(most .> start)
        j = i
        while isBright && j < end {
            let (r, g, b) = (load8(red + j), load8(green + j), load8(blue + j))
            // How far each colour is clipped: 0 up to 0.9 of its clipping level, rising to 1 at 0.983 of that level,
            // from where on it carries no information.
            let fullRed = bounded((r * inverseRed - start) * steepness, zero, one)
            let fullGreen = bounded((g * inverseGreen - start) * steepness, zero, one)
            let fullBlue = bounded((b * inverseBlue - start) * steepness, zero, one)
            let (trustRed, trustGreen, trustBlue) = (one - fullRed, one - fullGreen, one - fullBlue)
            let most = larger(r, larger(g, b)) * little
            let (ofRed, ofGreen, ofBlue) = (trustRed * r, trustGreen * g, trustBlue * b)
            let fromRed: SIMD8<Float> = (ofGreen + ofBlue + most) / (trustGreen + trustBlue + little)
            let fromGreen: SIMD8<Float> = (ofRed + ofBlue + most) / (trustRed + trustBlue + little)
            let fromBlue: SIMD8<Float> = (ofRed + ofGreen + most) / (trustRed + trustGreen + little)
            store8(r + fullRed * notNegative(fromRed - r), red + j)
            store8(g + fullGreen * notNegative(fromGreen - g), green + j)
            store8(b + fullBlue * notNegative(fromBlue - b), blue + j)
            j = j &+ 8
        }
        i = end
    }
}

/// Applies a 3×3 matrix to linear RGB in place, limiting the input to `most` and the result to at least `least`.
/// `redWeights`, `greenWeights` and `blueWeights` are its rows. Works on whole vectors of 8 values, into the rows'
/// padding.
package func applyMatrixRows(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    redWeights: SIMD3<Float>, greenWeights: SIMD3<Float>, blueWeights: SIMD3<Float>, most: Float, least: Float,
    count: Int
) {
    let (low, high) = (SIMD8<Float>(repeating: least), SIMD8<Float>(repeating: most))
    let (rr, rg, rb) = (
        SIMD8(repeating: redWeights[0]), SIMD8(repeating: redWeights[1]), SIMD8(repeating: redWeights[2])
    )
    let (gr, gg, gb) = (
        SIMD8(repeating: greenWeights[0]), SIMD8(repeating: greenWeights[1]), SIMD8(repeating: greenWeights[2])
    )
    let (br, bg, bb) = (
        SIMD8(repeating: blueWeights[0]), SIMD8(repeating: blueWeights[1]), SIMD8(repeating: blueWeights[2])
    )
    var i = 0
    while i < count {
        let (r, g) = (smaller(load8(red + i), high), smaller(load8(green + i), high))
        let b = smaller(load8(blue + i), high)
        store8(larger(r * rr + g * rg + b * rb, low), red + i)
        store8(larger(r * gr + g * gg + b * gb, low), green + i)
        store8(larger(r * br + g * bg + b * bb, low), blue + i)
        i = i &+ 8
    }
}

/// Subtracts the black point: values below `black - radius` become 0, values above `black + radius` lie on a straight
/// line that maps 1 to 1, and a parabola joins the two. Works on whole vectors of 8 values, into the rows' padding.
package func subtractBlackPoint(
    _ row: UnsafeMutablePointer<Float>, black: Float, slope: Float, radius: Float, count: Int
) {
    let foot = SIMD8<Float>(repeating: black - radius)
    let (middle, reach) = (SIMD8<Float>(repeating: black), SIMD8<Float>(repeating: black + radius))
    let (slopes, bend) = (
        SIMD8<Float>(repeating: slope), SIMD8<Float>(repeating: radius > 0 ? slope / (4 * radius) : 0)
    )
    var i = 0
    while i < count {
        let linear = load8(row + i)
        let over = notNegative(linear - foot)
        store8((bend * over * over).replacing(with: (linear - middle) * slopes, where: linear .>= reach), row + i)
        i = i &+ 8
    }
}

/// Returns, for eight linear values, the index of the entry at or below each in a table of `CurveTable`'s layout, and
/// the fraction of the way to the next entry.
@inline(__always)
private func tablePosition(
    _ linear: SIMD8<Float>, _ zero: SIMD8<Float>, _ top: SIMD8<Float>
) -> (index: SIMD8<UInt32>, fraction: SIMD8<Float>) {
    tablePosition(inRange: bounded(linear, zero, top))
}

/// Returns what `tablePosition` returns, for values that are not beyond the table.
@inline(__always)
private func tablePosition(inRange linear: SIMD8<Float>) -> (index: SIMD8<UInt32>, fraction: SIMD8<Float>) {
    // The bit cast is safe because a float and its bits have equal size; a clamped value gives an index within the
    // table.
    let bits = unsafeBitCast(linear + SIMD8<Float>(repeating: 0x1p-8), to: SIMD8<UInt32>.self)
    let (shift, first) = (SIMD8<UInt32>(repeating: 15), SIMD8<UInt32>(repeating: 0x3B80_0000 >> 15))
    let (low, unit) = (SIMD8<UInt32>(repeating: 0x7FFF), SIMD8<UInt32>(repeating: 0x3F80_0000))
    let mantissa = (bits & low) &<< SIMD8<UInt32>(repeating: 8) | unit
    return ((bits &>> shift) &- first, unsafeBitCast(mantissa, to: SIMD8<Float>.self) - SIMD8<Float>(repeating: 1))
}

/// Stores eight indices at an address of any alignment.
@inline(__always)
private func storeIndices(_ indices: SIMD8<UInt32>, _ target: UnsafeMutablePointer<UInt32>) {
    UnsafeMutableRawPointer(target).storeBytes(of: indices, as: SIMD8<UInt32>.self)
}

/// Maps a row through a curve table, each of whose entries is a value and the difference to the next entry's value.
/// `indices` is scratch memory for `count` numbers. Works on whole vectors of 8 values, into the rows' padding.
package func lookUp(
    _ row: UnsafeMutablePointer<Float>, steps: UnsafePointer<Float>, top: Float, count: Int,
    indices: UnsafeMutablePointer<UInt32>
) {
    let (zero, tops) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: top))
    var i = 0
    while i < count {
        let found = tablePosition(load8(row + i), zero, tops)
        storeIndices(found.index &<< 1, indices + i)
        store8(interpolated(steps, indices + i, found.fraction), row + i)
        i = i &+ 8
    }
}

/// Interpolates between entries of a table in `CurveTable`'s layout; `offsets` are those of the entries' first values.
@inline(__always)
private func interpolated(
    _ steps: UnsafePointer<Float>, _ offsets: UnsafePointer<UInt32>, _ fractions: SIMD8<Float>
) -> SIMD8<Float> {
    let entries = loadPairs(steps, offsets)
    return entries.first + entries.second * fractions
}

/// Applies a tone curve to the largest and the smallest of each pixel's red, green and blue; the middle one keeps its
/// relative position between them, which preserves hue, as the DNG SDK does. `highIndices` and `lowIndices` are scratch
/// memory for `count` numbers each. Works on whole vectors of 8 values, into the rows' padding.
package func toneRows(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    steps: UnsafePointer<Float>, top: Float, count: Int, highIndices: UnsafeMutablePointer<UInt32>,
    lowIndices: UnsafeMutablePointer<UInt32>
) {
    let (zero, tops) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: top))
    let least = SIMD8<Float>(repeating: 1e-9)
    var i = 0
    while i < count {
        let r = bounded(load8(red + i), zero, tops)
        let g = bounded(load8(green + i), zero, tops)
        let b = bounded(load8(blue + i), zero, tops)
        let (largest, smallest) = (larger(r, larger(g, b)), smaller(r, smaller(g, b)))
        let (highest, lowest) = (tablePosition(inRange: largest), tablePosition(inRange: smallest))
        storeIndices(highest.index &<< 1, highIndices + i)
        storeIndices(lowest.index &<< 1, lowIndices + i)
        let high = interpolated(steps, highIndices + i, highest.fraction)
        let base = interpolated(steps, lowIndices + i, lowest.fraction)
        let scale = (high - base) / larger(largest - smallest, least)
        store8(base + (r - smallest) * scale, red + i)
        store8(base + (g - smallest) * scale, green + i)
        store8(base + (b - smallest) * scale, blue + i)
        i = i &+ 8
    }
}

/// Moves colours outside 0…`top` towards the grey of equal luminance, half as far as would bring them inside but by at
/// most 7% of their distance from that grey, and clips the rest. Full compression would dull lamps and petals and
/// differ from converters that only clip. Works on whole vectors of 8 values, into the rows' padding.
package func mapGamut(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    weights: SIMD3<Float>, top: Float, count: Int
) {
    let (zero, one, tops) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: top))
    let (least, half, leastShare) = (
        SIMD8<Float>(repeating: 1e-9), SIMD8<Float>(repeating: 0.5), SIMD8<Float>(repeating: 0.93)
    )
    let (redWeight, greenWeight, blueWeight) = (
        SIMD8(repeating: weights[0]), SIMD8(repeating: weights[1]), SIMD8(repeating: weights[2])
    )
    var start = 0
    while start < count {
        let end = start &+ 32 < count ? start &+ 32 : count
        var (lowest, highest) = (zero, tops)
        var i = start
        while i < end {
            let (r, g, b) = (load8(red + i), load8(green + i), load8(blue + i))
            lowest = smaller(lowest, smaller(r, smaller(g, b)))
            highest = larger(highest, larger(r, larger(g, b)))
            i = i &+ 8
        }
        let isBeyond = anyLane(lowest .< zero) || anyLane(highest .> tops)
        i = start
        while isBeyond && i < end {
            let (r, g, b) = (load8(red + i), load8(green + i), load8(blue + i))
            let grey = bounded(r * redWeight + g * greenWeight + b * blueWeight, zero, tops)
            let below = grey - smaller(r, smaller(g, b))
            let above = larger(r, larger(g, b)) - grey
            let inside = smaller(grey / larger(below, least), (tops - grey) / larger(above, least))
            let share = larger(smaller(one, (one + inside) * half), leastShare)
            store8(bounded(grey + (r - grey) * share, zero, tops), red + i)
            store8(bounded(grey + (g - grey) * share, zero, tops), green + i)
            store8(bounded(grey + (b - grey) * share, zero, tops), blue + i)
            i = i &+ 8
        }
        start = end
    }
}
