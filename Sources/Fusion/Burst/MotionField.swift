internal import Kernels
internal import PixelMemory
internal import RawImage

/// The motion of each tile of the reference in another frame, in pixels of the half-size grey plane.
struct MotionField: Sendable {
    /// The estimated motion of one tile.
    struct Motion: Sendable, Hashable {
        /// The shift to the right and down.
        var right: Float = 0
        var down: Float = 0
        /// Whether the other frame's tile at the found position differs by no more than noise explains, or by less than
        /// half of the tile's contrast.
        var agrees = true
    }

    let grid: TileGrid
    /// The motion of each tile, row by row.
    private(set) var tiles: [Motion]
    /// The motion of the whole frame, at which the search of the next finer level begins.
    private(set) var frame = GlobalMotion(shift: .zero)

    /// Estimates the motion of `frame` against `reference`, from the coarsest level to the finest. Planes too small to
    /// align get zero motion. A cancelled search leaves an invalid field.
    init(
        of frame: GreyPyramid, in reference: ReferencePyramid, noise: NoiseProfile, cores: Int?,
        latch: CancelLatch
    ) {
        var field = MotionField(still: reference.levels[reference.levels.count - 1].plane.grid)
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
        let predicted = search.isCoarsest ? search.coarserFrame : search.coarserFrame.onFinerLevel
        // The finest level starts at the prediction, which is right to a pixel.
        let start = search.level == 0 && !search.isCoarsest ? predicted : search.commonMotion(from: predicted)
        var information = [MotionInformation](repeating: .none, count: grid.count)
        information.withMutableView { information in
            tiles.withMutableView { tiles in
                // Concurrent bands write to different rows.
                concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                    if latch.isCancelled { return }
                    for row in band {
                        let (first, count) = (row * grid.columns, grid.columns)
                        search.findRow(
                            row, from: start, tiles.part(first, count: count), information.part(first, count: count))
                    }
                }
            }
        }
        frame = start
        frame.fit(self, information)
        if search.level == 0 { combineWithFrame(information) }
    }

    /// Improves the motion of tiles that show it only roughly by the motion of the whole frame.
    private mutating func combineWithFrame(_ information: [MotionInformation]) {
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let index = row * grid.columns + column
                let motion = information[index].combined(
                    SIMD2(tiles[index].right, tiles[index].down), with: frame[column, row])
                (tiles[index].right, tiles[index].down) = (motion.x, motion.y)
            }
        }
    }

    /// Returns the motion of a tile; coordinates outside are clamped to the grid.
    func tile(column: Int, row: Int) -> Motion {
        tiles[min(max(row, 0), grid.rows - 1) * grid.columns + min(max(column, 0), grid.columns - 1)]
    }

    /// Sets tiles for which `isHidden` is true to the motion of the whole frame.
    mutating func followFrame(where isHidden: (_ column: Int, _ row: Int) -> Bool) {
        for row in 0..<grid.rows {
            for column in 0..<grid.columns where isHidden(column, row) {
                let motion = frame[column, row]
                tiles[row * grid.columns + column] = Motion(right: motion.x, down: motion.y)
            }
        }
    }

    /// The median motion in mosaic pixels, estimated from a sample of at most 2,000 tiles: those that agree or, if none
    /// does, all.
    var global: SIMD2<Double> {
        let some = stride(from: 0, to: tiles.count, by: max(1, tiles.count / 1000)).map { tiles[$0] }
        let known = some.contains(where: \.agrees) ? some.filter(\.agrees) : some
        func median(_ values: [Float]) -> Double { Double(values.sorted()[values.count / 2]) }
        return SIMD2(median(known.map(\.right)), median(known.map(\.down))) * 2
    }

    /// The fraction of tiles that agree with the reference.
    var agreement: Double { Double(tiles.count(where: \.agrees)) / Double(tiles.count) }
}
