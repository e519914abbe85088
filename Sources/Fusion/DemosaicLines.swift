internal import Kernels
package import RawImage

/// Demosaics a band of rows from the top down, holding only the few lines that a row needs.
///
/// Green is estimated first, along the direction in which the picture changes least; red and blue follow from their
/// differences to green. Rows and columns outside the picture mirror those inside, which keeps the order of colours.
@safe
package struct DemosaicLines: ~Copyable {
    /// Rows of balanced light kept: two either side of the one whose green is estimated, as a power of two.
    private static let depth = 8
    /// Values of padding either side of a half line: the reach of the filters, and room for whole vectors.
    private static let padding = 16

    private let codes: UnsafePointer<UInt16>
    private let format: MosaicFormat
    private let balance: Balance
    private let ceiling: Float
    private let lines: UnsafeMutablePointer<Float>
    private let lineLength: Int

    /// Lines for one band of a mosaic that is at least 2×2 and stays in place; light is cut at `ceiling`.
    package init(codes: UnsafePointer<UInt16>, format: MosaicFormat, balance: Balance, ceiling: Float) {
        unsafe self.codes = unsafe codes
        self.format = format
        self.balance = balance
        self.ceiling = ceiling
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
        static let result = difference + DemosaicLines.depth
        static let count = result + 3
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
        unsafe Kernels.balanceRow(
            start, cells: cells, even: even, odd: odd, evenBlack: balance.black[place],
            oddBlack: balance.black[place + 1], evenGain: balance.gain[place], oddGain: balance.gain[place + 1],
            ceiling: ceiling)
        if format.width & 1 == 1 {
            let last = (Float(unsafe start[2 * cells]) - balance.black[place]) * balance.gain[place]
            unsafe even[cells] = min(last, ceiling)
        }
        for column in [-4, -3, -2, -1] + (format.width..<format.width + 6) {
            let inside = Self.mirror(column, format.width)
            let half = unsafe inside & 1 == 0 ? even : odd
            unsafe half[column >> 1] = half[inside >> 1]
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
        let isRed = format.pattern.plane(row: row, column: own) == 0
        let ownLine = unsafe light(row, own)
        let atOwn = unsafe Self.pixels(own: ownLine, green: green(row), other: otherAtOwn, isRed: isRed)
        let atGreen = unsafe Self.pixels(
            own: ownAtGreen, green: light(row, other), other: otherAtGreen, isRed: isRed)
        return unsafe own == 0
            ? DemosaicedRow(even: atOwn, odd: atGreen) : DemosaicedRow(even: atGreen, odd: atOwn)
    }

    private static func pixels(
        own: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, other: UnsafeMutablePointer<Float>,
        isRed: Bool
    ) -> (red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>) {
        unsafe isRed
            ? (UnsafePointer(own), UnsafePointer(green), UnsafePointer(other))
            : (UnsafePointer(other), UnsafePointer(green), UnsafePointer(own))
    }

    /// The place inside `0..<count` (2 or more) that a place outside mirrors, without repeating the edge.
    private static func mirror(_ place: Int, _ count: Int) -> Int {
        let period = 2 * (count - 1)
        let inPeriod = ((place % period) + period) % period
        return inPeriod < count ? inPeriod : period - inPeriod
    }
}
