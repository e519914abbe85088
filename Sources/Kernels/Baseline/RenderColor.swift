// Kernels of the renderer that work on rows of red, green and blue. Rows have room for whole vectors behind their end, and
// kernels that say so in their name or comment fill it.

/// The smaller of two, lane by lane.
@inline(__always)
private func smaller(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .< a) }

/// The vector within bounds; what is no number becomes the lower one.
@inline(__always)
private func bounded(_ vector: SIMD8<Float>, _ low: SIMD8<Float>, _ high: SIMD8<Float>) -> SIMD8<Float> {
    smaller(larger(low, vector), high)
}

/// Splits pixels of four values into rows of light: what is above black, scaled.
package func splitPixels(
    _ pixels: UnsafePointer<UInt16>, count: Int, black: SIMD3<Float>, gain: SIMD3<Float>,
    red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        red[i] = (Float(Int32(pixels[4 &* i])) - black[0]) * gain[0]
        green[i] = (Float(Int32(pixels[4 &* i &+ 1])) - black[1]) * gain[1]
        blue[i] = (Float(Int32(pixels[4 &* i &+ 2])) - black[2]) * gain[2]
    }
}

/// Joins even and odd columns to a row.
package func joinHalves(
    _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, count: Int, row: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        row[2 &* i] = even[i]
        row[2 &* i &+ 1] = odd[i]
    }
}

/// Multiplies rows by gains of their own.
package func multiplyRow(_ row: UnsafeMutablePointer<Float>, _ gains: UnsafePointer<Float>, count: Int) {
    for i in 0..<count { row[i] *= gains[i] }
}

/// Adds a row times a weight to another.
package func addWeightedRow(
    _ row: UnsafePointer<Float>, weight: Float, count: Int, to sum: UnsafeMutablePointer<Float>
) {
    for i in 0..<count { sum[i] += row[i] * weight }
}

/// Where colours reach what the sensor can take, guesses by those that do not what they would have been, so that bright
/// lights stay neutral. `limits` is the light at which each is full. Works on whole vectors.
package func rebuildHighlights(
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
        var isBright = false
        for lane in 0..<8 { isBright = isBright || most[lane] > 0.9 }
        j = i
        while isBright && j < end {
            let (r, g, b) = (load8(red + j), load8(green + j), load8(blue + j))
            // How full each colour is: 1 tells nothing any more.
            let fullRed = bounded((r * inverseRed - start) * steepness, zero, one)
            let fullGreen = bounded((g * inverseGreen - start) * steepness, zero, one)
            let fullBlue = bounded((b * inverseBlue - start) * steepness, zero, one)
            let (trustRed, trustGreen, trustBlue) = (one - fullRed, one - fullGreen, one - fullBlue)
            let most = larger(r, larger(g, b)) * little
            let fromRed = (trustGreen * g + trustBlue * b + most) / (trustGreen + trustBlue + little)
            let fromGreen = (trustRed * r + trustBlue * b + most) / (trustRed + trustBlue + little)
            let fromBlue = (trustRed * r + trustGreen * g + most) / (trustRed + trustGreen + little)
            store8(r + fullRed * notNegative(fromRed - r), red + j)
            store8(g + fullGreen * notNegative(fromGreen - g), green + j)
            store8(b + fullBlue * notNegative(fromBlue - b), blue + j)
            j = j &+ 8
        }
        i = end
    }
}

