internal import KernelsBaseline
internal import KernelsV3

/// The root of each pixel's brightness, in which steps look alike. Works on whole vectors.
package func brightnessRoots(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, weights: SIMD3<Float>,
    count: Int, roots: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.brightnessRoots(red, green, blue, weights: weights, count: count, roots: roots)
    } else {
        KernelsBaseline.brightnessRoots(red, green, blue, weights: weights, count: count, roots: roots)
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
    if hasWideVectors {
        KernelsV3.sharpenRow(
            red, green, blue, above: above, here: here, below: below, amount: amount,
            noise: noise, bound: bound, count: count, factors: factors)
    } else {
        KernelsBaseline.sharpenRow(
            red, green, blue, above: above, here: here, below: below, amount: amount,
            noise: noise, bound: bound, count: count, factors: factors)
    }
}

/// The places of a row's light on a display's curve of 8 bits.
package func displayPlaces(_ row: UnsafePointer<Float>, count: Int, indices: UnsafeMutablePointer<UInt16>) {
    if hasWideVectors {
        KernelsV3.displayPlaces(row, count: count, indices: indices)
    } else {
        KernelsBaseline.displayPlaces(row, count: count, indices: indices)
    }
}

/// Stores a row as bytes, each 255 for 1, every third or fourth byte.
package func storeBytes(_ row: UnsafePointer<Float>, count: Int, step: Int, bytes: UnsafeMutablePointer<UInt8>) {
    if hasWideVectors {
        KernelsV3.storeBytes(row, count: count, step: step, bytes: bytes)
    } else {
        KernelsBaseline.storeBytes(row, count: count, step: step, bytes: bytes)
    }
}

/// Stores a row as words, each 65535 for 1, every third one.
package func storeWords(_ row: UnsafePointer<Float>, count: Int, step: Int, words: UnsafeMutablePointer<UInt16>) {
    if hasWideVectors {
        KernelsV3.storeWords(row, count: count, step: step, words: words)
    } else {
        KernelsBaseline.storeWords(row, count: count, step: step, words: words)
    }
}

/// Looks the places of a row's three colours up in the display's curve and stores them `step` bytes apart. With `isOpaque`
/// a fourth byte is full. A step of three is one of rows that are stored in order: a pixel's store reaches into the next one.
package func storeDisplayPixels(
    _ red: UnsafePointer<UInt16>, _ green: UnsafePointer<UInt16>, _ blue: UnsafePointer<UInt16>,
    curve: UnsafePointer<UInt8>, redOffset: Int, greenOffset: Int, blueOffset: Int, isOpaque: Bool, step: Int,
    count: Int, bytes: UnsafeMutablePointer<UInt8>
) {
    if hasWideVectors {
        KernelsV3.storeDisplayPixels(
            red, green, blue, curve: curve, redOffset: redOffset, greenOffset: greenOffset, blueOffset: blueOffset,
            isOpaque: isOpaque, step: step, count: count, bytes: bytes)
    } else {
        KernelsBaseline.storeDisplayPixels(
            red, green, blue, curve: curve, redOffset: redOffset, greenOffset: greenOffset, blueOffset: blueOffset,
            isOpaque: isOpaque, step: step, count: count, bytes: bytes)
    }
}

/// The mean of a row's columns under each of fewer pixels: from `starts`, with a share of the first, of the last, and all
/// between, which are `lengths` together.
package func averageColumns(
    _ row: UnsafePointer<Float>, starts: UnsafePointer<UInt32>, lengths: UnsafePointer<UInt32>,
    firstShares: UnsafePointer<Float>, lastShares: UnsafePointer<Float>, scale: Float, count: Int,
    means: UnsafeMutablePointer<Float>
) {
    if hasWideVectors {
        KernelsV3.averageColumns(
            row, starts: starts, lengths: lengths, firstShares: firstShares, lastShares: lastShares, scale: scale,
            count: count, means: means)
    } else {
        KernelsBaseline.averageColumns(
            row, starts: starts, lengths: lengths, firstShares: firstShares, lastShares: lastShares, scale: scale,
            count: count, means: means)
    }
}
