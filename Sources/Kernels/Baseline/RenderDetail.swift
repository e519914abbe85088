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
/// roots have a value more at each end. Works on whole vectors.
package func sharpenRow(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    above: UnsafePointer<Float>, here: UnsafePointer<Float>, below: UnsafePointer<Float>, amount: Float, noise: Float,
    bound: Float, count: Int
) {
    let (two, quarter) = (SIMD8<Float>(repeating: 2), SIMD8<Float>(repeating: 0.25))
    let (one, least, amounts) = (
        SIMD8<Float>(repeating: 1), SIMD8<Float>(repeating: 0.02), SIMD8<Float>(repeating: amount)
    )
    let (noises, closeness) = (SIMD8<Float>(repeating: noise), SIMD8<Float>(repeating: 1 / bound))
    var i = 0
    while i < count {
        let middle = load8(here + i)
        let before = load8(above + i - 1) + two * load8(here + i - 1) + load8(below + i - 1)
        let after = load8(above + i + 1) + two * load8(here + i + 1) + load8(below + i + 1)
        let own = load8(above + i) + two * middle + load8(below + i)
        let mean = (before + two * own + after) * quarter * quarter
        let detail = middle - mean
        let square = detail * detail
        let trust = square / (square + noises)
        let wanted = detail * trust * amounts
        let added = wanted / (one + magnitude(wanted) * closeness)
        let scale = one + added / larger(middle, least)
        let factor = scale * scale
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
/// a fourth byte is full.
package func storeDisplayPixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>,
    curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, isOpaque: Bool, step: Int,
    count: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    let first = 0x3B80_0000 >> 15
    for i in 0..<count {
        let pixel = bytes + i &* step
        pixel[redOffset] = curve[Int(red[i]) &- first]
        pixel[greenOffset] = curve[Int(green[i]) &- first]
        pixel[blueOffset] = curve[Int(blue[i]) &- first]
        if isOpaque { pixel[3] = 255 }
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
