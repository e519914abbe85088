// Kernels that sharpen rows and store rendered rows.

/// Computes the square root of each pixel's luminance: equal steps of it look alike. Works on whole vectors of 8
/// values, into the rows' padding.
package func luminanceRoots(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: SIMD3<Float>,
    count: Int, roots: UnsafeMutablePointer<Float>
) {
    let (redWeight, greenWeight, blueWeight) = (
        SIMD8(repeating: weights[0]), SIMD8(repeating: weights[1]), SIMD8(repeating: weights[2])
    )
    var i = 0
    while i < count {
        let sum = load8(red + i) * redWeight + load8(green + i) * greenWeight + load8(blue + i) * blueWeight
        store8(notNegative(sum).squareRoot(), roots + i)
        i = i &+ 8
    }
}

/// Sharpens a row by the difference of its luminance root from a blurred one, times `amount` and limited smoothly to
/// ±`bound`, so that texture gains contrast and edges get no halos. Differences below the noise, whose variance is
/// `noise`, are hardly sharpened. Rows of roots have one more value at each end. Works on whole vectors of 8 values,
/// into the rows' padding.
package func sharpenRow(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    above: UnsafePointer<Float>, here: UnsafePointer<Float>, below: UnsafePointer<Float>, amount: Float, noise: Float,
    bound: Float, count: Int
) {
    let (amounts, closeness) = (SIMD8<Float>(repeating: amount), SIMD8<Float>(repeating: 1 / bound))
    let (noises, least) = (SIMD8<Float>(repeating: noise), SIMD8<Float>(repeating: 0.02))
    var i = 0
    while i < count {
        let own = load8(here + i)
        let before = load8(above + i - 1) + 2 * load8(here + i - 1) + load8(below + i - 1)
        let after = load8(above + i + 1) + 2 * load8(here + i + 1) + load8(below + i + 1)
        let middle = load8(above + i) + 2 * own + load8(below + i)
        let difference = own - (before + 2 * middle + after) * 0.0625
        // Wiener factor, limit and relative change share one denominator: one division in place of three.
        let square = difference * difference
        let change = difference * square * amounts
        let denominator = (square + noises + magnitude(change) * closeness) * larger(own, least)
        let scale = 1 + change / denominator
        let factor = scale * scale
        store8(load8(red + i) * factor, red + i)
        store8(load8(green + i) * factor, green + i)
        store8(load8(blue + i) * factor, blue + i)
        i = i &+ 8
    }
}

/// Converts linear values 0…1 to indices into the display's 8-bit tone curve: the upper 17 bits of the float value +
/// 1/256.
package func displayCurveIndices(_ row: UnsafePointer<Float>, count: Int, indices: UnsafeMutablePointer<UInt16>) {
    var i = 0
    while i &+ 8 <= count {
        UnsafeMutableRawPointer(indices + i).storeBytes(of: curveIndices(load8(row + i)), as: SIMD8<UInt16>.self)
        i = i &+ 8
    }
    while i < count {
        indices[i] = curveIndices(SIMD8(repeating: row[i]))[0]
        i = i &+ 1
    }
}

@inline(__always)
private func curveIndices(_ values: SIMD8<Float>) -> SIMD8<UInt16> {
    let inRange = bounded(values, SIMD8(repeating: 0), SIMD8(repeating: 1))
    // The bit cast is safe because a float and its bits have equal size.
    let bits = unsafeBitCast(inRange + SIMD8<Float>(repeating: 0x1p-8), to: SIMD8<UInt32>.self)
    return SIMD8<UInt16>(truncatingIfNeeded: bits &>> 15)
}

/// Stores a row of values 0…1 as rounded bytes (1 becomes 255), `step` bytes apart.
package func storeBytes(
    _ row: UnsafePointer<Float>, count: Int, step: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        bytes[i &* step] = UInt8(truncatingIfNeeded: ((max(0, min(1, row[i])) * 255) + 12_582_912).bitPattern)
    }
}

/// Stores a row of values 0…1 as rounded 16-bit words (1 becomes 65535), `step` words apart.
package func storeWords(_ row: UnsafePointer<Float>, count: Int, step: Int, words: UnsafeMutablePointer<UInt16>) {
    for i in 0..<count {
        words[i &* step] = UInt16(truncatingIfNeeded: ((max(0, min(1, row[i])) * 65_535) + 12_582_912).bitPattern)
    }
}

/// Looks up each pixel's three curve indices in the display's tone curve and stores pixels `step` bytes apart.
///
/// `redWords`, `greenWords` and `blueWords` are copies of the curve with the values in the byte of a 32-bit word at the
/// offset of the colour, which make up a pixel. With a step of 3, rows must be stored in order, because each store also
/// overwrites the next pixel's first byte.
package func storeDisplayPixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>,
    redWords: UnsafePointer<UInt32>, greenWords: UnsafePointer<UInt32>, blueWords: UnsafePointer<UInt32>, size: Int,
    step: Int, count: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    let first = 0x3B80_0000 >> 15
    let (reds, greens, blues) = (redWords - first, greenWords - first, blueWords - first)
    // Each pixel is one 32-bit store. Where pixels have three bytes, the fourth is overwritten by the next pixel, which
    // the last of a row and those of a rotated picture do not have.
    let wide = size == 4 ? count : step == 3 ? count &- 1 : 0
    for i in 0..<wide {
        let color = reds[Int(red[i])] | greens[Int(green[i])] | blues[Int(blue[i])]
        UnsafeMutableRawPointer(bytes + i &* step).storeBytes(of: color.littleEndian, as: UInt32.self)
    }
    for i in wide..<count {
        let color = reds[Int(red[i])] | greens[Int(green[i])] | blues[Int(blue[i])]
        let pixel = bytes + i &* step
        pixel[0] = UInt8(truncatingIfNeeded: color)
        pixel[1] = UInt8(truncatingIfNeeded: color &>> 8)
        pixel[2] = UInt8(truncatingIfNeeded: color &>> 16)
    }
}

/// Averages a row's columns under each of fewer pixels (area resampling). Pixel i covers `lengths[i]` columns from
/// `starts[i]` on, of which the first and the last are weighted by `firstWeights[i]` and `lastWeights[i]`; the sum is
/// multiplied by `scale`.
package func averageColumns(
    _ row: UnsafePointer<Float>, starts: UnsafePointer<UInt32>, lengths: UnsafePointer<UInt32>,
    firstWeights: UnsafePointer<Float>, lastWeights: UnsafePointer<Float>, scale: Float, count: Int,
    means: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let start = row + Int(starts[i])
        let last = Int(lengths[i]) &- 1
        var sum = start[0] * firstWeights[i]
        var j = 1
        while j < last {
            sum += start[j]
            j = j &+ 1
        }
        sum += start[last] * lastWeights[i]
        means[i] = sum * scale
    }
}
