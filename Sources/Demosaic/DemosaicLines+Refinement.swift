internal import KernelTypes
internal import Kernels

// The refinement of green: a linear minimum mean square error (LMMSE) estimate of the differences between green and the
// row's other colour, along rows and along columns.

extension DemosaicLines {
    /// Estimates, at each pixel of a row, green less the other colour of the pixel's column (red or blue), from the
    /// pixels above and below.
    func estimateDown(_ row: Int) {
        let own = ownPhase(row)
        for phase in 0..<2 {
            unsafe estimateDifference(
                column(.root, row, phase), sign: phase == own ? 1 : -1, difference: wide(.down, row, phase),
                count: wideCount)
        }
    }

    /// Smooths a row's differences between green and red or blue along columns, and stores the squares of what
    /// smoothing removes.
    func smoothDown(_ row: Int) {
        for phase in 0..<2 {
            unsafe smoothDifference(
                column(.down, row, phase), smooth: wide(.smoothDown, row, phase),
                removed: wide(.removedDown, row, phase), count: wideCount)
        }
    }

    /// Estimates, along a row, the differences between green and the row's red or blue, and smooths them.
    private func smoothAlong(_ row: Int) {
        let own = ownPhase(row)
        for phase in 0..<2 {
            unsafe estimateDifference(
                alongRow(.root, row, phase), sign: phase == own ? 1 : -1, difference: wide(.along, 0, phase),
                count: wideCount)
        }
        for phase in 0..<2 {
            unsafe smoothDifference(
                alongRow(.along, 0, phase), smooth: wide(.smoothAlong, 0, phase),
                removed: wide(.removedAlong, 0, phase), count: wideCount)
        }
    }

    /// Returns the even (phase 0) or odd (1) columns of a row in a ring, with the pixels up to three columns to the
    /// left and right.
    private func alongRow(_ ring: Ring, _ row: Int, _ phase: Int) -> LineNeighbours {
        unsafe LineNeighbours(alongRow: wide(ring, row, phase), beside: beside(ring, row, 1 - phase))
    }

    /// Moves green at a row's red or blue pixels half way to the LMMSE estimates along row and column, weighted by the
    /// inverse of their errors.
    func refineGreen(_ row: Int) {
        let own = ownPhase(row)
        let (across, acrossError) = unsafe (wide(.estimates, 0, 0), wide(.estimates, 0, 1))
        let (down, downError) = unsafe (wide(.estimates, 0, 2), wide(.estimates, 0, 3))
        smoothAlong(row)
        unsafe estimateLMMSE(
            wide(.along, 0, own), smooth: alongRow(.smoothAlong, 0, own), removed: alongRow(.removedAlong, 0, own),
            estimate: across, error: acrossError, count: wideCount)
        unsafe estimateLMMSE(
            wide(.down, row, own), smooth: column(.smoothDown, row, own), removed: column(.removedDown, row, own),
            estimate: down, error: downError, count: wideCount)
        unsafe Kernels.refineGreen(
            wide(.root, row, own), across: across, acrossError: acrossError, down: down,
            downError: downError, green: wide(.green, row), difference: wide(.difference, row), count: wideCount)
    }
}
