internal import Demosaic
internal import PixelMemory
package import RawImage

/// A small linear picture of a scene in the colour space that a DNG gain table map is indexed in, with the peak
/// brightness of each pixel.
///
/// Each pixel averages a few cells spread over its area: enough to judge brightness, and fast to read.
package struct SceneSample: Sendable, Equatable {
    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int
    /// Linear RIMM (ProPhoto, D50) RGB, row by row; 1 is the sensor's white.
    package let colors: [SIMD3<Float>]
    /// The largest white-balanced channel of any cell read for each pixel, which preserves highlights too small to
    /// affect the mean.
    package let peaks: [Float]
    /// The longer side, in pixels, of the picture that was sampled.
    let pictureSide: Int

    /// The longest side of a sample for the recipe of a still photo.
    package static let usualSide = 256

    /// Samples a mosaic of at least 2×2 pixels; `side` is the longest side of the result.
    package init(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, side: Int = usualSide,
        cores: Int? = nil
    ) throws(GscapError) {
        try GscapError.checking { () throws(GscapError) in try format.checkDemosaic(count: codes.count) }
        let balance = try GscapError.checking { () throws(GscapError) in
            try BalancedLevels(metadata, pattern: format.pattern)
        }
        let cells = SceneCells(
            columns: format.width / 2, rows: format.height / 2, pitch: (across: 2, down: 2 * format.stride),
            offsets: (1, format.stride, format.stride + 1), planes: format.pattern.planes, balance: balance)
        self.init(
            codes, cells, metadata, side: side, pictureSide: max(format.width, format.height), cores: cores)
    }

    /// Samples a linear image; `side` is the longest side of the result.
    package init(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata, side: Int = usualSide,
        cores: Int? = nil
    ) throws(GscapError) {
        try GscapError.checking { () throws(GscapError) in try format.check(count: values.count) }
        let balance = try GscapError.checking { () throws(GscapError) in try BalancedLevels(linear: metadata) }
        let cells = SceneCells(
            columns: format.width, rows: format.height, pitch: (across: LinearFormat.channels, down: format.stride),
            offsets: (1, 2, 1), planes: [0, 1, 2, 1], balance: balance)
        self.init(
            values, cells, metadata, side: side, pictureSide: max(format.width, format.height), cores: cores)
    }

    private init(
        _ codes: Span<UInt16>, _ cells: SceneCells, _ metadata: FrameMetadata, side: Int, pictureSide: Int, cores: Int?
    ) {
        self.pictureSide = pictureSide
        let scale = min(1, Double(max(1, side)) / Double(max(cells.columns, cells.rows)))
        let width = max(1, Int((Double(cells.columns) * scale).rounded()))
        let height = max(1, Int((Double(cells.rows) * scale).rounded()))
        let matrix = Self.colors(of: metadata)
        var colors = [SIMD3<Float>](repeating: .zero, count: width * height)
        var peaks = [Float](repeating: 0, count: width * height)
        codes.withView { codes in
            colors.withMutableView { colors in
                peaks.withMutableView { peaks in
                    // No two bands write the same row.
                    concurrentBands(rows: height, of: Self.bandHeight, cores: cores) { rows in
                        for row in rows {
                            let down = SceneCells.taps(of: row, of: height, in: cells.rows)
                            for column in 0..<width {
                                let across = SceneCells.taps(of: column, of: width, in: cells.columns)
                                let (mean, peak) = cells.mean(codes, down: down, across: across)
                                colors[row * width + column] =
                                    (matrix.0 * mean.x + matrix.1 * mean.y + matrix.2 * mean.z)
                                peaks[row * width + column] = peak
                            }
                        }
                    }
                }
            }
        }
        self.width = width
        self.height = height
        self.colors = colors
        self.peaks = peaks
    }

    /// Sample rows per band.
    private static let bandHeight = 24

    /// Returns the columns of the matrix from white-balanced camera RGB to linear RIMM.
    private static func colors(of metadata: FrameMetadata) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        let columns = (rimmFromLinearSRGB * CameraColor(metadata).toLinearSRGB).transposed.rows
        return (SIMD3<Float>(columns.0), SIMD3<Float>(columns.1), SIMD3<Float>(columns.2))
    }

    /// Linear sRGB (IEC 61966-2-1) to linear RIMM (ISO 22028-2), with Bradford adaptation from D65 to D50.
    private static let rimmFromLinearSRGB = Matrix3(
        SIMD3(0.529_28, 0.330_15, 0.140_57), SIMD3(0.098_37, 0.873_46, 0.028_17),
        SIMD3(0.016_88, 0.117_67, 0.865_45))
}

/// The layout of a raw image's cells in memory: each has four codes of three colours, with green twice.
private struct SceneCells {
    /// Whole cells per row.
    let columns: Int
    /// Whole rows of cells.
    let rows: Int
    /// Codes from one cell to the next.
    let pitch: (across: Int, down: Int)
    /// Offsets of a cell's second to fourth codes from its first.
    private let offsets: (second: Int, third: Int, fourth: Int)
    /// Weights of the four codes in red, green and blue.
    private let weights: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    private let black: SIMD4<Float>
    private let gain: SIMD4<Float>

    init(
        columns: Int, rows: Int, pitch: (across: Int, down: Int), offsets: (Int, Int, Int), planes: [Int],
        balance: BalancedLevels
    ) {
        self.columns = columns
        self.rows = rows
        self.pitch = pitch
        self.offsets = offsets
        (black, gain) = (balance.black, balance.gain)
        func weight(of plane: Int) -> SIMD4<Float> {
            let fraction = 1 / Float(planes.count { $0 == plane })
            var weight = SIMD4<Float>()
            for position in 0..<4 where planes[position] == plane { weight[position] = fraction }
            return weight
        }
        weights = (weight(of: 0), weight(of: 1), weight(of: 2))
    }

    /// The largest number of cells read per direction for one pixel.
    private static let mostTaps = 3

    /// The cells read along one direction: the first, the distance between them, and their number.
    typealias Taps = (first: Int, distance: Int, count: Int)

    static func taps(of pixel: Int, of pixels: Int, in cells: Int) -> Taps {
        let (start, end) = (pixel * cells / pixels, (pixel + 1) * cells / pixels)
        let length = max(1, end - start)
        let count = min(length, mostTaps)
        let distance = length / count
        return (start + (length - 1 - (count - 1) * distance) / 2, distance, count)
    }

    /// Returns the mean colour of the cells read for a pixel and the largest channel of any of them; each
    /// white-balanced channel is clipped at 1 before.
    func mean(
        _ codes: MemoryView<UInt16>, down: Taps, across: Taps
    ) -> (mean: SIMD3<Float>, peak: Float) {
        var sum = SIMD4<Float>()
        var peaks = SIMD4<Float>()
        let one = SIMD4<Float>(repeating: 1)
        for row in 0..<down.count {
            var start = (down.first + row * down.distance) * pitch.down + across.first * pitch.across
            for _ in 0..<across.count {
                let cell = SIMD4<UInt16>(
                    codes[start], codes[start + offsets.second], codes[start + offsets.third],
                    codes[start + offsets.fourth])
                var values = (SIMD4<Float>(cell) - black) * gain
                values = values.replacing(with: one, where: values .> one)
                peaks = peaks.replacing(with: values, where: values .> peaks)
                sum += values
                start += across.distance * pitch.across
            }
        }
        sum /= Float(down.count * across.count)
        let mean = SIMD3((sum * weights.red).sum(), (sum * weights.green).sum(), (sum * weights.blue).sum())
        return (mean, peaks.max())
    }
}
