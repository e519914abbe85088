internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

// The excess is by how much a linear value is above 1. Interpolation clamps values at 1; the excess is added to its
// result.

extension DemosaicLines {
    /// Returns whether a row, one of the last 16 rows read, has linear values above 1.
    func isBright(_ row: Int) -> Bool { brightRows & 1 << UInt16(row & 15) != 0 }

    /// Computes by how much each linear value of a row is above 1, for even and odd columns separately; skips rows
    /// without such values.
    func splitExcess(_ row: Int) {
        guard isBright(row) else { return }
        let source = Self.mirror(row, format.height)
        let start = codes + source * format.stride
        let halves = unsafe (line(.excess, row, 0), line(.excess, row, 1))
        for phase in 0..<2 {
            let position = 2 * (source & 1) + phase
            let count = (format.width + 1 - phase) / 2
            unsafe Kernels.excessRow(
                (start + phase).pointer(2 * count - 1), count: count, black: plan.balance.black[position],
                gain: plan.balance.gain[position], excess: phase == 0 ? halves.0 : halves.1)
        }
        unsafe mirrorEnds(halves.0, halves.1)
    }

    /// Returns by how much the even (phase 0) or odd (1) columns of a row are above 1: zeros when no column is.
    private func excess(_ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe isBright(row) ? line(.excess, row, phase) : line(.noExcess, 0)
    }

    /// Adds the excess over 1 to red, green and blue at a row's red or blue pixels: for each colour the least excess
    /// among the nearest pixels of that colour.
    func addExcess(toOwn colors: ColorRows, _ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        let center = unsafe excess(row, own)
        let beside = unsafe excess(row, other) - other
        let (above, below) = unsafe (excess(row - 1, own), excess(row + 1, own))
        let (diagonalAbove, diagonalBelow) = unsafe (excess(row - 1, other) - other, excess(row + 1, other) - other)
        unsafe addLeastExcess(colors.own, center, center, center, center, count: cells)
        unsafe addLeastExcess(colors.green, beside, beside + 1, above, below, count: cells)
        unsafe addLeastExcess(
            colors.opposite, diagonalAbove, diagonalAbove + 1, diagonalBelow, diagonalBelow + 1, count: cells)
    }

    /// Adds the excess over 1 to red, green and blue at a row's green pixels: for each colour the least excess among
    /// the nearest pixels of that colour.
    func addExcess(toGreen colors: ColorRows, _ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        let center = unsafe excess(row, other)
        let beside = unsafe excess(row, own) - own
        let (above, below) = unsafe (excess(row - 1, other), excess(row + 1, other))
        unsafe addLeastExcess(colors.own, beside, beside + 1, beside, beside + 1, count: cells)
        unsafe addLeastExcess(colors.green, center, center, center, center, count: cells)
        unsafe addLeastExcess(colors.opposite, above, below, above, below, count: cells)
    }
}
