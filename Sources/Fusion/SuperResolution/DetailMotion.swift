/// Where a tile of the reference is found in a frame.
struct DetailMotion: Sendable {
    /// To the right and down, in mosaic pixels.
    var shift = SIMD2<Float>.zero
    /// Whether it moves as the whole frame does: then fine detail may differ between frames as the sensor's grid folds it,
    /// while elsewhere it may be another thing.
    var isGlobal = true

    /// Tiles this near to the motion of the whole frame share it.
    private static let nearness = 0.6

    /// The motion of each tile of a field, row by row; nil where nothing was found.
    static func all(of field: MotionField) -> [DetailMotion?] {
        let global = GlobalMotion(of: field)
        let grid = field.grid
        return (0..<grid.count).map { tile in
            let (column, row) = (tile % grid.columns, tile / grid.columns)
            let own = field.middle(column: column, row: row)
            let whole = global[column, row]
            let distance = own - whole
            if (distance * distance).sum() < nearness * nearness { return DetailMotion(shift: SIMD2<Float>(whole)) }
            guard field.tile(column: column, row: row).agrees else { return nil }
            return DetailMotion(shift: SIMD2<Float>(own), isGlobal: false)
        }
    }
}

extension MotionField {
    /// The middle one of the motions of a tile and its eight neighbours, in mosaic pixels: a single tile that went astray
    /// does not count, and noise is less.
    fileprivate func middle(column: Int, row: Int) -> SIMD2<Double> {
        var (rights, downs) = (InOrder(), InOrder())
        for place in 0..<9 {
            let neighbour = tile(column: column + place % 3 - 1, row: row + place / 3 - 1)
            rights.insert(neighbour.right)
            downs.insert(neighbour.down)
        }
        return SIMD2(Double(rights.values[4]), Double(downs.values[4])) * 2
    }

    /// Up to sixteen values in order.
    private struct InOrder {
        var values = SIMD16<Float>(repeating: .infinity)
        private var count = 0

        mutating func insert(_ value: Float) {
            var place = count
            while place > 0, values[place - 1] > value {
                values[place] = values[place - 1]
                place -= 1
            }
            values[place] = value
            count += 1
        }
    }
}
