/// A finished picture: red, green and blue in turn, pixel by pixel, rows without gaps.
public struct Picture: Sendable {
    /// The numbers, three a pixel.
    public enum Samples: Sendable {
        /// 0…255 for 0…1.
        case bytes([UInt8])
        /// 0…65535 for 0…1.
        case words([UInt16])
        /// The numbers themselves, which may go beyond 1, and below 0 for colours beyond the primaries.
        case halves([Float16])

        /// How many numbers there are.
        public var count: Int {
            switch self {
            case .bytes(let values): values.count
            case .words(let values): values.count
            case .halves(let values): values.count
            }
        }
    }

    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// What the numbers mean.
    public let color: PictureColor
    /// The numbers.
    public let samples: Samples

    /// Numbers in a pixel.
    public static let channels = 3

    /// A picture; throws when the numbers do not fill it.
    public init(width: Int, height: Int, color: PictureColor, samples: Samples) throws(RawImageError) {
        let sides = 1...MosaicFormat.maximumSide
        guard sides.contains(width), sides.contains(height), samples.count == width * height * Self.channels else {
            throw RawImageError(.badFormat, "\(samples.count) numbers are not a \(width)×\(height) picture")
        }
        self.width = width
        self.height = height
        self.color = color
        self.samples = samples
    }
}
