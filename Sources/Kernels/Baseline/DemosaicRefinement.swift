package import KernelTypes

// Kernels that refine green in pictures with little noise. Differences of green from red or blue vary slowly, so their
// fast variation along a direction is treated as interpolation error, as far as the neighbourhood supports that: a
// linear minimum mean square error estimate (LMMSE). Rows are half rows.

/// Estimates, at each pixel of a half row, by how much green exceeds red or blue along one direction. `sign` is 1 where
/// the half row samples red or blue, −1 where it samples green.
package func estimateDifference(
    _ line: LineNeighbours, sign: Float, difference: UnsafeMutablePointer<Float>, count: Int
) {
    let (centre, before1, before2) = (line.centre, line.before1, line.before2)
    let (after1, after2) = (line.after1, line.after2)
    for i in stride(from: 0, to: count, by: 8) {
        let near = (load8(before1 + i) + load8(after1 + i)) * 0.5
        let far = (load8(before2 + i) + load8(after2 + i)) * 0.25
        store8((near - far - load8(centre + i) * 0.5) * sign, difference + i)
    }
}

/// Smooths colour differences along their direction, and computes the squares of the differences between the values
/// before and after smoothing.
package func smoothDifference(
    _ line: LineNeighbours, smooth: UnsafeMutablePointer<Float>, removed: UnsafeMutablePointer<Float>, count: Int
) {
    let (here, before1, before2, before3) = (line.centre, line.before1, line.before2, line.before3)
    let (after1, after2, after3) = (line.after1, line.after2, line.after3)
    // The weights of a Gaussian with a standard deviation of 1.5 pixels.
    let (weight0, weight1, weight2, weight3): (Float, Float, Float, Float) = (0.2707, 0.21675, 0.1113, 0.0366)
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(here + i)
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
    _ difference: UnsafePointer<Float>, smooth: LineNeighbours, removed: LineNeighbours,
    estimate: UnsafeMutablePointer<Float>, error: UnsafeMutablePointer<Float>, count: Int
) {
    /// Added to sums of squared differences that are divided by, so that no divisor is 0; far below a visible
    /// difference.
    let least: Float = 1e-7
    let (smoothHere, smoothBefore1, smoothBefore2) = (smooth.centre, smooth.before1, smooth.before2)
    let (smoothBefore3, smoothAfter1) = (smooth.before3, smooth.after1)
    let (smoothAfter2, smoothAfter3) = (smooth.after2, smooth.after3)
    let (removedHere, removedBefore1, removedBefore2) = (removed.centre, removed.before1, removed.before2)
    let (removedBefore3, removedAfter1) = (removed.before3, removed.after1)
    let (removedAfter2, removedAfter3) = (removed.after2, removed.after3)
    for i in stride(from: 0, to: count, by: 8) {
        let centre = load8(smoothHere + i)
        let (before1, before2) = (load8(smoothBefore1 + i), load8(smoothBefore2 + i))
        let (after1, after2) = (load8(smoothAfter1 + i), load8(smoothAfter2 + i))
        let (before3, after3) = (load8(smoothBefore3 + i), load8(smoothAfter3 + i))
        let inner: SIMD8<Float> = centre + (before1 + after1) + (before2 + after2)
        let mean: SIMD8<Float> = (inner + (before3 + after3)) * (1 / 7)
        let near = square(before1 - mean) + square(after1 - mean)
        let middle = square(before2 - mean) + square(after2 - mean)
        let far = square(before3 - mean) + square(after3 - mean)
        let signal = square(centre - mean) + near + middle + far + least
        let noiseNear = load8(removedHere + i) + load8(removedBefore1 + i) + load8(removedAfter1 + i)
        let noiseFar =
            load8(removedBefore2 + i) + load8(removedAfter2 + i) + load8(removedBefore3 + i) + load8(removedAfter3 + i)
        let noise = noiseNear + noiseFar + least
        let trust = signal / (signal + noise)
        store8(centre + (load8(difference + i) - centre) * trust, estimate + i)
        store8(noise * trust, error + i)
    }
}

/// Moves green, and the difference of the sampled red or blue from it, half way to an estimate: the mean of those along
/// the row and along the column, each weighted by the other's error. The first interpolation and this estimate make
/// different errors, so their mean is better than either.
package func refineGreen(
    _ line: UnsafePointer<Float>, across: UnsafePointer<Float>, acrossError: UnsafePointer<Float>,
    down: UnsafePointer<Float>, downError: UnsafePointer<Float>, green: UnsafeMutablePointer<Float>,
    difference: UnsafeMutablePointer<Float>, count: Int
) {
    for i in stride(from: 0, to: count, by: 8) {
        let (errorAcross, errorDown) = (load8(acrossError + i), load8(downError + i))
        let estimate = (load8(across + i) * errorDown + load8(down + i) * errorAcross) / (errorAcross + errorDown)
        // The estimate is green less red or blue, `difference` is red or blue less green.
        let refined = (load8(difference + i) - estimate) * 0.5
        store8(load8(line + i) - refined, green + i)
        store8(refined, difference + i)
    }
}

@inline(__always)
private func square(_ vector: SIMD8<Float>) -> SIMD8<Float> { vector * vector }
