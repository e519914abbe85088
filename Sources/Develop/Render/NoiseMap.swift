internal import Glibc
internal import PixelMemory
internal import RawImage

/// Noise weights over a picture whose noise differs from place to place: the gain of lens shading correction multiplies
/// noise as well as signal, and fusion averages fewer frames where something moved.
struct NoiseMap: Sendable {
    /// Grid points down and across: shading gains and the numbers of frames are known on coarse grids.
    private static let side = 64

    private let width: Int
    private let height: Int
    /// The factor at each grid point by which detail energy is multiplied: the inverse of the noise variance, relative
    /// to the noise profile's; row by row.
    private let weights: [Float]

    /// Returns nil if noise is the same everywhere: without shading maps and without a map of effective frames.
    init?(_ shading: [ShadingMap], _ source: RawSource, _ frame: RenderFrame) {
        let frames = source.metadata.fusion.flatMap { FrameWeights($0, width: source.width, height: source.height) }
        guard !shading.isEmpty || frames != nil else { return nil }
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
            return expf(-gain) * (frames?.weight(row: row, column: column) ?? 1)
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

/// The effective number of frames at each place of a fused photo, relative to the mean that its noise profile states.
private struct FrameWeights {
    private let map: EffectiveFramesMap
    private let mean: Float
    private let columnScale: Float
    private let rowScale: Float

    /// Returns nil for a report without a usable map. All photos use the map in the size that files store, so that a
    /// file and the photo in memory give the same picture.
    init?(_ report: FusionReport, width: Int, height: Int) {
        let map = report.effectiveFramesMap.coarse()
        let mean = Float(report.effectiveFrames)
        guard map.isWhole, map.columns > 0, map.rows > 0, mean.isFinite, mean > 0 else { return nil }
        (self.map, self.mean) = (map, mean)
        (columnScale, rowScale) = (Float(map.columns) / Float(width), Float(map.rows) / Float(height))
    }

    /// Returns the weight of a pixel, interpolated between the centres of the map's cells.
    func weight(row: Int, column: Int) -> Float {
        let (x, y) = ((Float(column) + 0.5) * columnScale - 0.5, (Float(row) + 0.5) * rowScale - 0.5)
        let (left, upper) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (right, lower) = (x - Float(left), y - Float(upper))
        let above = frames(upper, left) * (1 - right) + frames(upper, left + 1) * right
        let below = frames(upper + 1, left) * (1 - right) + frames(upper + 1, left + 1) * right
        return (above * (1 - lower) + below * lower) / mean
    }

    private func frames(_ row: Int, _ column: Int) -> Float {
        let cell = min(max(row, 0), map.rows - 1) * map.columns + min(max(column, 0), map.columns - 1)
        // Files may state any number.
        return map.values[cell].isFinite ? min(max(map.values[cell], 0.25), 64) : 1
    }
}

extension PixelGrid {
    /// Whether a pixel lies in the rectangle; the pitches are ignored.
    fileprivate func contains(_ row: Int, _ column: Int) -> Bool {
        top <= row && row < bottom && left <= column && column < right
    }
}
