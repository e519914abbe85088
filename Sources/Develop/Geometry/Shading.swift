internal import Kernels
internal import RawImage

/// A shading map's gains, row by row.
struct ShadingRows: Sendable {
    private let map: ShadingMap
    private let width: Int
    private let height: Int

    init(_ map: ShadingMap, width: Int, height: Int) {
        self.map = map
        self.width = width
        self.height = height
    }

    /// The columns of a row that the gains are for; nil when it is none of theirs.
    func columns(of row: Int) -> StrideTo<Int>? {
        let area = map.area
        guard area.top <= row, row < area.bottom, (row - area.top) % area.rowPitch == 0 else { return nil }
        return stride(from: area.left, to: min(area.right, width), by: area.columnPitch)
    }

    /// The gains of a row for one of the map's planes, at every column.
    func gains(row: Int, plane: Int) -> [Float] {
        let down = Self.place(row, height, map.origin.down, map.spacing.down, map.rows)
        let upper = Int(down)
        let lower = min(upper + 1, map.rows - 1)
        let share = Float(down - Double(upper))
        let values = (0..<map.columns).map { column -> Float in
            let above = gain(upper, column, plane)
            return above + (gain(lower, column, plane) - above) * share
        }
        return (0..<width).map { column in
            let across = Self.place(column, width, map.origin.across, map.spacing.across, map.columns)
            let left = Int(across)
            let right = min(left + 1, map.columns - 1)
            return values[left] + (values[right] - values[left]) * Float(across - Double(left))
        }
    }

    /// The gain at one place of the picture, for one of the map's planes.
    func gain(row: Int, column: Int, plane: Int) -> Float {
        let down = Self.place(row, height, map.origin.down, map.spacing.down, map.rows)
        let across = Self.place(column, width, map.origin.across, map.spacing.across, map.columns)
        let (upper, left) = (Int(down), Int(across))
        let (lower, right) = (min(upper + 1, map.rows - 1), min(left + 1, map.columns - 1))
        let (share, shareAcross) = (Float(down - Double(upper)), Float(across - Double(left)))
        let above = gain(upper, left, plane) * (1 - shareAcross) + gain(upper, right, plane) * shareAcross
        let below = gain(lower, left, plane) * (1 - shareAcross) + gain(lower, right, plane) * shareAcross
        return above + (below - above) * share
    }

    private func gain(_ row: Int, _ column: Int, _ plane: Int) -> Float {
        map.gains[(row * map.columns + column) * map.gainPlanes + min(max(plane - map.plane, 0), map.gainPlanes - 1)]
    }

    private static func place(_ pixel: Int, _ length: Int, _ origin: Double, _ spacing: Double, _ count: Int) -> Double
    {
        let place = ((Double(pixel) + 0.5) / Double(length) - origin) / spacing
        return place.isFinite ? min(max(place, 0), Double(count - 1)) : 0
    }

    /// Undoes the shading of a row of a linear photo.
    func apply(row: Int, from start: Int, count: Int, _ light: ColorRow) {
        guard let columns = columns(of: row) else { return }
        unsafe light.withEach { plane, line in
            guard plane >= map.plane, plane < map.plane + map.planeCount else { return }
            let gains = gains(row: row, plane: plane)
            if map.area.columnPitch == 1, map.area.left <= start, map.area.right >= start + count {
                unsafe gains.withUnsafeBufferPointer { gains in
                    guard let gains = gains.baseAddress else { return }
                    unsafe multiplyRow(line, gains + start, count: count)
                }
            } else {
                for column in columns where column >= start && column < start + count {
                    unsafe line[column - start] *= gains[column]
                }
            }
        }
    }
}

/// A mosaic without shading.
enum ShadedMosaic {
    /// The code of no light: what is below it is noise.
    private static let black: Float = 1024

    /// A copy with its shading undone, on a scale that holds the largest gain.
    static func correcting(_ mosaic: RawMosaic, _ maps: [ShadingMap], cores: Int?) throws(DevelopError) -> Mosaic {
        let (format, source) = (mosaic.format, mosaic.codes.array)
        var largest: Float = 1
        for map in maps { largest *= max(1, min(map.gains.max() ?? 1, 64)) }
        let range = Float(mosaic.metadata.whiteLevel - (mosaic.metadata.blackLevel.min() ?? 0))
        let scale = (65_535 - black) / (range * min(largest, 64))
        let shades = maps.map { ShadingRows($0, width: format.width, height: format.height) }
        let levels = mosaic.metadata.blackLevel.map { Float($0) }
        let codes = unsafe [UInt16](large: format.width * format.height) { base in
            // Each band writes rows of its own, and all are done when this returns.
            nonisolated(unsafe) let target = unsafe base
            concurrentBands(rows: format.height, of: 64, cores: cores) { rows in
                for row in rows {
                    var gains = [Float](repeating: scale, count: format.width)
                    for shade in shades {
                        guard let columns = shade.columns(of: row) else { continue }
                        let own = shade.gains(row: row, plane: 0)
                        for column in columns { gains[column] *= own[column] }
                    }
                    for column in 0..<format.width {
                        let level = levels[2 * (row & 1) + column & 1]
                        let light = (Float(source[row * format.stride + column]) - level) * gains[column] + black
                        unsafe target[row * format.width + column] =
                            light > 0 ? UInt16(min(65_535, light).rounded()) : 0
                    }
                }
            }
        }
        var metadata = mosaic.metadata
        metadata.blackLevel = Array(repeating: Double(black), count: 4)
        metadata.whiteLevel = Double(black + range * scale)
        let shape = MosaicFormat(width: format.width, height: format.height, pattern: format.pattern, bitDepth: 16)
        return try DevelopError.checking { () throws(RawImageError) in
            try Mosaic(format: shape, metadata: metadata, codes: codes)
        }
    }
}
