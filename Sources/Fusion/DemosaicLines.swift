internal import Kernels
package import RawImage

/// Demosaics a band of rows from the top down, holding only the few lines that a row needs.
///
/// Green is estimated first, along the direction in which the picture changes least; red and blue follow from their
/// differences to green. Rows and columns outside the picture mirror those inside, which keeps the order of colours.
///
/// Light is cut at 1, where the scene's white saturates its first colour: above it differences to green mean nothing
/// and would colour the edges of highlights. On request what the other colours saw above 1 is added afterwards, by the
/// least of the neighbours that saw it, so that it stays inside the highlight.
@safe
package struct DemosaicLines: ~Copyable {
    /// Rows of balanced light kept: two either side of the one whose green is estimated, as a power of two.
    private static let depth = 8
    /// Cells outside the picture that are mirrored into the padding, and one more.
    private static let reach = 4
    /// Values of padding either side of a half line: the reach of the filters, and room for whole vectors.
    private static let padding = 16

    private let codes: UnsafePointer<UInt16>
    private let format: MosaicFormat
    private let balance: Balance
    private let keepsExcess: Bool
    private let lines: UnsafeMutablePointer<Float>
    private let lineLength: Int

    /// Lines for one band of a mosaic that is at least 2×2 and stays in place.
    package init(codes: UnsafePointer<UInt16>, format: MosaicFormat, balance: Balance, keepsExcess: Bool) {
        unsafe self.codes = unsafe codes
        self.format = format
        self.balance = balance
        self.keepsExcess = keepsExcess
        lineLength = ((format.width + 1) / 2 + 7) / 8 * 8 + 2 * Self.padding
        let count = Line.count * lineLength
        unsafe lines = .allocate(capacity: count)
        unsafe lines.initialize(repeating: 0, count: count)
    }

    deinit { unsafe lines.deallocate() }

    /// Calls `body` with each row of the band in order.
    package func forEach(in rows: Range<Int>, _ body: (Int, DemosaicedRow) -> Void) {
        for row in rows.lowerBound - 3..<rows.lowerBound + 1 { balanceRow(row) }
        for row in rows.lowerBound - 1..<rows.lowerBound + 1 {
            balanceRow(row + 2)
            interpolateGreen(row)
        }
        for row in rows {
            balanceRow(row + 3)
            interpolateGreen(row + 1)
            unsafe body(row, finish(row))
        }
    }

    /// Which line of the scratch is which.
    private enum Line {
        static let light = 0
        static let green = 2 * DemosaicLines.depth
        static let difference = green + DemosaicLines.depth
        static let excess = difference + DemosaicLines.depth
        static let result = excess + 2 * DemosaicLines.depth
        static let count = result + 9
    }

    /// The half line of a row's light in its even (0) or odd (1) columns.
    private func light(_ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe line(Line.light + 2 * (row & (Self.depth - 1)) + phase)
    }

    private func green(_ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe line(Line.green + row & (Self.depth - 1))
    }

    private func difference(_ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe line(Line.difference + row & (Self.depth - 1))
    }

    /// What the half line of a row's light lost above 1.
    private func excess(_ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe line(Line.excess + 2 * (row & (Self.depth - 1)) + phase)
    }

    private func line(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe lines + (index * lineLength + Self.padding)
    }

    /// The columns, even (0) or odd (1), in which a row has red or blue.
    private func ownPhase(_ row: Int) -> Int {
        format.pattern.plane(row: row, column: 0) == 1 ? 1 : 0
    }

    private func balanceRow(_ row: Int) {
        let source = Self.mirror(row, format.height)
        let place = 2 * (source & 1)
        let (even, odd) = unsafe (light(row, 0), light(row, 1))
        let start = unsafe codes + source * format.stride
        let cells = format.width / 2
        // What lies above 1 is cut off at once unless it is wanted.
        let limit = keepsExcess ? Float.infinity : 1
        unsafe Kernels.balanceRow(
            start, cells: cells, even: even, odd: odd, evenBlack: balance.black[place],
            oddBlack: balance.black[place + 1], evenGain: balance.gain[place], oddGain: balance.gain[place + 1],
            limit: limit)
        if format.width & 1 == 1 {
            unsafe even[cells] = min((Float(start[2 * cells]) - balance.black[place]) * balance.gain[place], limit)
        }
        for column in [-4, -3, -2, -1] + (format.width..<format.width + 6) {
            let inside = Self.mirror(column, format.width)
            let half = unsafe inside & 1 == 0 ? even : odd
            unsafe half[column >> 1] = half[inside >> 1]
        }
        for phase in 0..<2 where keepsExcess {
            unsafe splitExcess(
                light(row, phase) - Self.reach, count: (format.width + 1) / 2 + 2 * Self.reach,
                excess: excess(row, phase) - Self.reach)
        }
    }

    private func interpolateGreen(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        // One cell more either side, so that the differences outside the picture are there too.
        unsafe Kernels.interpolateGreen(
            own: light(row, own) - 1, beside: light(row, other) - other - 1, above: light(row - 1, own) - 1,
            below: light(row + 1, own) - 1, farAbove: light(row - 2, own) - 1, farBelow: light(row + 2, own) - 1,
            green: green(row) - 1, difference: difference(row) - 1, count: (format.width + 1) / 2 + 2,
            flatness: Self.flatness)
    }

    /// Changes of light whose square is below this count as noise: both directions weigh the same.
    private static let flatness: Float = 1e-5

    private func finish(_ row: Int) -> DemosaicedRow {
        let own = ownPhase(row)
        let other = 1 - own
        let (above, below) = unsafe (difference(row - 1), difference(row + 1))
        let ownAtGreen = unsafe line(Line.result)
        let otherAtGreen = unsafe line(Line.result + 1)
        let otherAtOwn = unsafe line(Line.result + 2)
        unsafe Kernels.interpolateChroma(
            estimatedGreen: green(row), knownGreen: light(row, other), ownBeside: difference(row) - own,
            otherAbove: above, otherBelow: below, diagonalAbove: above - other, diagonalBelow: below - other,
            ownAtGreen: ownAtGreen, otherAtGreen: otherAtGreen, otherAtOwn: otherAtOwn,
            count: (format.width + 1) / 2)
        var atOwn: Colors = unsafe (
            UnsafePointer(light(row, own)), UnsafePointer(green(row)), UnsafePointer(otherAtOwn)
        )
        var atGreen: Colors =
            unsafe (UnsafePointer(ownAtGreen), UnsafePointer(light(row, other)), UnsafePointer(otherAtGreen))
        if keepsExcess {
            unsafe atOwn = unsafe addExcess(toOwn: atOwn, row)
            unsafe atGreen = unsafe addExcess(toGreen: atGreen, row)
        }
        if format.pattern.plane(row: row, column: own) != 0 {
            unsafe swap(&atOwn.own, &atOwn.other)
            unsafe swap(&atGreen.own, &atGreen.other)
        }
        return unsafe own == 0
            ? DemosaicedRow(even: atOwn, odd: atGreen) : DemosaicedRow(even: atGreen, odd: atOwn)
    }

    /// The three colours of a half line: that which its row has, green, and that of the rows above and below.
    private typealias Colors = (own: UnsafePointer<Float>, green: UnsafePointer<Float>, other: UnsafePointer<Float>)

    private func addExcess(toOwn colors: Colors, _ row: Int) -> Colors {
        let own = ownPhase(row)
        let other = 1 - own
        let mine = unsafe excess(row, own)
        let beside = unsafe excess(row, other) - other
        let (above, below) = unsafe (excess(row - 1, own), excess(row + 1, own))
        let (diagonalAbove, diagonalBelow) = unsafe (excess(row - 1, other) - other, excess(row + 1, other) - other)
        return unsafe (
            add(mine, mine, mine, mine, to: colors.own, line: 3),
            add(beside, beside + 1, above, below, to: colors.green, line: 4),
            add(diagonalAbove, diagonalAbove + 1, diagonalBelow, diagonalBelow + 1, to: colors.other, line: 5)
        )
    }

    private func addExcess(toGreen colors: Colors, _ row: Int) -> Colors {
        let own = ownPhase(row)
        let other = 1 - own
        let mine = unsafe excess(row, other)
        let beside = unsafe excess(row, own) - own
        let (above, below) = unsafe (excess(row - 1, other), excess(row + 1, other))
        return unsafe (
            add(beside, beside + 1, beside, beside + 1, to: colors.own, line: 6),
            add(mine, mine, mine, mine, to: colors.green, line: 7),
            add(above, below, above, below, to: colors.other, line: 8)
        )
    }

    private func add(
        _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>,
        _ third: UnsafeMutablePointer<Float>, _ fourth: UnsafeMutablePointer<Float>, to light: UnsafePointer<Float>,
        line index: Int
    ) -> UnsafePointer<Float> {
        let sum = unsafe line(Line.result + index)
        unsafe addLeastExcess(light, first, second, third, fourth, count: (format.width + 1) / 2, into: sum)
        return unsafe UnsafePointer(sum)
    }

    /// The place inside `0..<count` (2 or more) that a place outside mirrors, without repeating the edge.
    private static func mirror(_ place: Int, _ count: Int) -> Int {
        let period = 2 * (count - 1)
        let inPeriod = ((place % period) + period) % period
        return inPeriod < count ? inPeriod : period - inPeriod
    }
}
