// The refinement of green for clean pictures: differences of green from red or blue vary slowly, so what they vary
// quickly along a direction is taken for error, as far as the neighbourhood bears that out (a linear minimum mean
// square error estimate). Lines are of one half; neighbours within three pixels before and after along a row or a
// column are passed as `before1` to `after3`.

/// How much green exceeds the line's colour, estimated along one direction; `sign` is −1 where the line is green.
package func estimateDifference(
    _ line: UnsafePointer<Float>, before1: UnsafePointer<Float>, before2: UnsafePointer<Float>,
    after1: UnsafePointer<Float>, after2: UnsafePointer<Float>, sign: Float, difference: UnsafeMutablePointer<Float>,
    count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let near = (load8(before1 + i) + load8(after1 + i)) * 0.5
        let far = (load8(before2 + i) + load8(after2 + i)) * 0.25
        store8((near - far - load8(line + i) * 0.5) * sign, difference + i)
    }
}

/// Smooths differences along their direction and tells the square of what is taken away.
package func smoothDifference(
    _ line: UnsafePointer<Float>, before1: UnsafePointer<Float>, before2: UnsafePointer<Float>,
    before3: UnsafePointer<Float>, after1: UnsafePointer<Float>, after2: UnsafePointer<Float>,
    after3: UnsafePointer<Float>, smooth: UnsafeMutablePointer<Float>, removed: UnsafeMutablePointer<Float>, count: Int
) {
    // A Gaussian bell of 1.5 pixels.
    let (weight0, weight1, weight2, weight3): (Float, Float, Float, Float) = (0.2707, 0.21675, 0.1113, 0.0366)
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(line + i)
        let near = (load8(before1 + i) + load8(after1 + i)) * weight1
        let middle = (load8(before2 + i) + load8(after2 + i)) * weight2
        let far = (load8(before3 + i) + load8(after3 + i)) * weight3
        let sum = centre * weight0 + near + middle + far
        store8(sum, smooth + i)
        store8((centre - sum) * (centre - sum), removed + i)
    }
}

/// The best linear estimate of a difference from its smoothed neighbourhood along a direction, and its squared error.
package func weighDifference(
    _ difference: UnsafePointer<Float>, smooth: UnsafePointer<Float>, smoothBefore1: UnsafePointer<Float>,
    smoothBefore2: UnsafePointer<Float>, smoothBefore3: UnsafePointer<Float>, smoothAfter1: UnsafePointer<Float>,
    smoothAfter2: UnsafePointer<Float>, smoothAfter3: UnsafePointer<Float>, removed: UnsafePointer<Float>,
    removedBefore1: UnsafePointer<Float>, removedBefore2: UnsafePointer<Float>, removedBefore3: UnsafePointer<Float>,
    removedAfter1: UnsafePointer<Float>, removedAfter2: UnsafePointer<Float>, removedAfter3: UnsafePointer<Float>,
    estimate: UnsafeMutablePointer<Float>, error: UnsafeMutablePointer<Float>, count: Int
) {
    /// Of squared differences: far below what can be seen.
    let least: Float = 1e-7
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(smooth + i)
        let (before1, before2) = (load8(smoothBefore1 + i), load8(smoothBefore2 + i))
        let (after1, after2) = (load8(smoothAfter1 + i), load8(smoothAfter2 + i))
        let (before3, after3) = (load8(smoothBefore3 + i), load8(smoothAfter3 + i))
        let mean = (centre + (before1 + after1) + (before2 + after2) + (before3 + after3)) * (1 / 7)
        let near = square(before1 - mean) + square(after1 - mean)
        let middle = square(before2 - mean) + square(after2 - mean)
        let far = square(before3 - mean) + square(after3 - mean)
        let signal = square(centre - mean) + near + middle + far + least
        let noiseNear = load8(removed + i) + load8(removedBefore1 + i) + load8(removedAfter1 + i)
        let noiseFar =
            load8(removedBefore2 + i) + load8(removedAfter2 + i) + load8(removedBefore3 + i) + load8(removedAfter3 + i)
        let noise = noiseNear + noiseFar + least
        let trust = signal / (signal + noise)
        store8(centre + (load8(difference + i) - centre) * trust, estimate + i)
        store8(noise * trust, error + i)
    }
}

/// Moves green, and the own colour's difference from it, half way to the estimates along rows and columns, each of
/// which counts by the other's error. Both ways to estimate green err differently: their mean errs less than either.
package func refineGreen(
    _ line: UnsafePointer<Float>, across: UnsafePointer<Float>, acrossError: UnsafePointer<Float>,
    down: UnsafePointer<Float>, downError: UnsafePointer<Float>, green: UnsafeMutablePointer<Float>,
    difference: UnsafeMutablePointer<Float>, count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let (errorAcross, errorDown) = (load8(acrossError + i), load8(downError + i))
        let estimate = (load8(across + i) * errorDown + load8(down + i) * errorAcross) / (errorAcross + errorDown)
        // The estimate is green less own, the line's difference own less green.
        let refined = (load8(difference + i) - estimate) * 0.5
        store8(load8(line + i) - refined, green + i)
        store8(refined, difference + i)
    }
}

@inline(__always)
private func square(_ vector: SIMD8<Float>) -> SIMD8<Float> { vector * vector }
