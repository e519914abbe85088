internal import Kernels
internal import RawImage

// The stages of both demosaic methods; each processes one row at a time.

extension DemosaicLines {
    /// Converts a row of codes to square roots of white-balanced linear values, and notes whether any is above 1.
    mutating func balanceRow(_ row: Int) {
        let source = Self.mirror(row, format.height)
        let position = 2 * (source & 1)
        let (even, odd) = unsafe (line(.root, row, 0), line(.root, row, 1))
        let start = unsafe codes + source * format.stride
        let whole = format.width / 2
        let (black, gain) = (plan.balance.black, plan.balance.gain)
        var highest = unsafe Kernels.balanceRow(
            start, cells: whole, even: even, odd: odd, evenBlack: black[position],
            oddBlack: black[position + 1], evenGain: gain[position], oddGain: gain[position + 1], offset: plan.offset)
        if format.width & 1 == 1 {
            // An odd width: the last cell has only one pixel. A copy of it keeps the kernel from reading past the row.
            let cell = unsafe [start[2 * whole], start[2 * whole]]
            let last = unsafe Kernels.balanceRow(
                cell, cells: 1, even: even + whole, odd: odd + whole, evenBlack: black[position],
                oddBlack: black[position + 1], evenGain: gain[position], oddGain: gain[position + 1],
                offset: plan.offset)
            highest.even = max(highest.even, last.even)
        }
        let isBright =
            (Float(highest.even) - black[position]) * gain[position] > 1
            || (Float(highest.odd) - black[position + 1]) * gain[position + 1] > 1
        let bit: UInt16 = 1 << UInt16(row & 15)
        brightRows = isBright ? brightRows | bit : brightRows & ~bit
        unsafe mirrorEnds(even, odd)
    }

    /// Fills the columns outside the image with mirrored ones.
    func mirrorEnds(_ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>) {
        for distance in 1...2 * Self.reach {
            for column in [-distance, format.width - 1 + distance] {
                let inside = Self.mirror(column, format.width)
                let half = unsafe inside & 1 == 0 ? even : odd
                unsafe half[column >> 1] = half[inside >> 1]
            }
        }
    }

    /// Computes the squared high-frequency detail of a row in four directions, and local means.
    func measureDetail(_ row: Int) {
        for phase in 0..<2 {
            unsafe Kernels.detail(
                wide(.root, row, phase), beside: beside(.root, row, 1 - phase), above1: wide(.root, row - 1, phase),
                above2: wide(.root, row - 2, phase), above3: wide(.root, row - 3, phase),
                below1: wide(.root, row + 1, phase), below2: wide(.root, row + 2, phase),
                below3: wide(.root, row + 3, phase), across: wide(.detailAcross, row, phase),
                down: wide(.detailDown, row, phase), count: wideCount)
        }
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.diagonalHighPass(
            wide(.root, row, own), above1: beside(.root, row - 1, other), above2: wide(.root, row - 2, own),
            above3: beside(.root, row - 3, other), below1: beside(.root, row + 1, other),
            below2: wide(.root, row + 2, own), below3: beside(.root, row + 3, other),
            greens: beside(.root, row, other), greenAbove: wide(.root, row - 1, own),
            greenBelow: wide(.root, row + 1, own), falling: wide(.detailFalling, row),
            rising: wide(.detailRising, row), mean: wide(.mean, row), count: wideCount)
    }

    /// Computes the interpolation weights of the four directions: across against down, and rising against falling.
    func findDirections(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.directions(
            detailAcross: wide(.detailAcross, row, own), detailBeside: beside(.detailAcross, row, other),
            detailDown: wide(.detailDown, row, own), downAbove: wide(.detailDown, row - 1, own),
            downBelow: wide(.detailDown, row + 1, own), detailFalling: wide(.detailFalling, row),
            fallingAbove: diagonal(.detailFalling, row - 1, other),
            fallingBelow: diagonal(.detailFalling, row + 1, other), detailRising: wide(.detailRising, row),
            risingAbove: diagonal(.detailRising, row - 1, other), risingBelow: diagonal(.detailRising, row + 1, other),
            noise: plan.noise, across: wide(.across, row), rising: wide(.rising, row), count: wideCount)
    }

