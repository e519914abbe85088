internal import KernelsBaseline
internal import KernelsV3

/// How much green exceeds the line's colour, estimated along one direction; `sign` is −1 where the line is green.
package func estimateDifference(
    _ line: UnsafePointer<Float>, before1: UnsafePointer<Float>, before2: UnsafePointer<Float>,
    after1: UnsafePointer<Float>, after2: UnsafePointer<Float>, sign: Float, difference: UnsafeMutablePointer<Float>,
    count: Int
) {
    hasWideVectors
        ? KernelsV3.estimateDifference(
            line, before1: before1, before2: before2, after1: after1, after2: after2, sign: sign,
            difference: difference, count: count)
        : KernelsBaseline.estimateDifference(
            line, before1: before1, before2: before2, after1: after1, after2: after2, sign: sign,
            difference: difference, count: count)
}

/// Smooths differences along their direction and tells the square of what is taken away.
package func smoothDifference(
    _ line: UnsafePointer<Float>, before1: UnsafePointer<Float>, before2: UnsafePointer<Float>,
    before3: UnsafePointer<Float>, after1: UnsafePointer<Float>, after2: UnsafePointer<Float>,
    after3: UnsafePointer<Float>, smooth: UnsafeMutablePointer<Float>, removed: UnsafeMutablePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.smoothDifference(
            line, before1: before1, before2: before2, before3: before3, after1: after1, after2: after2, after3: after3,
            smooth: smooth, removed: removed, count: count)
        : KernelsBaseline.smoothDifference(
            line, before1: before1, before2: before2, before3: before3, after1: after1, after2: after2, after3: after3,
            smooth: smooth, removed: removed, count: count)
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
    hasWideVectors
        ? KernelsV3.weighDifference(
            difference, smooth: smooth, smoothBefore1: smoothBefore1, smoothBefore2: smoothBefore2,
            smoothBefore3: smoothBefore3, smoothAfter1: smoothAfter1, smoothAfter2: smoothAfter2,
            smoothAfter3: smoothAfter3, removed: removed, removedBefore1: removedBefore1,
            removedBefore2: removedBefore2, removedBefore3: removedBefore3, removedAfter1: removedAfter1,
            removedAfter2: removedAfter2, removedAfter3: removedAfter3, estimate: estimate, error: error, count: count)
        : KernelsBaseline.weighDifference(
            difference, smooth: smooth, smoothBefore1: smoothBefore1, smoothBefore2: smoothBefore2,
            smoothBefore3: smoothBefore3, smoothAfter1: smoothAfter1, smoothAfter2: smoothAfter2,
            smoothAfter3: smoothAfter3, removed: removed, removedBefore1: removedBefore1,
            removedBefore2: removedBefore2, removedBefore3: removedBefore3, removedAfter1: removedAfter1,
            removedAfter2: removedAfter2, removedAfter3: removedAfter3, estimate: estimate, error: error, count: count)
}

/// Moves green, and the own colour's difference from it, half way to the estimates along rows and columns, each of
/// which counts by the other's error. Both ways to estimate green err differently: their mean errs less than either.
package func refineGreen(
    _ line: UnsafePointer<Float>, across: UnsafePointer<Float>, acrossError: UnsafePointer<Float>,
    down: UnsafePointer<Float>, downError: UnsafePointer<Float>, green: UnsafeMutablePointer<Float>,
    difference: UnsafeMutablePointer<Float>, count: Int
) {
    hasWideVectors
        ? KernelsV3.refineGreen(
            line, across: across, acrossError: acrossError, down: down, downError: downError, green: green,
            difference: difference, count: count)
        : KernelsBaseline.refineGreen(
            line, across: across, acrossError: acrossError, down: down, downError: downError, green: green,
            difference: difference, count: count)
}
