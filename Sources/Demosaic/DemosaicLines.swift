package import RawImage

/// Demosaics a band of rows from the top down, holding only the few lines that a row needs.
///
/// The stages follow each other a few rows apart: codes become roots of balanced light; from their detail in four
/// directions follows how much each direction counts; green is carried to red and blue pixels by the ratio of local
/// means; red and blue follow from their differences to green. Rows and columns outside the picture mirror those
/// inside, which keeps the order of colours.
///
/// Light is cut at 1, where the scene's white saturates its first colour: above it differences to green mean nothing
/// and would colour the edges of highlights. What the other colours saw above 1 is added afterwards, by the
/// least of the neighbours that saw it, so that it stays inside the highlight.
@safe
package struct DemosaicLines: ~Copyable {
    let codes: UnsafePointer<UInt16>
    let format: MosaicFormat
    let plan: DemosaicPlan
    let lines: UnsafeMutablePointer<Float>
    private let count: Int
    private let memory: LineMemory
    let lineLength: Int
    /// Of the rows in `Ring.light` those with light above 1, a bit each.
    var brightRows: UInt16 = 0

    /// Cells outside the picture that are mirrored, and in which every stage works: the reach of all stages together.
    static let reach = 8
    /// Values either side of a half line: `reach`, and room for whole vectors.
    private static let padding = 24

    /// Lines for one band of a mosaic that is at least 2×2 and stays in place.
    package init(
        codes: UnsafePointer<UInt16>, format: MosaicFormat, plan: DemosaicPlan, memory: LineMemory = LineMemory()
    ) {
        unsafe self.codes = unsafe codes
        self.format = format
        self.plan = plan
        // An odd number of cache lines: were it a power of two, equal places in all lines would compete for few slots.
        lineLength = ((format.width + 1) / 2 + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
        self.memory = memory
        count = (plan.refines ? Ring.count : Ring.countUnrefined) * lineLength
        unsafe lines = memory.take(count)
    }

    deinit { unsafe memory.give(lines, count) }

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
                splitExcess(row + 1)
            }
            if isDue(0) { unsafe body(row, finish(row)) }
        }
    }
}

// MARK: - Lines

extension DemosaicLines {
    /// Lines of one kind for the last rows, in a ring: `depth` rows, a power of two, of one or both half lines.
    struct Ring {
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
    func line(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> UnsafeMutablePointer<Float> {
        let index = ring.start + (row & (ring.depth - 1)) * ring.phases + phase
        return unsafe lines + (index * lineLength + Self.padding)
    }

    /// A line as the stages see it, which begin outside the picture.
    func wide(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> UnsafeMutablePointer<Float> {
        unsafe line(ring, row, phase) - Self.reach
    }

    /// The half line of a phase such that `[i]` and `[i + 1]` are left and right of, in other rows diagonally from, the
    /// other phase's `[i]`.
    func beside(_ ring: Ring, _ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe wide(ring, row, phase) - phase
    }

    /// As `beside`, of a ring that has one line a row: that of its own pixels, which lie in this phase.
    func diagonal(_ ring: Ring, _ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe wide(ring, row) - phase
    }

    /// How many cells the stages work on.
    var wideCount: Int { cells + 2 * Self.reach }

    var cells: Int { (format.width + 1) / 2 }

    /// The columns, even (0) or odd (1), in which a row has red or blue.
    func ownPhase(_ row: Int) -> Int {
        format.pattern.plane(row: row, column: 0) == 1 ? 1 : 0
    }

    /// The place inside `0..<count` (2 or more) that a place outside mirrors, without repeating the edge.
    static func mirror(_ place: Int, _ count: Int) -> Int {
        let period = 2 * (count - 1)
        let inPeriod = ((place % period) + period) % period
        return inPeriod < count ? inPeriod : period - inPeriod
    }
}
