internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

// The stages of both demosaic methods; each processes one row at a time.

extension DemosaicLines {
    /// Converts a row of codes to square roots of white-balanced linear values, and notes whether any is above 1.
    mutating func balanceRow(_ row: Int) {
        let source = Self.mirror(row, format.height)
        let position = 2 * (source & 1)
        let (even, odd) = unsafe (line(.root, row, 0), line(.root, row, 1))
        let start = codes + source * format.stride
        let whole = format.width / 2
        let (black, gain) = (plan.balance.black, plan.balance.gain)
        var highest = unsafe Kernels.balanceRow(
            start.pointer(2 * whole), cells: whole, even: even, odd: odd, evenBlack: black[position],
            oddBlack: black[position + 1], evenGain: gain[position], oddGain: gain[position + 1], offset: plan.offset)
        if format.width & 1 == 1 {
            // An odd width: the last cell has only one pixel. A copy of it keeps the kernel from reading past the row.
            let cell = [start[2 * whole], start[2 * whole]]
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

    /// Returns a row of a camera without colour filters: its linear values as red, green and blue.
    func greyRow(_ row: Int) -> DemosaicedRow {
        let source = Self.mirror(row, format.height)
        let start = codes + source * format.stride
        let halves = (lineView(.result, 0, 0), lineView(.result, 0, 1))
        for phase in 0..<2 {
            let position = 2 * (source & 1) + phase
            let (black, gain) = (plan.balance.black[position], plan.balance.gain[position])
            let half = phase == 0 ? halves.0 : halves.1
            for cell in 0..<cells {
                // At an odd width, the last cell has only one pixel.
                half[cell] = (Float(start[min(2 * cell + phase, format.width - 1)]) - black) * gain
            }
        }
        if plan.keepsBlackMeans {
            unsafe keepBlackMeans(even: halves.0.pointer(cells), odd: halves.1.pointer(cells), width: format.width)
        }
        let (even, odd) = (MemoryView(halves.0), MemoryView(halves.1))
        return DemosaicedRow(even: (red: even, green: even, blue: even), odd: (red: odd, green: odd, blue: odd))
    }

    /// Fills the columns of a row outside the image with the columns mirrored at its edges; `even` and `odd` hold the
    /// row's even and odd columns.
    func mirrorEnds(_ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>) {
        for distance in 1...2 * Self.reach {
            for column in [-distance, format.width - 1 + distance] {
                let inside = Self.mirror(column, format.width)
                let half = unsafe inside & 1 == 0 ? even : odd
                unsafe half[column >> 1] = half[inside >> 1]
            }
        }
    }

    /// Computes the squared high-frequency detail of a row in four directions, and the local means over all colours.
    func measureDetail(_ row: Int) {
        for phase in 0..<2 {
            unsafe Kernels.detail(
                column: column(.root, row, phase), beside: beside(.root, row, 1 - phase),
                across: wide(.detailAcross, row, phase), down: wide(.detailDown, row, phase), count: wideCount)
        }
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.diagonalHighPass(
            rows: LineNeighbours {
                unsafe $0 & 1 == 0 ? wide(.root, row + $0, own) : beside(.root, row + $0, other)
            },
            greens: RowTriple(
                beside(.root, row, other), above: wide(.root, row - 1, own), below: wide(.root, row + 1, own)),
            falling: wide(.detailFalling, row), rising: wide(.detailRising, row), mean: wide(.mean, row),
            count: wideCount)
    }

    /// Computes two interpolation weights, 0…1, for each red or blue pixel of a row: of the row against the column, and
    /// of the rising against the falling diagonal.
    func findDirections(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.directions(
            energyAcross: wide(.detailAcross, row, own), acrossBeside: beside(.detailAcross, row, other),
            energyDown: RowTriple(
                wide(.detailDown, row, own), above: wide(.detailDown, row - 1, own),
                below: wide(.detailDown, row + 1, own)),
            energyFalling: withDiagonals(.detailFalling, row, other),
            energyRising: withDiagonals(.detailRising, row, other), noise: plan.noise, across: wide(.across, row),
            rising: wide(.rising, row), count: wideCount)
    }

    /// Interpolates green at a row's red or blue pixels, and computes their own colour less green.
    func interpolateGreen(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.interpolateGreen(
            column: column(.root, row, own),
            farthest: RowPair(above: wide(.root, row - 4, own), below: wide(.root, row + 4, own)),
            beside: beside(.root, row, other),
            mean: RowTriple(wide(.mean, row), above: wide(.mean, row - 2), below: wide(.mean, row + 2)),
            across: withDiagonals(.across, row, other), green: wide(.green, row), difference: wide(.difference, row),
            count: wideCount)
    }

    /// Interpolates the opposite colour (blue at red pixels, red at blue ones) of a row along the diagonals.
    func interpolateOpposite(_ row: Int) {
        let other = 1 - ownPhase(row)
        unsafe Kernels.interpolateOpposite(
            green: RowTriple(wide(.green, row), above: wide(.green, row - 2), below: wide(.green, row + 2)),
            near: RowPair(above: beside(.root, row - 1, other), below: beside(.root, row + 1, other)),
            far: RowPair(above: beside(.root, row - 3, other), below: beside(.root, row + 3, other)),
            difference: RowPair(
                above: diagonal(.difference, row - 1, other), below: diagonal(.difference, row + 1, other)),
            rising: withDiagonals(.rising, row, other), opposite: wide(.opposite, row), count: wideCount)
    }

    /// Completes a row: interpolates red and blue at green pixels, squares the square roots and adds the excess over 1.
    func finish(_ row: Int) -> DemosaicedRow {
        let own = ownPhase(row)
        let other = 1 - own
        let atOwn = unsafe ColorRows(
            own: line(.result, 0, 0), green: line(.result, 0, 1), opposite: line(.result, 0, 2))
        let atGreen = unsafe ColorRows(
            own: line(.result, 0, 3), green: line(.result, 0, 4), opposite: line(.result, 0, 5))
        unsafe Kernels.linearizeOwn(
            root: line(.root, row, own), green: line(.green, row), opposite: line(.opposite, row),
            offset: plan.offset, result: atOwn, count: cells)
        unsafe Kernels.linearizeGreen(
            green: line(.root, row, other), own: besideGreen(.difference, row, own),
            opposite: besideGreen(.opposite, row, own), across: besideGreen(.across, row, own), offset: plan.offset,
            result: atGreen, count: cells)
        if isBright(row - 1) || isBright(row) || isBright(row + 1) {
            unsafe addExcess(toOwn: atOwn, row)
            unsafe addExcess(toGreen: atGreen, row)
        }
        if plan.keepsBlackMeans {
            let (even, odd) = unsafe own == 0 ? (atOwn, atGreen) : (atGreen, atOwn)
            unsafe keepBlackMeans(even: even.own, odd: odd.own, width: format.width)
            unsafe keepBlackMeans(even: even.green, odd: odd.green, width: format.width)
            unsafe keepBlackMeans(even: even.opposite, odd: odd.opposite, width: format.width)
        }
        let isRed = format.pattern.plane(row: row, column: own) == 0
        let (ownHalf, greenHalf) = (resultHalf(0, ownIsRed: isRed), resultHalf(3, ownIsRed: isRed))
        return own == 0
            ? DemosaicedRow(even: ownHalf, odd: greenHalf) : DemosaicedRow(even: greenHalf, odd: ownHalf)
    }

    /// Returns three consecutive lines of the finished row, a row's own colour, green and the opposite colour, as red,
    /// green and blue. `first` is the phase of the first line.
    private func resultHalf(_ first: Int, ownIsRed: Bool) -> DemosaicedRow.Half {
        func view(_ phase: Int) -> MemoryView<Float> { MemoryView(lineView(.result, 0, first + phase)) }
        return (red: view(ownIsRed ? 0 : 2), green: view(1), blue: view(ownIsRed ? 2 : 0))
    }

    /// Returns a half line with the half lines of the same phase up to three rows above and below it.
    func column(_ ring: Ring, _ row: Int, _ phase: Int) -> LineNeighbours {
        unsafe LineNeighbours { unsafe wide(ring, row + $0, phase) }
    }

    /// Returns the values at a row's red or blue pixels, and those of the rows above and below shifted so that their
    /// `[i]` and `[i + 1]` are the diagonal neighbours of `[i]`. `phase` is 0 if the red or blue pixels of these two
    /// rows are in even columns, otherwise 1.
    private func withDiagonals(_ ring: Ring, _ row: Int, _ phase: Int) -> RowTriple {
        unsafe RowTriple(
            wide(ring, row), above: diagonal(ring, row - 1, phase), below: diagonal(ring, row + 1, phase))
    }

    /// Returns the values at the red and blue pixels around a row's green pixels: in the row, `[i]` and `[i + 1]` are
    /// left and right of green pixel i; above and below, `[i]`. `own` is 0 if the row's red or blue pixels are in even
    /// columns, otherwise 1.
    private func besideGreen(_ ring: Ring, _ row: Int, _ own: Int) -> RowTriple {
        unsafe RowTriple(line(ring, row) - own, above: line(ring, row - 1), below: line(ring, row + 1))
    }
}
