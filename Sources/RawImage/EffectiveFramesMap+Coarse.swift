extension EffectiveFramesMap {
    /// The largest number of cells in a row or column of the maps in buffer metadata and files.
    package static let maximumStoredSide = 32

    /// Whether `values` has exactly `columns`×`rows` elements.
    package var isWhole: Bool {
        // Sizes can come from files: checking each one first keeps the product from overflowing.
        guard columns > 0, rows > 0, columns <= values.count, rows <= values.count else { return false }
        return columns * rows == values.count
    }

    /// Returns the map reduced to at most `most` cells in each row and column, each the mean of a block of cells; an
    /// empty map if this one is inconsistent.
    package func coarse(most: Int = maximumStoredSide) -> EffectiveFramesMap {
        guard isWhole, most > 0, max(columns, rows) > most else { return isWhole ? self : EffectiveFramesMap() }
        let step = (max(columns, rows) + most - 1) / most
        let (width, height) = ((columns + step - 1) / step, (rows + step - 1) / step)
        let means = (0..<width * height).map { cell in
            mean(rows: cell / width * step, columns: cell % width * step, step: step)
        }
        return EffectiveFramesMap(columns: width, rows: height, values: means)
    }

    private func mean(rows row: Int, columns column: Int, step: Int) -> Float {
        let (down, across) = (row..<min(rows, row + step), column..<min(columns, column + step))
        var sum: Float = 0
        for row in down {
            for column in across { sum += values[row * columns + column] }
        }
        return sum / Float(down.count * across.count)
    }
}
