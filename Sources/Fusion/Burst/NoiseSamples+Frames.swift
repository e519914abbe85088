internal import Demosaic
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

extension NoiseSamples {
    /// The number of independent values in a tile's difference between two frames, of which one is interpolated.
    private static let differenceFreedom = 200.0
    /// The number of tiles that are measured: two frames are compared with the reference.
    private static let mostDifferences = mostTiles / 2
    /// The distance between measured tiles in tiles of the grid, where there are fewer than `mostDifferences`: every
    /// second one, so that they do not overlap.
    private static let leastStep = 2

    /// Measures the noise of two aligned frames of equal exposure by their differences, which the scene enters only
    /// where it moves or aliases. `metadata` is the reference's.
    init(_ reference: TileSource, _ frame: TileSource, _ field: MotionField, _ metadata: FrameMetadata, cores: Int?) {
        let grid = field.grid
        // The first and last tiles extend beyond the picture.
        let (columns, rows) = (grid.columns - 2, grid.rows - 2)
        guard columns > 0, rows > 0 else {
            self.init([], freedom: 1)
            return
        }
        let step = max(Self.leastStep, Int((Double(columns * rows) / Double(Self.mostDifferences)).squareRoot()))
        let clipped = Self.clippedCode(metadata)
        var found = [[Tile]](repeating: [], count: (rows - 1) / step + 1)
        found.withMutableView { found in
            // Concurrent bands write to different rows.
            concurrentBands(rows: found.bounds.count, of: 8, cores: cores) { band in
                let scratch = TileScratch()
                for row in band {
                    for column in stride(from: 1, through: columns, by: step) {
                        let tile = Self.tile(column, row * step + 1, reference, frame, field, clipped, scratch)
                        if let tile { found[row].append(tile) }
                    }
                }
            }
        }
        self.init(found.flatMap(\.self), freedom: Self.differenceFreedom)
    }

    private static func tile(
        _ column: Int, _ row: Int, _ reference: TileSource, _ frame: TileSource, _ field: MotionField,
        _ clipped: UInt16, _ scratch: borrowing TileScratch
    ) -> Tile? {
        let position = (x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row))
        let difference = frame.subtract(
            reference, x: position.x, y: position.y, field.tile(column: column, row: row), scratch)
        let (codes, stride) = (difference.reference.codes, difference.reference.stride)
        let side = TileSource.side
        guard
            unsafe highestCode(codes.pointer(columns: side, rows: side, stride: stride), stride, side, side) < clipped
        else { return nil }
        let count = Float(BurstTile.planeCount)
        let sums = unsafe sumsOfTile(codes.pointer(columns: side, rows: side, stride: stride), stride)
        let moments = unsafe momentsOfTile(scratch.tile.pointer(BurstTile.rows))
        // Without the mean difference, which flicker of the light may cause.
        let variance = (moments.squares - moments.sums * moments.sums / count) / (count - 1)
        let noises = 1 + difference.right.energy * difference.down.energy
        let tile = Tile(signal: sums / count - reference.black, variance: variance / noises)
        return tile.isAboveZero(reference.black) ? tile : nil
    }
}
