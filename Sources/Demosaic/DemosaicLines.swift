package import PixelMemory
package import RawImage

/// Demosaics a band of rows from top to bottom, keeping only the intermediate lines that the stages still need.
///
/// The stages run a few rows apart:
/// 1. Codes become square roots of white-balanced linear values.
/// 2. High-frequency detail in four directions determines the interpolation weights of the directions.
/// 3. Green is interpolated at red and blue pixels by ratios of local means.
/// 4. Red and blue are interpolated by their differences from green.
///
/// Rows and columns outside the image mirror those inside without repeating the edge, which preserves the CFA phase.
///
/// Linear values are clamped at 1, where a white object saturates the first colour: above it, differences from green
/// are meaningless and would tint the edges of highlights. The excess of the other colours is added at the end, as the
/// minimum of the neighbours' excess, so that it does not spread beyond the highlight.
///
/// Of a mosaic without colours, a row is its own linear values.
@safe
package struct DemosaicLines: ~Copyable {
    let codes: MemoryView<UInt16>
    let format: MosaicFormat
    let plan: DemosaicPlan
    private let lines: ScratchMemory
    let lineLength: Int
    /// One bit for each of the last 16 rows: whether the row has linear values above 1.
    var brightRows: UInt16 = 0

    /// Number of mirrored cells (pairs of columns) on each side of the image, in which all stages work: the combined
    /// filter radius of the stages.
    static let reach = 8
    /// Number of values in memory before and after a half line's columns inside the image: `reach` mirrored ones, and
    /// padding for whole SIMD vectors.
    private static let padding = 24

    /// Allocates the lines for one band of a mosaic of at least 2×2 pixels. `codes` must stay valid during the lifetime
    /// of this value.
    package init(
        codes: MemoryView<UInt16>, format: MosaicFormat, plan: DemosaicPlan,
        memory: ScratchMemoryPool = ScratchMemoryPool()
    ) {
        self.codes = codes
        self.format = format
        self.plan = plan
        // An odd number of cache lines: with a power of two, the same column of all lines would map to the same few
        // cache sets.
        lineLength = ((format.width + 1) / 2 + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
        lines = memory.take((plan.refines ? Ring.count : Ring.countUnrefined) * lineLength)
    }

    /// Calls `body` with each demosaiced row of the band in order. The row is valid only during the call.
    package mutating func forEach(in rows: Range<Int>, _ body: (Int, DemosaicedRow) -> Void) {
        if plan.isMonochrome {
            for row in rows { body(row, greyRow(row)) }
            return
        }
        let ahead = plan.refines ? 11 : 8
        // Each stage runs a fixed number of rows ahead of the finished row, and starts as many rows above the band.
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
            if isDue(0) { body(row, finish(row)) }
        }
    }
}

// MARK: - Lines

extension DemosaicLines {
    /// A ring buffer with the values of one stage for the last `depth` rows (a power of two), in `phases` lines per
    /// row.
    struct Ring {
        let start: Int
        let depth: Int
        let phases: Int

        /// Creates a ring buffer whose memory starts where that of another ring buffer ends.
        private init(after other: Ring?, depth: Int, phases: Int = 1) {
            start = other.map(\.end) ?? 0
            self.depth = depth
            self.phases = phases
        }

        private var end: Int { start + depth * phases }

