/// The motion of a whole frame as an affine function of the tile: it models shift, rotation, zoom and rolling shutter,
/// and is far more precise than the motion of one tile.
struct GlobalMotion {
    /// The motion at the first tile in mosaic pixels; `byColumn` and `byRow` are its change from tile to tile.
    private var constant = SIMD2<Double>.zero
    private var byColumn = SIMD2<Double>.zero
    private var byRow = SIMD2<Double>.zero

    /// The iterations of robust fitting, each of which weights tiles by their distance from the previous fit.
    private static let rounds = 10
    /// The least number of tiles that are sampled for the fit, where the frame has that many; about four times as many
    /// at most.
    private static let enough = 2000

    /// Fits the motion that most tiles of a field agree on.
    init(of field: MotionField) {
        let grid = field.grid
        constant = field.global
        let step = max(1, Int((Double(grid.count) / Double(Self.enough)).squareRoot()))
        let tiles = stride(from: 0, to: grid.rows, by: step).flatMap { row in
            stride(from: 0, to: grid.columns, by: step).map { (column: $0, row: row) }
        }.filter { field.tile(column: $0.column, row: $0.row).agrees }
        // The fit has three unknowns per axis: 24 tiles leave enough redundancy to reject outliers.
        guard tiles.count >= 24 else { return }
        var scale = 2.0
        for _ in 0..<Self.rounds {
            let errors = tiles.map { tile in
                let error = Self.measured(field, tile) - self[tile.column, tile.row]
                return (error * error).sum().squareRoot()
            }
            let weights = errors.map { error in
                let likely = 1 / (1 + error * error / (scale * scale))
                return likely * likely
            }
            guard fit(field, tiles, weights) else { return }
            scale = 2 * max(errors.sorted()[errors.count / 2], 0.05)
        }
    }

    /// Returns the motion at a tile, in mosaic pixels to the right and down.
    subscript(column: Int, row: Int) -> SIMD2<Double> { constant + byColumn * Double(column) + byRow * Double(row) }

    private static func measured(_ field: MotionField, _ tile: (column: Int, row: Int)) -> SIMD2<Double> {
        let motion = field.tile(column: tile.column, row: tile.row)
        return SIMD2(Double(motion.right), Double(motion.down)) * 2
    }

    /// Fits by least squares around the tiles' weighted centroid; returns false if the tiles lie on a line.
    private mutating func fit(
        _ field: MotionField, _ tiles: [(column: Int, row: Int)], _ weights: [Double]
    ) -> Bool {
        var (total, column, row, motion) = (0.0, 0.0, 0.0, SIMD2<Double>.zero)
        for (tile, weight) in zip(tiles, weights) {
            total += weight
            column += weight * Double(tile.column)
            row += weight * Double(tile.row)
            motion += weight * Self.measured(field, tile)
        }
        guard total > 0 else { return false }
        (column, row, motion) = (column / total, row / total, motion / total)
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        var (xMotion, yMotion) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        for (tile, weight) in zip(tiles, weights) {
            let (x, y) = (Double(tile.column) - column, Double(tile.row) - row)
            let rest = Self.measured(field, tile) - motion
            xx += weight * x * x
            xy += weight * x * y
            yy += weight * y * y
            xMotion += weight * x * rest
            yMotion += weight * y * rest
        }
        let determinant = xx * yy - xy * xy
        guard determinant > 1e-6 * xx * yy, determinant > 0 else { return false }
        byColumn = (xMotion * yy - yMotion * xy) / determinant
        byRow = (yMotion * xx - xMotion * xy) / determinant
        constant = motion - byColumn * column - byRow * row
        return true
    }
}
