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
/// `noise`, are hardly sharpened. Rows of roots have one more value at each end; `factors` is scratch memory for
/// `count` values. Works on whole vectors of 8 values, into the rows' padding.
package func sharpenRow(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    above: UnsafePointer<Float>, here: UnsafePointer<Float>, below: UnsafePointer<Float>, amount: Float, noise: Float,
    bound: Float, count: Int, factors: UnsafeMutablePointer<Float>
) {
    let closeness = 1 / bound
    for i in 0..<count {
        let before = above[i &- 1] + 2 * here[i &- 1] + below[i &- 1]
        let after = above[i &+ 1] + 2 * here[i &+ 1] + below[i &+ 1]
        let own = above[i] + 2 * here[i] + below[i]
        let difference = here[i] - (before + 2 * own + after) * 0.0625
        // Wiener factor, limit and relative change share one denominator: one division in place of three.
        let square = difference * difference
        let change = difference * square * amount
        let denominator = (square + noise + change.magnitude * closeness) * max(here[i], 0.02)
        let scale = 1 + change / denominator
        factors[i] = scale * scale
    }
    var i = 0
    while i < count {
        let factor = load8(factors + i)
        store8(load8(red + i) * factor, red + i)
        store8(load8(green + i) * factor, green + i)
        store8(load8(blue + i) * factor, blue + i)
        i = i &+ 8
    }
}

/// Converts linear values 0…1 to indices into the display's 8-bit tone curve: the upper 17 bits of the float value +
/// 1/256.
package func displayCurveIndices(_ row: UnsafePointer<Float>, count: Int, indices: UnsafeMutablePointer<UInt16>) {
    for i in 0..<count {
        indices[i] = UInt16(truncatingIfNeeded: (max(0, min(1, row[i])) + 0x1p-8).bitPattern &>> 15)
    }
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

/// Looks up each pixel's three curve indices in the display's tone curve and stores pixels `step` bytes apart; with
/// `isOpaque` a fourth byte is 255. With a step of 3, rows must be stored in order, because each store also overwrites
/// the next pixel's first byte.
package func storeDisplayPixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>,
    curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, isOpaque: Bool, step: Int,
    count: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    let values = curve - (0x3B80_0000 >> 15)
    var first = 0
    if isOpaque || step == 3 {
        // Each pixel is one 32-bit store; where pixels have three bytes, the fourth is overwritten by the next pixel.
        let shifts = (UInt32(8 &* redOffset), UInt32(8 &* greenOffset), UInt32(8 &* blueOffset))
        let alpha: UInt32 = isOpaque ? 0xFF00_0000 : 0
        let end = isOpaque ? count : count &- 1
        while first < end {
            let color =
                UInt32(values[Int(red[first])]) &<< shifts.0 | UInt32(values[Int(green[first])]) &<< shifts.1
                | UInt32(values[Int(blue[first])]) &<< shifts.2 | alpha
            UnsafeMutableRawPointer(bytes + first &* step).storeBytes(of: color.littleEndian, as: UInt32.self)
            first = first &+ 1
        }
    }
    while first < count {
        let pixel = bytes + first &* step
        pixel[redOffset] = values[Int(red[first])]
        pixel[greenOffset] = values[Int(green[first])]
        pixel[blueOffset] = values[Int(blue[first])]
        first = first &+ 1
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