    /// Interpolates green at a row's red or blue pixels, and its difference from their colour.
    func interpolateGreen(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.interpolateGreen(
            wide(.root, row, own), beside: beside(.root, row, other), above1: wide(.root, row - 1, own),
            above2: wide(.root, row - 2, own), above3: wide(.root, row - 3, own), above4: wide(.root, row - 4, own),
            below1: wide(.root, row + 1, own), below2: wide(.root, row + 2, own), below3: wide(.root, row + 3, own),
            below4: wide(.root, row + 4, own), mean: wide(.mean, row), meanAbove: wide(.mean, row - 2),
            meanBelow: wide(.mean, row + 2), across: wide(.across, row),
            acrossAbove: diagonal(.across, row - 1, other), acrossBelow: diagonal(.across, row + 1, other),
            green: wide(.green, row), difference: wide(.difference, row), count: wideCount)
    }

    /// Interpolates the opposite colour (blue at red pixels, red at blue ones) along the diagonals.
    func interpolateOpposite(_ row: Int) {
        let other = 1 - ownPhase(row)
        unsafe Kernels.interpolateOpposite(
            green: wide(.green, row), above1: beside(.root, row - 1, other), above3: beside(.root, row - 3, other),
            below1: beside(.root, row + 1, other), below3: beside(.root, row + 3, other),
            differenceAbove: diagonal(.difference, row - 1, other),
            differenceBelow: diagonal(.difference, row + 1, other), greenAbove2: wide(.green, row - 2),
            greenBelow2: wide(.green, row + 2), rising: wide(.rising, row),
            risingAbove: diagonal(.rising, row - 1, other), risingBelow: diagonal(.rising, row + 1, other),
            opposite: wide(.opposite, row), count: wideCount)
    }

    /// Interpolates red and blue at green pixels, squares the roots, adds the excess and returns the finished row.
    func finish(_ row: Int) -> DemosaicedRow {
        let own = ownPhase(row)
        let other = 1 - own
        let atOwn = unsafe Colors(line(.result, 0, 0), line(.result, 0, 1), line(.result, 0, 2))
        let atGreen = unsafe Colors(line(.result, 0, 3), line(.result, 0, 4), line(.result, 0, 5))
        unsafe Kernels.linearizeOwn(
            root: line(.root, row, own), green: line(.green, row), opposite: line(.opposite, row),
            offset: plan.offset, own: atOwn.own, ownGreen: atOwn.green, ownOpposite: atOwn.opposite, count: cells)
        unsafe Kernels.linearizeGreen(
            green: line(.root, row, other), own: line(.difference, row) - own, opposite: line(.opposite, row) - own,
            ownAbove: line(.difference, row - 1), oppositeAbove: line(.opposite, row - 1),
            ownBelow: line(.difference, row + 1), oppositeBelow: line(.opposite, row + 1),
            across: line(.across, row) - own, acrossAbove: line(.across, row - 1), acrossBelow: line(.across, row + 1),
            offset: plan.offset, greenOwn: atGreen.own, greenLight: atGreen.green, greenOpposite: atGreen.opposite,
            count: cells)
        if isBright(row - 1) || isBright(row) || isBright(row + 1) {
            unsafe addExcess(toOwn: atOwn, row)
            unsafe addExcess(toGreen: atGreen, row)
        }
        let isRed = format.pattern.plane(row: row, column: own) == 0
        let (ownHalf, greenHalf) = unsafe (atOwn.half(ownIsRed: isRed), atGreen.half(ownIsRed: isRed))
        return unsafe own == 0
            ? DemosaicedRow(even: ownHalf, odd: greenHalf) : DemosaicedRow(even: greenHalf, odd: ownHalf)
    }

    /// The colours of a half line: `own` is red or blue as in its row, and `opposite` the one in the rows above and
    /// below.
    @unsafe
    struct Colors {
        let own: UnsafeMutablePointer<Float>
        let green: UnsafeMutablePointer<Float>
        let opposite: UnsafeMutablePointer<Float>

        init(
            _ own: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>,
            _ opposite: UnsafeMutablePointer<Float>
        ) {
            unsafe self.own = unsafe own
            unsafe self.green = unsafe green
            unsafe self.opposite = unsafe opposite
        }

        func half(ownIsRed: Bool) -> DemosaicedRow.Half {
            let (red, blue) = unsafe ownIsRed ? (own, opposite) : (opposite, own)
            return unsafe (UnsafePointer(red), UnsafePointer(green), UnsafePointer(blue))
        }
    }
}
