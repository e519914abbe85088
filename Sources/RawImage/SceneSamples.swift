/// Samples of a raw frame on a coarse grid, from which `SceneEstimator` measures the scene.
///
/// Each sample is one 2×2 cell of the mosaic; its signal is the mean of the two green pixels, 0 at black and 1 at
/// white. A frame of any size has at most 64×48 samples, so taking them reads 12,288 codes.
public struct SceneSamples: Sendable {
    /// The number of samples in a row of the grid.
    public let columns: Int
    /// The number of rows of the grid.
    public let rows: Int
    /// The signals, row after row. Noise makes some of them negative.
    let signals: [Float]
    /// Whether a green pixel of the sample is clipped.
    let isClipped: [Bool]
    /// The fraction of all sampled pixels that are clipped.
    let clippedFraction: Double
    /// Exposure time in seconds and ISO speed of the frame; 0 when unknown.
    let exposureTime, iso: Double
    /// The f-number of the lens; 0 when unknown.
    let fNumber: Double
    /// The noise of the signals, including that of rounding to integer codes.
    let noise: NoiseProfile

    /// Samples a frame; nil if there are too few codes for the format, the frame is smaller than 2×2 pixels, or its
    /// levels are invalid.
    public init?(_ codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata) {
        guard (try? format.check(count: codes.count)) != nil, format.width >= 2, format.height >= 2,
            let clippingCode = metadata.clippingCode
        else { return nil }
        (columns, rows) = (min(64, format.width / 2), min(48, format.height / 2))
        let levels = Levels(format, metadata, clippingCode)
        var signals: [Float] = []
        var isClipped: [Bool] = []
        signals.reserveCapacity(columns * rows)
        isClipped.reserveCapacity(columns * rows)
        var clipped = 0
        for row in 0..<rows {
            let start = 2 * Self.center(row, of: rows, cells: format.height / 2) * format.stride
            for column in 0..<columns {
                let cell = start + 2 * Self.center(column, of: columns, cells: format.width / 2)
                let (one, two) = (codes[cell + levels.first], codes[cell + levels.second])
                signals.append((Float(one) + Float(two) - levels.blackSum) * levels.scale)
                isClipped.append(max(one, two) >= clippingCode)
                clipped += levels.clippedCount(codes, cell)
            }
        }
        self.signals = signals
        self.isClipped = isClipped
        clippedFraction = Double(clipped) / Double(4 * columns * rows)
        exposureTime = Self.known(metadata.exposureTime)
        iso = Self.known(metadata.iso)
        fNumber = Self.known(metadata.details.fNumber)
        noise = Self.noise(of: metadata, range: levels.range)
    }

    /// Returns the cell in the middle of part `index` of `count` equal parts of a row or column of cells.
    private static func center(_ index: Int, of count: Int, cells: Int) -> Int {
        (2 * index + 1) * cells / (2 * count)
    }

    private static func known(_ value: Double) -> Double { value.isFinite && value > 0 ? value : 0 }

    /// Returns the noise of the mean of two green pixels. A frame without a noise profile counts as one of a small
    /// sensor: 5,000 electrons fill a pixel at ISO 100, and the read noise is two codes of twelve bits.
    private static func noise(of metadata: FrameMetadata, range: Double) -> NoiseProfile {
        var profile = metadata.noise.count > 1 ? metadata.noise[1] : metadata.noise.first
        if let known = profile, !(known.shot.isFinite && known.read.isFinite && known.shot >= 0 && known.read >= 0) {
            profile = nil
        }
        let gain = max(100, known(metadata.iso)) / 100
        var noise = profile ?? NoiseProfile(shot: gain / 5000, read: gain * (2 / 4095) * (2 / 4095))
        // The variance of rounding is 1/12 code².
        noise.read += 1 / (12 * range * range)
        return noise.averaged(over: 2)
    }
}

/// Where the green pixels of a cell are, and how their codes become a signal.
private struct Levels {
    /// Offsets of the two green pixels from the first code of their cell.
    let first, second: Int
    /// The sum of the black levels of the two.
    let blackSum: Float
    /// The number of codes from black to white.
    let range: Double
    /// The factor from the sum of the two codes above black to the signal.
    let scale: Float
    private let stride: Int
    private let clippingCode: UInt16

    init(_ format: MosaicFormat, _ metadata: FrameMetadata, _ clippingCode: UInt16) {
        // Of a 2×2 cell's two green positions, one is in the upper row, the other on the diagonal below.
        let column = format.pattern.plane(row: 0, column: 0) == 1 ? 0 : 1
        first = column
        second = format.stride + 1 - column
        let black = (metadata.blackLevel[column] + metadata.blackLevel[3 - column]) / 2
        range = metadata.whiteLevel - black
        blackSum = Float(2 * black)
        scale = Float(1 / (2 * range))
        stride = format.stride
        self.clippingCode = clippingCode
    }

    /// Returns how many of a cell's four pixels are clipped.
    func clippedCount(_ codes: Span<UInt16>, _ cell: Int) -> Int {
        var count = 0
        for offset in 0...1 {
            count += codes[cell + offset] >= clippingCode ? 1 : 0
            count += codes[cell + offset + stride] >= clippingCode ? 1 : 0
        }
        return count
    }
}