        /// The mosaic's rows: square roots of white-balanced linear values, clamped at 1; even and odd columns apart.
        static let root = Ring(after: nil, depth: 16, phases: 2)
        /// By how much the mosaic's linear values are above 1, at least 0; even and odd columns apart.
        static let excess = Ring(after: root, depth: 4, phases: 2)
        /// A line of zeros: the excess of rows without linear values above 1.
        static let noExcess = Ring(after: excess, depth: 1)
        // Squared high-frequency detail along rows (`detailAcross`), columns, and the falling and rising diagonal.
        static let detailAcross = Ring(after: noExcess, depth: 4, phases: 2)
        static let detailDown = Ring(after: detailAcross, depth: 4, phases: 2)
        static let detailFalling = Ring(after: detailDown, depth: 4)
        static let detailRising = Ring(after: detailFalling, depth: 4)
        /// Local means of all colours at red and blue pixels.
        static let mean = Ring(after: detailRising, depth: 8)
        /// Interpolation weight of the row against the column, 0…1, at red and blue pixels.
        static let across = Ring(after: mean, depth: 8)
        /// Interpolation weight of the rising against the falling diagonal, 0…1, at red and blue pixels.
        static let rising = Ring(after: across, depth: 8)
        /// Interpolated green at red and blue pixels, as a square root.
        static let green = Ring(after: rising, depth: 8)
        /// The own colour of red and blue pixels less their interpolated green, as square roots.
        static let difference = Ring(after: green, depth: 8)
        /// Interpolated blue at red pixels and red at blue pixels, less green.
        static let opposite = Ring(after: difference, depth: 4)
        /// Linear red, green and blue of the finished row: three lines at its red or blue pixels, then three at its
        /// green pixels.
        static let result = Ring(after: opposite, depth: 1, phases: 6)
        static let countUnrefined = result.end

        // Lines for the refinement of green: differences from green along columns (`down`) and along the row, smoothed,
        // and the square of what smoothing removed; then the estimates and their squared errors.
        static let down = Ring(after: result, depth: 8, phases: 2)
        static let smoothDown = Ring(after: down, depth: 8, phases: 2)
        static let removedDown = Ring(after: smoothDown, depth: 8, phases: 2)
        static let along = Ring(after: removedDown, depth: 1, phases: 2)
        static let smoothAlong = Ring(after: along, depth: 1, phases: 2)
        static let removedAlong = Ring(after: smoothAlong, depth: 1, phases: 2)
        static let estimates = Ring(after: removedAlong, depth: 1, phases: 4)
        static let count = estimates.end
    }

    /// Returns a row's line, including its padding, with index 0 at the first value inside the image; `phase` selects
    /// the half line of even (0) or odd (1) columns in rings that have both.
    func lineView(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> MutableMemoryView<Float> {
        let index = ring.start + (row & (ring.depth - 1)) * ring.phases + phase
        return lines.view.part(index * lineLength, count: lineLength) + Self.padding
    }

    /// Returns a pointer to the first value of a row's line inside the image, for the kernels.
    func line(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> UnsafeMutablePointer<Float> {
        unsafe lineView(ring, row, phase).pointer(0)
    }

    /// Returns a pointer to a row's line including the mirrored cells: `reach` values before the first one inside the
    /// image.
    func wide(_ ring: Ring, _ row: Int, _ phase: Int = 0) -> UnsafeMutablePointer<Float> {
        unsafe line(ring, row, phase) - Self.reach
    }

    /// Returns a row's line of even (phase 0) or odd (1) columns, shifted so that its `[i]` and `[i + 1]` are the left
    /// and right neighbours of `[i]` in the line of the other phase; in another row, the diagonal neighbours.
    func beside(_ ring: Ring, _ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe wide(ring, row, phase) - phase
    }

    /// Returns a row's line of values at red or blue pixels, shifted so that its `[i]` and `[i + 1]` are the diagonal
    /// neighbours of `[i]` in the rows above and below. `phase` is 0 if these pixels are in even columns, otherwise 1.
    func diagonal(_ ring: Ring, _ row: Int, _ phase: Int) -> UnsafeMutablePointer<Float> {
        unsafe wide(ring, row) - phase
    }

    /// Number of cells per row that the stages process, including the mirrored ones.
    var wideCount: Int { cells + 2 * Self.reach }

    /// Number of cells (pairs of columns) in a row of the image.
    var cells: Int { (format.width + 1) / 2 }

    /// Returns where a row's red or blue pixels are: 0 for even columns, 1 for odd ones.
    func ownPhase(_ row: Int) -> Int {
        format.pattern.plane(row: row, column: 0) == 1 ? 1 : 0
    }

    /// Reflects an index into `0..<count` (at least 2) at the edges, without repeating the edge itself.
    static func mirror(_ index: Int, _ count: Int) -> Int {
        let period = 2 * (count - 1)
        let inPeriod = ((index % period) + period) % period
        return inPeriod < count ? inPeriod : period - inPeriod
    }
}
