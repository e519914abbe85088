internal import Demosaic
package import RawImage

/// A small picture of a scene's light, in the colours that a DNG's gain table map looks at, and what is brightest in it.
///
/// A place is the mean of a few cells spread over its part of the picture: enough to judge light, little to read.
package struct SceneSample: Sendable, Equatable {
    /// Places in a row.
    package let width: Int
    /// Rows of places.
    package let height: Int
    /// Linear red, green and blue with the primaries of RIMM (ProPhoto) under D50, row by row; the sensor's white is 1.
    package let colors: [SIMD3<Float>]
    /// The strongest balanced colour of any cell read at each place: a highlight too small to move the mean counts here.
    package let peaks: [Float]

    /// The longest side of a sample that a still photo's recipe is made of.
    package static let usualSide = 256

    /// A sample of a mosaic, which must be at least 2×2.
    package init(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata, side: Int = usualSide,
        cores: Int? = nil
    ) throws(DevelopError) {
        try DevelopError.checking { () throws(RawImageError) in try format.checkDemosaic(count: codes.count) }
        let balance = try DevelopError.checking { () throws(RawImageError) in
            try Balance(metadata, pattern: format.pattern)
        }
        let cells = SceneCells(
            columns: format.width / 2, rows: format.height / 2, pitch: (across: 2, down: 2 * format.stride),
            places: (1, format.stride, format.stride + 1), planes: format.pattern.planes, balance: balance)
        self.init(codes, cells, metadata, side: side, cores: cores)
    }

    /// A sample of a linear photo.
    package init(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata, side: Int = usualSide,
        cores: Int? = nil
    ) throws(DevelopError) {
        try DevelopError.checking { () throws(RawImageError) in try format.check(count: values.count) }
        let balance = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: metadata) }
        let cells = SceneCells(
            columns: format.width, rows: format.height, pitch: (across: LinearFormat.channels, down: format.stride),
            places: (1, 2, 1), planes: [0, 1, 2, 1], balance: balance)
        self.init(values, cells, metadata, side: side, cores: cores)
    }

    private init(_ codes: Span<UInt16>, _ cells: SceneCells, _ metadata: FrameMetadata, side: Int, cores: Int?) {
        let scale = min(1, Double(max(1, side)) / Double(max(cells.columns, cells.rows)))
        let width = max(1, Int((Double(cells.columns) * scale).rounded()))
        let height = max(1, Int((Double(cells.rows) * scale).rounded()))
        let matrix = Self.colors(of: metadata)
        var colors = [SIMD3<Float>](repeating: .zero, count: width * height)
        var peaks = [Float](repeating: 0, count: width * height)
        unsafe codes.withUnsafeBufferPointer { codes in
            unsafe colors.withUnsafeMutableBufferPointer { colors in
                unsafe peaks.withUnsafeMutableBufferPointer { peaks in
                    // All stay in place until the last band is done, and each band writes rows of its own.
                    nonisolated(unsafe) let (codes, colors, peaks) = unsafe (codes, colors, peaks)
                    concurrentBands(rows: height, of: Self.bandHeight, cores: cores) { rows in
                        for row in rows {
                            let down = SceneCells.taps(of: row, of: height, in: cells.rows)
                            for column in 0..<width {
                                let across = SceneCells.taps(of: column, of: width, in: cells.columns)
                                let (mean, peak) = unsafe cells.mean(codes, down: down, across: across)
                                unsafe colors[row * width + column] =
                                    (matrix.0 * mean.x + matrix.1 * mean.y + matrix.2 * mean.z)
                                unsafe peaks[row * width + column] = peak
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

    /// Rows of places worked on together.
    private static let bandHeight = 24

    /// The columns of the matrix from balanced camera colour to RIMM.
    private static func colors(of metadata: FrameMetadata) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
        let columns = (rimmFromLinearSRGB * CameraColor(metadata).toLinearSRGB).transposed.rows
        return (SIMD3<Float>(columns.0), SIMD3<Float>(columns.1), SIMD3<Float>(columns.2))
    }

    /// Linear sRGB to RIMM: by the primaries of IEC 61966-2-1 and ISO 22028-2, D65 seen as D50 after Bradford.
    private static let rimmFromLinearSRGB = Matrix3(
        SIMD3(0.529_28, 0.330_15, 0.140_57), SIMD3(0.098_37, 0.873_46, 0.028_17),
        SIMD3(0.016_88, 0.117_67, 0.865_45))
}

/// How the cells of a raw picture lie in memory: each has four codes of three colours, the green one twice.
private struct SceneCells {
    /// Whole cells in a row.
    let columns: Int
    /// Whole rows of cells.
    let rows: Int
    /// Codes from a cell to the next.
    let pitch: (across: Int, down: Int)
    /// Where a cell's second to fourth codes lie behind its first.
    private let places: (second: Int, third: Int, fourth: Int)
    /// How much of each code is red, green and blue.
    private let shares: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    private let black: SIMD4<Float>
    private let gain: SIMD4<Float>

    init(
        columns: Int, rows: Int, pitch: (across: Int, down: Int), places: (Int, Int, Int), planes: [Int],
        balance: Balance
    ) {
        self.columns = columns
        self.rows = rows
        self.pitch = pitch
        self.places = places
        (black, gain) = (balance.black, balance.gain)
        func share(of plane: Int) -> SIMD4<Float> {
            let part = 1 / Float(planes.count { $0 == plane })
            var share = SIMD4<Float>()
            for place in 0..<4 where planes[place] == plane { share[place] = part }
            return share
        }
        shares = (share(of: 0), share(of: 1), share(of: 2))
    }

    /// The most cells that are read in each direction for one place.
    private static let mostTaps = 3

    /// The first cell of a place, the distance of those read, and their number.
    typealias Taps = (first: Int, distance: Int, count: Int)

    static func taps(of place: Int, of places: Int, in cells: Int) -> Taps {
        let (start, end) = (place * cells / places, (place + 1) * cells / places)
        let length = max(1, end - start)
        let count = min(length, mostTaps)
        let distance = length / count
        return (start + (length - 1 - (count - 1) * distance) / 2, distance, count)
    }

    /// The mean of the cells read at a place, and the strongest colour of any; light ends at 1.
    func mean(
        _ codes: UnsafeBufferPointer<UInt16>, down: Taps, across: Taps
    ) -> (mean: SIMD3<Float>, peak: Float) {
        var sum = SIMD4<Float>()
        var peaks = SIMD4<Float>()
        let one = SIMD4<Float>(repeating: 1)
        for row in 0..<down.count {
            var start = (down.first + row * down.distance) * pitch.down + across.first * pitch.across
            for _ in 0..<across.count {
                let cell = unsafe SIMD4<UInt16>(
                    codes[start], codes[start + places.second], codes[start + places.third],
                    codes[start + places.fourth])
                var light = (SIMD4<Float>(cell) - black) * gain
                light = light.replacing(with: one, where: light .> one)
                peaks = peaks.replacing(with: light, where: light .> peaks)
                sum += light
                start += across.distance * pitch.across
            }
        }
        sum /= Float(down.count * across.count)
        let mean = SIMD3((sum * shares.red).sum(), (sum * shares.green).sum(), (sum * shares.blue).sum())
        return (mean, peaks.max())
    }
}
