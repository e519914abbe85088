internal import Kernels

// The refinement of green: a linear minimum mean square error (LMMSE) estimate of the differences between green and the
// row's other colour, along rows and along columns.

extension DemosaicLines {
    /// Estimates the difference of green from red or blue along columns.
    func estimateDown(_ row: Int) {
        let own = ownPhase(row)
        for phase in 0..<2 {
            unsafe estimateDifference(
                wide(.root, row, phase), before1: wide(.root, row - 1, phase), before2: wide(.root, row - 2, phase),
                after1: wide(.root, row + 1, phase), after2: wide(.root, row + 2, phase),
                sign: phase == own ? 1 : -1, difference: wide(.down, row, phase), count: wideCount)
        }
    }

    /// Smooths the differences along columns, and squares what smoothing removes.
    func smoothDown(_ row: Int) {
        for phase in 0..<2 {
            unsafe smoothDifference(
                wide(.down, row, phase), before1: wide(.down, row - 1, phase), before2: wide(.down, row - 2, phase),
                before3: wide(.down, row - 3, phase), after1: wide(.down, row + 1, phase),
                after2: wide(.down, row + 2, phase), after3: wide(.down, row + 3, phase),
                smooth: wide(.smoothDown, row, phase), removed: wide(.removedDown, row, phase), count: wideCount)
        }
    }

    /// Estimates and smooths the differences along the row.
    private func smoothAlong(_ row: Int) {
        let own = ownPhase(row)
        for phase in 0..<2 {
            let (line, beside) = unsafe (wide(.root, row, phase), beside(.root, row, 1 - phase))
            unsafe estimateDifference(
                line, before1: beside, before2: line - 1, after1: beside + 1, after2: line + 1,
                sign: phase == own ? 1 : -1, difference: wide(.along, 0, phase), count: wideCount)
        }
        for phase in 0..<2 {
            let (line, beside) = unsafe (wide(.along, 0, phase), beside(.along, 0, 1 - phase))
            unsafe smoothDifference(
                line, before1: beside, before2: line - 1, before3: beside - 1, after1: beside + 1, after2: line + 1,
                after3: beside + 2, smooth: wide(.smoothAlong, 0, phase), removed: wide(.removedAlong, 0, phase),
                count: wideCount)
        }
    }

    /// Moves green at a row's red or blue pixels half way to the LMMSE estimates along row and column, weighted by the
    /// inverse of their errors.
    func refineGreen(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        let (across, acrossError) = unsafe (wide(.estimates, 0, 0), wide(.estimates, 0, 1))
        let (down, downError) = unsafe (wide(.estimates, 0, 2), wide(.estimates, 0, 3))
        smoothAlong(row)
        let (smooth, smoothBeside) = unsafe (wide(.smoothAlong, 0, own), beside(.smoothAlong, 0, other))
        let (removed, removedBeside) = unsafe (wide(.removedAlong, 0, own), beside(.removedAlong, 0, other))
        unsafe estimateLMMSE(
            wide(.along, 0, own), smooth: smooth, smoothBefore1: smoothBeside, smoothBefore2: smooth - 1,
            smoothBefore3: smoothBeside - 1, smoothAfter1: smoothBeside + 1, smoothAfter2: smooth + 1,
            smoothAfter3: smoothBeside + 2, removed: removed, removedBefore1: removedBeside,
            removedBefore2: removed - 1, removedBefore3: removedBeside - 1, removedAfter1: removedBeside + 1,
            removedAfter2: removed + 1, removedAfter3: removedBeside + 2, estimate: across, error: acrossError,
            count: wideCount)
        unsafe estimateLMMSE(
            wide(.down, row, own), smooth: wide(.smoothDown, row, own),
            smoothBefore1: wide(.smoothDown, row - 1, own), smoothBefore2: wide(.smoothDown, row - 2, own),
            smoothBefore3: wide(.smoothDown, row - 3, own), smoothAfter1: wide(.smoothDown, row + 1, own),
            smoothAfter2: wide(.smoothDown, row + 2, own), smoothAfter3: wide(.smoothDown, row + 3, own),
            removed: wide(.removedDown, row, own), removedBefore1: wide(.removedDown, row - 1, own),
            removedBefore2: wide(.removedDown, row - 2, own), removedBefore3: wide(.removedDown, row - 3, own),
            removedAfter1: wide(.removedDown, row + 1, own), removedAfter2: wide(.removedDown, row + 2, own),
            removedAfter3: wide(.removedDown, row + 3, own), estimate: down, error: downError,
            count: wideCount)
        unsafe Kernels.refineGreen(
            wide(.root, row, own), across: across, acrossError: acrossError, down: down,
            downError: downError, green: wide(.green, row), difference: wide(.difference, row), count: wideCount)
    }
}
