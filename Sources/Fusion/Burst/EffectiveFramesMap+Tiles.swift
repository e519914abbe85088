internal import RawImage

extension EffectiveFramesMap {
    /// The most cells in a row or column of the map, which is metadata for display.
    private static let longest = 64

    /// Creates the map from each tile's remaining noise variance; each cell averages a square of tiles.
    init(_ variances: [Float], _ grid: TileGrid) {
        let step = max(1, (max(grid.columns, grid.rows) + Self.longest - 1) / Self.longest)
        let (columns, rows) = ((grid.columns + step - 1) / step, (grid.rows + step - 1) / step)
        var values: [Float] = []
        for top in 0..<rows {
            for left in 0..<columns {
                var (sum, count) = (Float(0), Float(0))
                for row in top * step..<min((top + 1) * step, grid.rows) {
                    for column in left * step..<min((left + 1) * step, grid.columns) {
                        sum += variances[row * grid.columns + column]
                        count += 1
                    }
                }
                values.append(count / sum)
            }
        }
        self.init(columns: columns, rows: rows, values: values)
    }
}
