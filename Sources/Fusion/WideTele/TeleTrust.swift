internal import RawImage

/// How far each tile of a field is trusted, by how many of its pixels contradict each other.
///
/// Where something moved between the photos, single pixels agree by chance: parts of equal colour, or smooth ones. Most
/// of a moved object differs by far more than noise and aliasing explain, however. A tile with many such pixels is
/// therefore left to the wide photo with its neighbours, and those around fade towards it.
struct TeleTrust {
    /// Side of a tile in wide pixels.
    private static let side = 16
    /// The difference from which pixels contradict each other, as a multiple of that up to which they agree.
    private static let contradiction: Float = 16
    /// The fraction of a tile's pixels that contradict, up to which it is trusted, and from which it is not.
    private static let (full, none): (Float, Float) = (0.4, 0.6)
    /// The number of tiles around one that is not trusted which are not trusted either: objects end between tiles.
    private static let reach = 2

    private let (columns, rows): (Int, Int)
    private let factors: [Float]

    /// Measures the differences, the third component of `values`, in the tiles of a field.
    init(_ values: [SIMD4<Float>], _ field: TeleField) {
        let (width, height) = (field.area.width, field.area.height)
        let (columns, rows) = ((width + Self.side - 1) / Self.side, (height + Self.side - 1) / Self.side)
        (self.columns, self.rows) = (columns, rows)
        var counts = Array(repeating: SIMD2<Float>(), count: columns * rows)
        for row in 0..<height {
            for column in 0..<width where field.tele[row * width + column].w >= 0 {
                let contradicts = values[row * width + column].z > Self.contradiction
                counts[row / Self.side * columns + column / Self.side] += SIMD2(contradicts ? 1 : 0, 1)
            }
        }
        let trusts = counts.map { count -> Float in
            if count.y == 0 { return 1 }
            return min(max((Self.none - count.x / count.y) / (Self.none - Self.full), 0), 1)
        }
        factors = (0..<columns * rows).map { index in
            let (column, row) = (index % columns, index / columns)
            var least: Float = 1
            for row in max(0, row - Self.reach)...min(rows - 1, row + Self.reach) {
                for column in max(0, column - Self.reach)...min(columns - 1, column + Self.reach) {
                    least = min(least, trusts[row * columns + column])
                }
            }
            return least
        }
    }

    /// Returns the trust at a pixel, 0…1, interpolated between the centres of the tiles.
    func factor(_ column: Int, _ row: Int) -> Float {
        let (x, y) = (place(column, columns), place(row, rows))
        let upper = factors[y.first * columns + x.first] * (1 - x.part) + factors[y.first * columns + x.next] * x.part
        let lower = factors[y.next * columns + x.first] * (1 - x.part) + factors[y.next * columns + x.next] * x.part
        return upper * (1 - y.part) + lower * y.part
    }

    private func place(_ pixel: Int, _ count: Int) -> (first: Int, next: Int, part: Float) {
        let position = (Float(pixel) + 0.5) / Float(Self.side) - 0.5
        let first = Int(position.rounded(.down))
        return (max(0, first), min(count - 1, first + 1), position - Float(first))
    }
}
