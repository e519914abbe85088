internal import Kernels
internal import RawImage

// What colours saw above 1.

extension DemosaicLines {
    func isBright(_ row: Int) -> Bool { brightRows & 1 << UInt16(row & 15) != 0 }

    func splitExcess(_ row: Int) {
        guard isBright(row) else { return }
        let source = Self.mirror(row, format.height)
        let start = unsafe codes + source * format.stride
        let halves = unsafe (line(.excess, row, 0), line(.excess, row, 1))
        for phase in 0..<2 {
            let place = 2 * (source & 1) + phase
            unsafe Kernels.excessRow(
                start + phase, count: (format.width + 1 - phase) / 2, black: plan.balance.black[place],
                gain: plan.balance.gain[place], excess: phase == 0 ? halves.0 : halves.1)
        }
        unsafe mirrorEnds(halves.0, halves.1)
    }

    private func excess(_ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe isBright(row) ? line(.excess, row, phase) : line(.noExcess, 0)
    }

    func addExcess(toOwn colors: Colors, _ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        let mine = unsafe excess(row, own)
        let beside = unsafe excess(row, other) - other
        let (above, below) = unsafe (excess(row - 1, own), excess(row + 1, own))
        let (diagonalAbove, diagonalBelow) = unsafe (excess(row - 1, other) - other, excess(row + 1, other) - other)
        unsafe addLeastExcess(colors.own, mine, mine, mine, mine, count: cells)
        unsafe addLeastExcess(colors.green, beside, beside + 1, above, below, count: cells)
        unsafe addLeastExcess(
            colors.opposite, diagonalAbove, diagonalAbove + 1, diagonalBelow, diagonalBelow + 1, count: cells)
    }

    func addExcess(toGreen colors: Colors, _ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        let mine = unsafe excess(row, other)
        let beside = unsafe excess(row, own) - own
        let (above, below) = unsafe (excess(row - 1, other), excess(row + 1, other))
        unsafe addLeastExcess(colors.own, beside, beside + 1, beside, beside + 1, count: cells)
        unsafe addLeastExcess(colors.green, mine, mine, mine, mine, count: cells)
        unsafe addLeastExcess(colors.opposite, above, below, above, below, count: cells)
    }
}
