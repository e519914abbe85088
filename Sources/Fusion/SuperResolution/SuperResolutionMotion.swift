/// The motion of one tile of the reference in a frame.
struct SuperResolutionMotion: Sendable {
    /// The shift to the right and down, in mosaic pixels.
    var shift = SIMD2<Float>.zero
    /// Whether the tile moves with the whole frame. Then residuals may be aliased texture, which is tolerated;
    /// otherwise they may be another object.
    var isGlobal = true

    /// The distance in mosaic pixels within which a tile's motion is replaced by the more precise global motion.
    private static let nearness = 0.6

    /// Returns the motion of each tile of a field, row by row; nil where none was found.
    static func all(of field: MotionField) -> [SuperResolutionMotion?] {
        var global = GlobalMotion(shift: SIMD2<Float>(field.global / 2))
        global.fit(field)
        let grid = field.grid
        return (0..<grid.count).map { tile in
            let (column, row) = (tile % grid.columns, tile / grid.columns)
            let own = field.middle(column: column, row: row)
            let whole = SIMD2<Double>(global[column, row]) * 2
            let distance = own - whole
            if (distance * distance).sum() < nearness * nearness {
                return SuperResolutionMotion(shift: SIMD2<Float>(whole))
            }
            guard field.tile(column: column, row: row).agrees else { return nil }
            return SuperResolutionMotion(shift: SIMD2<Float>(own), isGlobal: false)
        }
    }
}

extension MotionField {
    /// Returns the median motion of a tile and its eight neighbours, in mosaic pixels: it has less noise, and a single
    /// wrong tile does not count.
    fileprivate func middle(column: Int, row: Int) -> SIMD2<Double> {
        var (rights, downs) = (InOrder(), InOrder())
        for position in 0..<9 {
            let neighbour = tile(column: column + position % 3 - 1, row: row + position / 3 - 1)
            rights.insert(neighbour.right)
            downs.insert(neighbour.down)
        }
        return SIMD2(Double(rights.values[4]), Double(downs.values[4])) * 2
    }

    /// Up to sixteen values in ascending order.
    private struct InOrder {
        var values = SIMD16<Float>(repeating: .infinity)
        private var count = 0

        mutating func insert(_ value: Float) {
            var position = count
            while position > 0, values[position - 1] > value {
                values[position] = values[position - 1]
                position -= 1
            }
            values[position] = value
            count += 1
        }
    }
}
