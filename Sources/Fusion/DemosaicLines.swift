internal import Kernels
package import RawImage

/// Demosaics a band of rows from the top down, holding only the few lines that a row needs.
///
/// The stages follow each other a few rows apart: codes become roots of balanced light; from their detail in four
/// directions follows how much each direction counts; green is carried to red and blue pixels by the ratio of local
/// means; red and blue follow from their differences to green. Rows and columns outside the picture mirror those
/// inside, which keeps the order of colours.
///
/// Light is cut at 1, where the scene's white saturates its first colour: above it differences to green mean nothing
/// and would colour the edges of highlights. On request what the other colours saw above 1 is added afterwards, by the
/// least of the neighbours that saw it, so that it stays inside the highlight.
@safe
package struct DemosaicLines: ~Copyable {
    private let codes: UnsafePointer<UInt16>
    private let format: MosaicFormat
    private let plan: DemosaicPlan
    private let keepsExcess: Bool
    private let lines: UnsafeMutablePointer<Float>
    private let lineLength: Int
    /// Of the rows in `Ring.light` those with light above 1, a bit each.
    private var brightRows: UInt16 = 0

    /// Cells outside the picture that are mirrored, and in which every stage works: the reach of all stages together.
    private static let reach = 8
    /// Values either side of a half line: `reach`, and room for whole vectors.
    private static let padding = 24

    /// Lines for one band of a mosaic that is at least 2×2 and stays in place.
    package init(codes: UnsafePointer<UInt16>, format: MosaicFormat, plan: DemosaicPlan, keepsExcess: Bool) {
        unsafe self.codes = unsafe codes
        self.format = format
        self.plan = plan
        self.keepsExcess = keepsExcess
        // An odd number of cache lines: were it a power of two, equal places in all lines would compete for few slots.
        lineLength = ((format.width + 1) / 2 + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
        let count = (plan.refines ? Ring.count : Ring.countUnrefined) * lineLength
        unsafe lines = .allocate(capacity: count)
        unsafe lines.initialize(repeating: 0, count: count)
    }

    deinit { unsafe lines.deallocate() }

    /// Calls `body` with each row of the band in order.
    package mutating func forEach(in rows: Range<Int>, _ body: (Int, DemosaicedRow) -> Void) {
        let ahead = plan.refines ? 11 : 8
        // Each stage is this many rows ahead of the finished one, and begins as many above the band.
        for row in rows.lowerBound - 2 * ahead..<rows.upperBound {
            func isDue(_ ahead: Int) -> Bool { row >= rows.lowerBound - 2 * ahead }
            balanceRow(row + ahead)
            if plan.refines, isDue(9) { estimateDown(row + 9) }
            if plan.refines, isDue(6) { smoothDown(row + 6) }
            if isDue(5) { measureDetail(row + 5) }
            if isDue(4) { findDirections(row + 4) }
            if isDue(3) {
                interpolateGreen(row + 3)
                if plan.refines { refineGreen(row + 3) }
            }
            if isDue(1) {
                interpolateOpposite(row + 1)
                if keepsExcess { splitExcess(row + 1) }
            }
            if isDue(0) { unsafe body(row, finish(row)) }
        }
    }
}

// MARK: - Lines

extension DemosaicLines {
    /// Lines of one kind for the last rows, in a ring: `depth` rows, a power of two, of one or both half lines.
    private struct Ring {
        let start: Int
        let depth: Int
        let phases: Int

        /// The lines that follow those of another ring.
        private init(after other: Ring?, depth: Int, phases: Int = 1) {
            start = other.map(\.end) ?? 0
            self.depth = depth
            self.phases = phases
        }

        private var end: Int { start + depth * phases }

        static let light = Ring(after: nil, depth: 16, phases: 2)
        static let excess = Ring(after: light, depth: 4, phases: 2)
        static let noExcess = Ring(after: excess, depth: 1)
        static let detailAcross = Ring(after: noExcess, depth: 4, phases: 2)
        static let detailDown = Ring(after: detailAcross, depth: 4, phases: 2)
        static let detailFalling = Ring(after: detailDown, depth: 4)
        static let detailRising = Ring(after: detailFalling, depth: 4)
        static let mean = Ring(after: detailRising, depth: 8)
        static let across = Ring(after: mean, depth: 8)
        static let rising = Ring(after: across, depth: 8)
        static let green = Ring(after: rising, depth: 8)
        static let difference = Ring(after: green, depth: 8)
        static let opposite = Ring(after: difference, depth: 4)
        static let result = Ring(after: opposite, depth: 1, phases: 6)
        static let countUnrefined = result.end

        static let down = Ring(after: result, depth: 8, phases: 2)
        static let smoothDown = Ring(after: down, depth: 8, phases: 2)
        static let removedDown = Ring(after: smoothDown, depth: 8, phases: 2)
        static let along = Ring(after: removedDown, depth: 1, phases: 2)
        static let smoothAlong = Ring(after: along, depth: 1, phases: 2)
        static let removedAlong = Ring(after: smoothAlong, depth: 1, phases: 2)
        static let estimates = Ring(after: removedAlong, depth: 1, phases: 4)
        static let count = estimates.end
    }

    /// The place of the first cell in a line; that of a phase, even (0) or odd (1) columns, where there are two.
    private func line(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> UnsafeMutablePointer<Float> {
        let index = ring.start + (row & (ring.depth - 1)) * ring.phases + phase
        return unsafe lines + (index * lineLength + Self.padding)
    }

    /// A line as the stages see it, which begin outside the picture.
    private func wide(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> UnsafeMutablePointer<Float> {
        unsafe line(ring, row, phase) - Self.reach
    }

    /// The half line of a phase such that `[i]` and `[i + 1]` are left and right of, in other rows diagonally from, the
    /// other phase's `[i]`.
    private func beside(_ ring: Ring, _ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe wide(ring, row, phase) - phase
    }

    /// As `beside`, of a ring that has one line a row: that of its own pixels, which lie in this phase.
    private func diagonal(_ ring: Ring, _ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe wide(ring, row) - phase
    }

    /// How many cells the stages work on.
    private var wideCount: Int { cells + 2 * Self.reach }

    private var cells: Int { (format.width + 1) / 2 }

    /// The columns, even (0) or odd (1), in which a row has red or blue.
    private func ownPhase(_ row: Int) -> Int {
        format.pattern.plane(row: row, column: 0) == 1 ? 1 : 0
    }
}

// MARK: - Stages

extension DemosaicLines {
    private mutating func balanceRow(_ row: Int) {
        let source = mirror(row, format.height)
        let place = 2 * (source & 1)
        let (even, odd) = unsafe (line(.light, row, 0), line(.light, row, 1))
        let start = unsafe codes + source * format.stride
        let whole = format.width / 2
        let (black, gain) = (plan.balance.black, plan.balance.gain)
        var highest = unsafe Kernels.balanceRow(
            start, cells: whole, even: even, odd: odd, evenBlack: black[place], oddBlack: black[place + 1],
            evenGain: gain[place], oddGain: gain[place + 1], offset: plan.offset)
        if format.width & 1 == 1 {
            let last = unsafe Kernels.balanceRow(
                start + 2 * whole, cells: 1, even: even + whole, odd: odd + whole, evenBlack: black[place],
                oddBlack: black[place + 1], evenGain: gain[place], oddGain: gain[place + 1], offset: plan.offset)
            highest.even = max(highest.even, last.even)
        }
        let isBright =
            (Float(highest.even) - black[place]) * gain[place] > 1
            || (Float(highest.odd) - black[place + 1]) * gain[place + 1] > 1
        let bit: UInt16 = 1 << UInt16(row & 15)
        brightRows = isBright ? brightRows | bit : brightRows & ~bit
        unsafe mirrorEnds(even, odd)
    }

    /// Fills what lies outside the picture.
    private func mirrorEnds(_ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>) {
        for distance in 1...2 * Self.reach {
            for column in [-distance, format.width - 1 + distance] {
                let inside = mirror(column, format.width)
                let half = unsafe inside & 1 == 0 ? even : odd
                unsafe half[column >> 1] = half[inside >> 1]
            }
        }
    }

    private func measureDetail(_ row: Int) {
        for phase in 0..<2 {
            unsafe Kernels.detail(
                wide(.light, row, phase), beside: beside(.light, row, 1 - phase), above1: wide(.light, row - 1, phase),
                above2: wide(.light, row - 2, phase), above3: wide(.light, row - 3, phase),
                below1: wide(.light, row + 1, phase), below2: wide(.light, row + 2, phase),
                below3: wide(.light, row + 3, phase), across: wide(.detailAcross, row, phase),
                down: wide(.detailDown, row, phase), count: wideCount)
        }
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.diagonalDetail(
            wide(.light, row, own), above1: beside(.light, row - 1, other), above2: wide(.light, row - 2, own),
            above3: beside(.light, row - 3, other), below1: beside(.light, row + 1, other),
            below2: wide(.light, row + 2, own), below3: beside(.light, row + 3, other),
            greens: beside(.light, row, other), greenAbove: wide(.light, row - 1, own),
            greenBelow: wide(.light, row + 1, own), falling: wide(.detailFalling, row),
            rising: wide(.detailRising, row), mean: wide(.mean, row), count: wideCount)
    }

    private func findDirections(_ row: Int) {
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

    private func interpolateGreen(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        unsafe Kernels.interpolateGreen(
            wide(.light, row, own), beside: beside(.light, row, other), above1: wide(.light, row - 1, own),
            above2: wide(.light, row - 2, own), above3: wide(.light, row - 3, own), above4: wide(.light, row - 4, own),
            below1: wide(.light, row + 1, own), below2: wide(.light, row + 2, own), below3: wide(.light, row + 3, own),
            below4: wide(.light, row + 4, own), mean: wide(.mean, row), meanAbove: wide(.mean, row - 2),
            meanBelow: wide(.mean, row + 2), across: wide(.across, row),
            acrossAbove: diagonal(.across, row - 1, other), acrossBelow: diagonal(.across, row + 1, other),
            green: wide(.green, row), difference: wide(.difference, row), count: wideCount)
    }

    private func interpolateOpposite(_ row: Int) {
        let other = 1 - ownPhase(row)
        unsafe Kernels.interpolateOpposite(
            green: wide(.green, row), above1: beside(.light, row - 1, other), above3: beside(.light, row - 3, other),
            below1: beside(.light, row + 1, other), below3: beside(.light, row + 3, other),
            differenceAbove: diagonal(.difference, row - 1, other),
            differenceBelow: diagonal(.difference, row + 1, other), greenAbove2: wide(.green, row - 2),
            greenBelow2: wide(.green, row + 2), rising: wide(.rising, row),
            risingAbove: diagonal(.rising, row - 1, other), risingBelow: diagonal(.rising, row + 1, other),
            opposite: wide(.opposite, row), count: wideCount)
    }

    private func finish(_ row: Int) -> DemosaicedRow {
        let own = ownPhase(row)
        let other = 1 - own
        let atOwn = unsafe Colors(line(.result, 0, 0), line(.result, 0, 1), line(.result, 0, 2))
        let atGreen = unsafe Colors(line(.result, 0, 3), line(.result, 0, 4), line(.result, 0, 5))
        unsafe Kernels.finishOwn(
            root: line(.light, row, own), green: line(.green, row), opposite: line(.opposite, row),
            offset: plan.offset, own: atOwn.own, ownGreen: atOwn.green, ownOpposite: atOwn.opposite, count: cells)
        unsafe Kernels.finishGreen(
            green: line(.light, row, other), own: line(.difference, row) - own, opposite: line(.opposite, row) - own,
            ownAbove: line(.difference, row - 1), oppositeAbove: line(.opposite, row - 1),
            ownBelow: line(.difference, row + 1), oppositeBelow: line(.opposite, row + 1),
            across: line(.across, row) - own, acrossAbove: line(.across, row - 1), acrossBelow: line(.across, row + 1),
            offset: plan.offset, greenOwn: atGreen.own, greenLight: atGreen.green, greenOpposite: atGreen.opposite,
            count: cells)
        if keepsExcess, isBright(row - 1) || isBright(row) || isBright(row + 1) {
            unsafe addExcess(toOwn: atOwn, row)
            unsafe addExcess(toGreen: atGreen, row)
        }
        let isRed = format.pattern.plane(row: row, column: own) == 0
        let (ownHalf, greenHalf) = unsafe (atOwn.half(ownIsRed: isRed), atGreen.half(ownIsRed: isRed))
        return unsafe own == 0
            ? DemosaicedRow(even: ownHalf, odd: greenHalf) : DemosaicedRow(even: greenHalf, odd: ownHalf)
    }

    /// The three colours of a half line: that which its row has, green, and that of the rows above and below.
    @unsafe
    private struct Colors {
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

// MARK: - Light above 1

extension DemosaicLines {
    private func isBright(_ row: Int) -> Bool { brightRows & 1 << UInt16(row & 15) != 0 }

    private func splitExcess(_ row: Int) {
        guard isBright(row) else { return }
        let source = mirror(row, format.height)
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

    private func addExcess(toOwn colors: Colors, _ row: Int) {
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

    private func addExcess(toGreen colors: Colors, _ row: Int) {
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

// MARK: - Refinement

extension DemosaicLines {
    private func estimateDown(_ row: Int) {
        let own = ownPhase(row)
        for phase in 0..<2 {
            unsafe estimateDifference(
                wide(.light, row, phase), before1: wide(.light, row - 1, phase), before2: wide(.light, row - 2, phase),
                after1: wide(.light, row + 1, phase), after2: wide(.light, row + 2, phase),
                sign: phase == own ? 1 : -1, difference: wide(.down, row, phase), count: wideCount)
        }
    }

    private func smoothDown(_ row: Int) {
        for phase in 0..<2 {
            unsafe smoothDifference(
                wide(.down, row, phase), before1: wide(.down, row - 1, phase), before2: wide(.down, row - 2, phase),
                before3: wide(.down, row - 3, phase), after1: wide(.down, row + 1, phase),
                after2: wide(.down, row + 2, phase), after3: wide(.down, row + 3, phase),
                smooth: wide(.smoothDown, row, phase), removed: wide(.removedDown, row, phase), count: wideCount)
        }
    }

    private func smoothAlong(_ row: Int) {
        let own = ownPhase(row)
        for phase in 0..<2 {
            let (line, beside) = unsafe (wide(.light, row, phase), beside(.light, row, 1 - phase))
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

    private func refineGreen(_ row: Int) {
        let own = ownPhase(row)
        let other = 1 - own
        let (across, acrossError) = unsafe (wide(.estimates, 0, 0), wide(.estimates, 0, 1))
        let (down, downError) = unsafe (wide(.estimates, 0, 2), wide(.estimates, 0, 3))
        smoothAlong(row)
        let (smooth, smoothBeside) = unsafe (wide(.smoothAlong, 0, own), beside(.smoothAlong, 0, other))
        let (removed, removedBeside) = unsafe (wide(.removedAlong, 0, own), beside(.removedAlong, 0, other))
        unsafe weighDifference(
            wide(.along, 0, own), smooth: smooth, smoothBefore1: smoothBeside, smoothBefore2: smooth - 1,
            smoothBefore3: smoothBeside - 1, smoothAfter1: smoothBeside + 1, smoothAfter2: smooth + 1,
            smoothAfter3: smoothBeside + 2, removed: removed, removedBefore1: removedBeside,
            removedBefore2: removed - 1, removedBefore3: removedBeside - 1, removedAfter1: removedBeside + 1,
            removedAfter2: removed + 1, removedAfter3: removedBeside + 2, estimate: across, error: acrossError,
            count: wideCount)
        unsafe weighDifference(
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
            wide(.light, row, own), across: across, acrossError: acrossError, down: down,
            downError: downError, green: wide(.green, row), difference: wide(.difference, row), count: wideCount)
    }
}

/// The place inside `0..<count` (2 or more) that a place outside mirrors, without repeating the edge.
private func mirror(_ place: Int, _ count: Int) -> Int {
    let period = 2 * (count - 1)
    let inPeriod = ((place % period) + period) % period
    return inPeriod < count ? inPeriod : period - inPeriod
}
