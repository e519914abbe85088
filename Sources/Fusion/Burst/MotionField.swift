internal import Kernels
internal import RawImage

/// Where each tile of the reference is found in another frame, in pixels of the half-size plane.
struct MotionField: Sendable {
    /// What is known of one tile.
    struct Motion: Sendable, Hashable {
        /// The shift to the right and down.
        var right: Float = 0
        var down: Float = 0
        /// Whether what was found there is the same thing, as far as noise and contrast let one say.
        var agrees = true
    }

    let grid: TileGrid
    /// One for each tile, row by row.
    private(set) var tiles: [Motion]

    /// Finds `frame` in the coordinates of `reference`, from the coarsest level down. Planes too small to align are
    /// taken as still. Cancelled work leaves a field of no use.
    init(
        of frame: GreyPyramid, in reference: GreyPyramid, noise: NoiseProfile, cores: Int?,
        latch: CancelLatch
    ) {
        var field = MotionField(still: reference.levels[reference.levels.count - 1].grid)
        for level in reference.levels.indices.reversed() {
            let search = TileSearch(
                frame: frame.levels[level], reference: reference.levels[level], coarser: field,
                isCoarsest: level == reference.levels.count - 1, level: level, noise: noise)
            field = MotionField(search, cores: cores, latch: latch)
        }
        self = field
    }

    private init(still grid: TileGrid) {
        self.grid = grid
        tiles = [Motion](repeating: Motion(), count: grid.count)
    }

    private init(_ search: TileSearch, cores: Int?, latch: CancelLatch) {
        self.init(still: search.reference.grid)
        guard grid.canAlign else { return }
        let grid = grid
        unsafe tiles.withUnsafeMutableBufferPointer { buffer in
            // Bands write to rows of their own.
            nonisolated(unsafe) let target = buffer.baseAddress
            guard let target = unsafe target else { return }
            concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                for row in band { unsafe search.findRow(row, target + row * grid.columns) }
            }
        }
    }

    /// The motion at a tile, as far as this field reaches.
    func tile(column: Int, row: Int) -> Motion {
        tiles[min(max(row, 0), grid.rows - 1) * grid.columns + min(max(column, 0), grid.columns - 1)]
    }

    /// The motion in the middle of all, in mosaic pixels. A thousand tiles say enough.
    var global: SIMD2<Double> {
        let some = stride(from: 0, to: tiles.count, by: max(1, tiles.count / 1000)).map { tiles[$0] }
        let known = some.contains(where: \.agrees) ? some.filter(\.agrees) : some
        func median(_ values: [Float]) -> Double { Double(values.sorted()[values.count / 2]) }
        return SIMD2(median(known.map(\.right)), median(known.map(\.down))) * 2
    }

    /// The share of tiles that agree.
    var agreement: Double { Double(tiles.count(where: \.agrees)) / Double(tiles.count) }
}
