extension EffectiveFramesMap {
    /// The most cells in a row or column that travel with a photo and its file.
    package static let mostTold = 32

    /// Whether it has the values that its size says.
    package var isWhole: Bool {
        // Sizes come from files too: each is compared before their product is made.
        guard columns > 0, rows > 0, columns <= values.count, rows <= values.count else { return false }
        return columns * rows == values.count
    }

    /// The map with at most `most` cells in a row and a column: means of the cells that fall together.
    package func coarse(most: Int = mostTold) -> EffectiveFramesMap {
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
