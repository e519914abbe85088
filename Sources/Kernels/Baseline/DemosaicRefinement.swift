// Kernels that refine green in pictures with little noise. Differences of green from red or blue vary slowly, so their
// fast variation along a direction is treated as interpolation error, as far as the neighbourhood supports that: a
// linear minimum mean square error estimate (LMMSE). Rows are half rows; the neighbours up to three pixels before and
// after along a row or a column are `before1` to `after3`.

/// Estimates by how much green exceeds the half row's colour along one direction; `sign` is −1 where its samples are
/// green.
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

/// Smooths colour differences along their direction and computes the squares of what smoothing removes.
package func smoothDifference(
    _ line: UnsafePointer<Float>, before1: UnsafePointer<Float>, before2: UnsafePointer<Float>,
    before3: UnsafePointer<Float>, after1: UnsafePointer<Float>, after2: UnsafePointer<Float>,
    after3: UnsafePointer<Float>, smooth: UnsafeMutablePointer<Float>, removed: UnsafeMutablePointer<Float>, count: Int
) {
    // The weights of a Gaussian with a standard deviation of 1.5 pixels.
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

/// Computes the LMMSE estimate of a colour difference from its smoothed neighbourhood along a direction, and the
/// estimate's squared error.
package func estimateLMMSE(
    _ difference: UnsafePointer<Float>, smooth: UnsafePointer<Float>, smoothBefore1: UnsafePointer<Float>,
    smoothBefore2: UnsafePointer<Float>, smoothBefore3: UnsafePointer<Float>, smoothAfter1: UnsafePointer<Float>,
    smoothAfter2: UnsafePointer<Float>, smoothAfter3: UnsafePointer<Float>, removed: UnsafePointer<Float>,
    removedBefore1: UnsafePointer<Float>, removedBefore2: UnsafePointer<Float>, removedBefore3: UnsafePointer<Float>,
    removedAfter1: UnsafePointer<Float>, removedAfter2: UnsafePointer<Float>, removedAfter3: UnsafePointer<Float>,
    estimate: UnsafeMutablePointer<Float>, error: UnsafeMutablePointer<Float>, count: Int
) {
    /// Added to squared differences that are divided by, so that none is 0; far below a visible difference.
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

/// Moves green, and the own colour's difference from it, half way to the estimates along rows and columns, each
/// weighted by the other's error. The first interpolation and this estimate make different errors, so their mean is
/// better than either.
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
