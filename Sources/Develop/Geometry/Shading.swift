internal import Kernels
internal import PixelMemory
internal import RawImage

/// A lens shading map (DNG GainMap) interpolated to full image resolution, row by row.
struct ShadingRows: Sendable {
    private let map: ShadingMap
    private let width: Int
    private let height: Int

    init(_ map: ShadingMap, width: Int, height: Int) {
        self.map = map
        self.width = width
        self.height = height
    }

    /// Returns the columns of `row` that the map applies to; nil if it skips the row.
    func columns(of row: Int) -> StrideTo<Int>? {
        let area = map.area
        guard area.top <= row, row < area.bottom, (row - area.top) % area.rowPitch == 0 else { return nil }
        return stride(from: area.left, to: min(area.right, width), by: area.columnPitch)
    }

    /// Returns the gains of a row at every column, for one of the map's planes.
    func gains(row: Int, plane: Int) -> [Float] {
        let down = Self.gridIndex(row, height, map.origin.down, map.spacing.down, map.rows)
        let upper = Int(down)
        let lower = min(upper + 1, map.rows - 1)
        let weight = Float(down - Double(upper))
        let values = (0..<map.columns).map { column -> Float in
            let above = gain(upper, column, plane)
            return above + (gain(lower, column, plane) - above) * weight
        }
        return (0..<width).map { column in
            let across = Self.gridIndex(column, width, map.origin.across, map.spacing.across, map.columns)
            let left = Int(across)
            let right = min(left + 1, map.columns - 1)
            return values[left] + (values[right] - values[left]) * Float(across - Double(left))
        }
    }

    /// Returns the gain at one pixel, for one of the map's planes.
    func gain(row: Int, column: Int, plane: Int) -> Float {
        let down = Self.gridIndex(row, height, map.origin.down, map.spacing.down, map.rows)
        let across = Self.gridIndex(column, width, map.origin.across, map.spacing.across, map.columns)
        let (upper, left) = (Int(down), Int(across))
        let (lower, right) = (min(upper + 1, map.rows - 1), min(left + 1, map.columns - 1))
        let (weightDown, weightAcross) = (Float(down - Double(upper)), Float(across - Double(left)))
        let above = gain(upper, left, plane) * (1 - weightAcross) + gain(upper, right, plane) * weightAcross
        let below = gain(lower, left, plane) * (1 - weightAcross) + gain(lower, right, plane) * weightAcross
        return above + (below - above) * weightDown
    }

    private func gain(_ row: Int, _ column: Int, _ plane: Int) -> Float {
        map.gains[(row * map.columns + column) * map.gainPlanes + min(max(plane - map.plane, 0), map.gainPlanes - 1)]
    }

    /// Converts a pixel centre to a fractional index into the grid of gains, clamped to its edges.
    private static func gridIndex(
        _ pixel: Int, _ length: Int, _ origin: Double, _ spacing: Double, _ count: Int
    ) -> Double {
        let index = ((Double(pixel) + 0.5) / Double(length) - origin) / spacing
        return index.isFinite ? min(max(index, 0), Double(count - 1)) : 0
    }

    /// Multiplies a row of a linear image by the gains. `start` is the image column of the row's first value.
    func apply(row: Int, from start: Int, count: Int, _ pixels: ColorRow) {
        guard let columns = columns(of: row) else { return }
        pixels.withEach { plane, line in
            guard plane >= map.plane, plane < map.plane + map.planeCount else { return }
            let gains = gains(row: row, plane: plane)
            if map.area.columnPitch == 1, map.area.left <= start, map.area.right >= start + count {
                gains.withView { gains in
                    unsafe multiplyRow(line.pointer(count), (gains + start).pointer(count), count: count)
                }
            } else {
                for column in columns where column >= start && column < start + count {
                    line[column - start] *= gains[column]
                }
            }
        }
    }
}

/// Lens shading correction of a mosaic.
enum ShadingCorrection {
    /// The black level of the corrected mosaic, above 0 because noise makes values negative.
    private static let black: Float = 1024

    /// Returns a corrected 16-bit copy, scaled so that white multiplied by the largest gain still fits, for gains of up
    /// to 64.
    static func correcting(_ mosaic: MosaicSource, _ maps: [ShadingMap], cores: Int?) throws(GscapError) -> Mosaic {
        let (format, source) = (mosaic.format, mosaic.codes.array)
        // A mosaic has one plane.
        let maps = maps.filter { $0.plane == 0 }
        var largest: Float = 1
        for map in maps { largest *= max(1, min(map.gains.max() ?? 1, 64)) }
        let range = Float(mosaic.metadata.whiteLevel - (mosaic.metadata.blackLevel.min() ?? 0))
        let scale = (65_535 - black) / (range * min(largest, 64))
        let gainRows = maps.map { ShadingRows($0, width: format.width, height: format.height) }
        let levels = mosaic.metadata.blackLevel.map { Float($0) }
        let codes = [UInt16](fillingLarge: format.width * format.height) { target in
            // Bands write disjoint rows.
            concurrentBands(rows: format.height, of: 64, cores: cores) { rows in
                for row in rows {
                    var gains = [Float](repeating: scale, count: format.width)
                    for map in gainRows {
                        guard let columns = map.columns(of: row) else { continue }
                        let rowGains = map.gains(row: row, plane: 0)
                        for column in columns { gains[column] *= rowGains[column] }
                    }
                    for column in 0..<format.width {
                        let level = levels[2 * (row & 1) + column & 1]
                        let code = (Float(source[row * format.stride + column]) - level) * gains[column] + black
                        target[row * format.width + column] =
                            code > 0 ? UInt16(min(65_535, code).rounded()) : 0
                    }
                }
            }
        }
        var metadata = mosaic.metadata
        metadata.blackLevel = Array(repeating: Double(black), count: 4)
        metadata.whiteLevel = Double(black + range * scale)
        let shape = format.unpadded(bitDepth: 16)
        return try GscapError.checking { () throws(GscapError) in
            try Mosaic(format: shape, metadata: metadata, codes: codes)
        }
    }
}
