internal import Glibc
internal import RawImage

/// How noise differs over a picture whose shading was undone: where light was multiplied, so was noise.
struct NoiseMap: Sendable {
    /// Places down and across: gains change slowly.
    private static let side = 64

    private let width: Int
    private let height: Int
    /// What the strength of details is to be multiplied by, row by row.
    private let weights: [Float]

    /// Nil when noise is the same everywhere.
    init?(_ shading: [ShadingMap], _ source: RawSource, _ frame: RenderFrame) {
        guard !shading.isEmpty else { return nil }
        (width, height) = (frame.width, frame.height)
        let maps = shading.map { (map: $0, rows: ShadingRows($0, width: source.width, height: source.height)) }
        let count = Self.side * Self.side
        weights = (0..<count).map { index in
            let (down, across) = (Double(index / Self.side) + 0.5, Double(index % Self.side) + 0.5)
            let row = frame.crop.top + Int(down / Double(Self.side) * Double(frame.crop.height))
            let column = frame.crop.left + Int(across / Double(Self.side) * Double(frame.crop.width))
            var gain: Float = 0
            for (map, rows) in maps where map.area.holds(row, column) {
                // The share of a pixel's numbers that the map is for: most are for one place of the cell or one plane.
                let cells = map.area.rowPitch.multipliedReportingOverflow(by: map.area.columnPitch)
                let planes = source.isMosaic ? 1 : Float(min(map.planeCount, 3)) / 3
                let share = cells.overflow ? 0 : planes / Float(cells.partialValue)
                gain += share * logf(min(max(rows.gain(row: row, column: column, plane: map.plane), 1 / 64), 64))
            }
            return expf(-gain)
        }
    }

    /// The weights of a row of squares of `size` pixels each.
    func fill(_ line: UnsafeMutablePointer<Float>, row: Int, of size: Int, count: Int) {
        let start = min(row * size * Self.side / height, Self.side - 1) * Self.side
        for place in 0..<count {
            unsafe line[place] = weights[start + min(place * size * Self.side / width, Self.side - 1)]
        }
    }
}

extension PixelGrid {
    /// Whether a pixel lies in the rectangle.
    fileprivate func holds(_ row: Int, _ column: Int) -> Bool {
        top <= row && row < bottom && left <= column && column < right
    }
}
