internal import RawImage

extension EffectiveFramesMap {
    /// The most cells to a side: the map is for people to look at.
    private static let longest = 64

    /// The map of what is left of the noise in each tile: cells are equal parts of the grid.
    init(_ rests: [Float], _ grid: TileGrid) {
        let step = max(1, (max(grid.columns, grid.rows) + Self.longest - 1) / Self.longest)
        let (columns, rows) = ((grid.columns + step - 1) / step, (grid.rows + step - 1) / step)
        var values: [Float] = []
        for top in 0..<rows {
            for left in 0..<columns {
                var (sum, count) = (Float(0), Float(0))
                for row in top * step..<min((top + 1) * step, grid.rows) {
                    for column in left * step..<min((left + 1) * step, grid.columns) {
                        sum += rests[row * grid.columns + column]
                        count += 1
                    }
                }
                values.append(count / sum)
            }
        }
        self.init(columns: columns, rows: rows, values: values)
    }
}
