// Kernels that sharpen, and that store finished rows.

/// The root of each pixel's brightness, in which steps look alike. Works on whole vectors.
package func brightnessRoots(
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

/// Sharpens a row by what its brightness has beyond the mean around: by `amount`, but the less the nearer to `bound`, so that
/// texture comes out and edges get no seams. What is more likely noise, whose variance is `noise`, stays as it is. Rows of
/// roots have a value more at each end. `factors` is room for as many as there are. Works on whole vectors.
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
        let detail = here[i] - (before + 2 * own + after) * 0.0625
        // What is trusted, by what it is a share of: one division in place of three.
        let square = detail * detail
        let wanted = detail * square * amount
        let whole = (square + noise + wanted.magnitude * closeness) * max(here[i], 0.02)
        let scale = 1 + wanted / whole
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

/// The places of a row's light on a display's curve of 8 bits.
package func displayPlaces(_ row: UnsafePointer<Float>, count: Int, indices: UnsafeMutablePointer<UInt16>) {
    for i in 0..<count {
        indices[i] = UInt16(truncatingIfNeeded: (max(0, min(1, row[i])) + 0x1p-8).bitPattern &>> 15)
    }
}

/// Stores a row as bytes, each 255 for 1, every third or fourth byte.
package func storeBytes(
    _ row: UnsafePointer<Float>, count: Int, step: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    for i in 0..<count {
        bytes[i &* step] = UInt8(truncatingIfNeeded: ((max(0, min(1, row[i])) * 255) + 12_582_912).bitPattern)
    }
}

/// Stores a row as words, each 65535 for 1, every third one.
package func storeWords(_ row: UnsafePointer<Float>, count: Int, step: Int, words: UnsafeMutablePointer<UInt16>) {
    for i in 0..<count {
        words[i &* step] = UInt16(truncatingIfNeeded: ((max(0, min(1, row[i])) * 65_535) + 12_582_912).bitPattern)
    }
}

/// Looks the places of a row's three colours up in the display's curve and stores them `step` bytes apart. With `isOpaque`
/// a fourth byte is full. A step of three is one of rows that are stored in order: a pixel's store reaches into the next one.
package func storeDisplayPixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>,
    curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, isOpaque: Bool, step: Int,
    count: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    let values = curve - (0x3B80_0000 >> 15)
    var first = 0
    if isOpaque || step == 3 {
        // A store for a pixel; where a pixel has three bytes, the fourth is the next one's first.
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

/// The mean of a row's columns under each of fewer pixels: from `starts`, with a share of the first, of the last, and all
/// between, which are `lengths` together.
package func averageColumns(
    _ row: UnsafePointer<Float>, starts: UnsafePointer<UInt32>, lengths: UnsafePointer<UInt32>,
    firstShares: UnsafePointer<Float>, lastShares: UnsafePointer<Float>, scale: Float, count: Int,
    means: UnsafeMutablePointer<Float>
) {
    for i in 0..<count {
        let start = row + Int(starts[i])
        let last = Int(lengths[i]) &- 1
        var sum = start[0] * firstShares[i]
        var j = 1
        while j < last {
            sum += start[j]
            j = j &+ 1
        }
        sum += start[last] * lastShares[i]
        means[i] = sum * scale
    }
}