/// Mixes three colours, each `most` at most, into three others in place, which are `least` at least. Works on whole vectors.
package func mixProfileRows(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    redShares: SIMD3<Float>, greenShares: SIMD3<Float>, blueShares: SIMD3<Float>, most: Float, least: Float,
    count: Int
) {
    let (low, high) = (SIMD8<Float>(repeating: least), SIMD8<Float>(repeating: most))
    let (rr, rg, rb) = (SIMD8(repeating: redShares[0]), SIMD8(repeating: redShares[1]), SIMD8(repeating: redShares[2]))
    let (gr, gg, gb) = (
        SIMD8(repeating: greenShares[0]), SIMD8(repeating: greenShares[1]), SIMD8(repeating: greenShares[2])
    )
    let (br, bg, bb) = (
        SIMD8(repeating: blueShares[0]), SIMD8(repeating: blueShares[1]), SIMD8(repeating: blueShares[2])
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

/// Takes the black off: light below `black - radius` is 0, and from there bends into the straight line that keeps 1.
/// Works on whole vectors.
package func takeBlack(_ row: UnsafeMutablePointer<Float>, black: Float, slope: Float, radius: Float, count: Int) {
    let foot = SIMD8<Float>(repeating: black - radius)
    let (middle, reach) = (SIMD8<Float>(repeating: black), SIMD8<Float>(repeating: black + radius))
    let (slopes, bend) = (
        SIMD8<Float>(repeating: slope), SIMD8<Float>(repeating: radius > 0 ? slope / (4 * radius) : 0)
    )
    var i = 0
    while i < count {
        let light = load8(row + i)
        let over = notNegative(light - foot)
        store8((bend * over * over).replacing(with: (light - middle) * slopes, where: light .>= reach), row + i)
        i = i &+ 8
    }
}

/// The places of a row's light in a table of steps as `CurveTable` has them, and the way to the next.
@inline(__always)
private func place(
    _ light: SIMD8<Float>, _ zero: SIMD8<Float>, _ top: SIMD8<Float>
) -> (index: SIMD8<UInt32>, share: SIMD8<Float>) {
    // Lanes of floats and of their bits are of one size, and light within its bounds is a place within the table.
    let bits = unsafeBitCast(bounded(light, zero, top) + SIMD8<Float>(repeating: 0x1p-8), to: SIMD8<UInt32>.self)
    let (shift, first) = (SIMD8<UInt32>(repeating: 15), SIMD8<UInt32>(repeating: 0x3B80_0000 >> 15))
    let (low, unit) = (SIMD8<UInt32>(repeating: 0x7FFF), SIMD8<UInt32>(repeating: 0x3F80_0000))
    let mantissa = (bits & low) &<< SIMD8<UInt32>(repeating: 8) | unit
    return ((bits &>> shift) &- first, unsafeBitCast(mantissa, to: SIMD8<Float>.self) - SIMD8<Float>(repeating: 1))
}

@inline(__always)
private func storeIndices(_ indices: SIMD8<UInt32>, _ target: UnsafeMutablePointer<UInt32>) {
    UnsafeMutableRawPointer(target).storeBytes(of: indices, as: SIMD8<UInt32>.self)
}

/// Puts light through a table of steps: values and differences in turn. `indices` is room for as many as there are.
/// Works on whole vectors.
package func lookUp(
    _ row: UnsafeMutablePointer<Float>, steps: UnsafePointer<Float>, top: Float, count: Int,
    indices: UnsafeMutablePointer<UInt32>
) {
    let (zero, tops) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: top))
    var i = 0
    while i < count {
        let found = place(load8(row + i), zero, tops)
        storeIndices(found.index, indices + i)
        store8(found.share, row + i)
        i = i &+ 8
    }
    for i in 0..<count {
        let step = steps + 2 &* Int(indices[i])
        row[i] = step[0] + step[1] * row[i]
    }
}

/// Puts the largest and the smallest colour of each pixel through a table of steps; the middle one keeps its place between
/// them, and so the hue. Works on whole vectors. `room` is for four rows.
package func toneRows(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    steps: UnsafePointer<Float>, top: Float, count: Int, high: UnsafeMutablePointer<Float>,
    low: UnsafeMutablePointer<Float>, highIndices: UnsafeMutablePointer<UInt32>,
    lowIndices: UnsafeMutablePointer<UInt32>
) {
    let (zero, tops) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: top))
    var i = 0
    while i < count {
        let r = bounded(load8(red + i), zero, tops)
        let g = bounded(load8(green + i), zero, tops)
        let b = bounded(load8(blue + i), zero, tops)
        let highest = place(larger(r, larger(g, b)), zero, tops)
        let lowest = place(smaller(r, smaller(g, b)), zero, tops)
        storeIndices(highest.index, highIndices + i)
        storeIndices(lowest.index, lowIndices + i)
        store8(highest.share, high + i)
        store8(lowest.share, low + i)
        store8(r, red + i)
        store8(g, green + i)
        store8(b, blue + i)
        i = i &+ 8
    }
    for i in 0..<count {
        let (highest, lowest) = (steps + 2 &* Int(highIndices[i]), steps + 2 &* Int(lowIndices[i]))
        high[i] = highest[0] + highest[1] * high[i]
        low[i] = lowest[0] + lowest[1] * low[i]
    }
    let least = SIMD8<Float>(repeating: 1e-9)
    i = 0
    while i < count {
        let (r, g, b) = (load8(red + i), load8(green + i), load8(blue + i))
        let smallest = smaller(r, smaller(g, b))
        let range = larger(larger(r, larger(g, b)) - smallest, least)
        let base = load8(low + i)
        let scale = (load8(high + i) - base) / range
        store8(base + (r - smallest) * scale, red + i)
        store8(base + (g - smallest) * scale, green + i)
        store8(base + (b - smallest) * scale, blue + i)
        i = i &+ 8
    }
}

/// Takes colours that reach below 0 or above `top` half of the way toward their own grey at which they do not, a fourteenth
/// at most, and cuts the rest: all of it would take the glow from lights and petals, and converters that only cut are to show
/// the same picture. Works on whole vectors.
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
        var isBeyond = false
        for lane in 0..<8 { isBeyond = isBeyond || lowest[lane] < 0 || highest[lane] > top }
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
