/// A rendered image: interleaved red, green and blue samples, rows without padding.
public struct Picture: Sendable {
    /// The samples of a picture in one of three number formats, three samples per pixel.
    public enum Samples: Sendable {
        /// 8-bit samples; 255 is 1.
        case bytes([UInt8])
        /// 16-bit samples; 65535 is 1.
        case words([UInt16])
        /// Half-precision samples; above 1 for HDR highlights and below 0 for colours outside the gamut.
        case halves([Float16])

        /// Number of samples.
        public var count: Int {
            switch self {
            case .bytes(let values): values.count
            case .words(let values): values.count
            case .halves(let values): values.count
            }
        }
    }

    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// The colour space of the samples.
    public let color: PictureColor
    /// The samples: red, green and blue of each pixel, row by row.
    public let samples: Samples

    /// Samples per pixel.
    public static let channels = 3

    /// Creates an image; throws unless there are three samples for each of `width`×`height` pixels.
    public init(width: Int, height: Int, color: PictureColor, samples: Samples) throws(GscapError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), samples.count == width * height * Self.channels else {
            throw GscapError(.badFormat, "a \(width)×\(height) picture has \(samples.count) samples")
        }
        self.width = width
        self.height = height
        self.color = color
        self.samples = samples
    }
}
