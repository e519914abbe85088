internal import Glibc
internal import PixelMemory
internal import RawImage

/// Noise weights over a picture whose lens shading was corrected: the shading gain multiplies noise as well as
/// signal.
struct NoiseMap: Sendable {
    /// Grid points down and across: shading gains change slowly over the picture.
    private static let side = 64

    private let width: Int
    private let height: Int
    /// The inverse of the shading gain at each grid point, by which detail energy is multiplied; row by row.
    private let weights: [Float]

    /// Returns nil without shading maps: noise is then the same everywhere.
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
            for (map, rows) in maps where map.area.contains(row, column) {
                // The fraction of a pixel's samples that the map applies to: a map usually covers one CFA position or
                // one plane.
                let cells = map.area.rowPitch.multipliedReportingOverflow(by: map.area.columnPitch)
                let planes = source.isMosaic ? 1 : Float(min(map.planeCount, 3)) / 3
                let fraction = cells.overflow ? 0 : planes / Float(cells.partialValue)
                gain += fraction * logf(min(max(rows.gain(row: row, column: column, plane: map.plane), 1 / 64), 64))
            }
            return expf(-gain)
        }
    }

    /// Fills `line` with the weights for a row of `count` blocks of `size` pixels a side.
    func fill(_ line: MutableMemoryView<Float>, row: Int, of size: Int, count: Int) {
        let start = min(row * size * Self.side / height, Self.side - 1) * Self.side
        for block in 0..<count {
            line[block] = weights[start + min(block * size * Self.side / width, Self.side - 1)]
        }
    }
}

extension PixelGrid {
    /// Whether a pixel lies in the rectangle; the pitches are ignored.
    fileprivate func contains(_ row: Int, _ column: Int) -> Bool {
        top <= row && row < bottom && left <= column && column < right
    }
}
