public import RawImage

/// One picture of a DNG file, as its directory describes it.
public struct DNGImage: Sendable, Hashable {
    /// What a picture is.
    public enum Kind: String, Sendable, Hashable {
        /// Codes of a sensor with a 2×2 colour filter.
        case bayer
        /// Camera colours at every pixel.
        case linear
        /// A display picture.
        case preview
        /// A matte that marks part of the scene.
        case mask
        /// Distances.
        case depth
        /// Anything else.
        case other
    }

    /// What the picture is.
    public let kind: Kind
    /// Whether it is the one that the file is about.
    public let isMain: Bool
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bits of a stored sample.
    public let bitsPerSample: Int
    /// Samples of a pixel.
    public let samplesPerPixel: Int
    /// Whether a stored sample is a floating-point number.
    public let isFloatingPoint: Bool
    /// How the pixels are stored.
    public let compression: DNGCompression
    /// Whether they are stored in tiles rather than strips.
    public let isTiled: Bool
    /// The order of colours at the picture's own origin, for a Bayer picture.
    public let pattern: BayerPattern?
    /// The part of the picture that the lens lit.
    public let activeArea: PixelRectangle
    /// The part that converters show, in the picture's own coordinates.
    public let defaultCrop: PixelRectangle
    /// What a matte marks, by the name that files give it; empty for other pictures.
    public let name: String

    /// Where the directory lies.
    let offset: Int
    /// TIFF's number for what samples mean.
    let photometric: UInt16
}

extension DNGImage {
    /// What errors call the picture.
    var place: String { "the \(kind.rawValue) picture of the directory at byte \(offset)" }
}

/// How pixels are stored, by the number of TIFF's Compression tag.
public struct DNGCompression: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// TIFF's number.
    public var rawValue: Int

    /// A compression from TIFF's number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Codes as they are.
    public static let none = DNGCompression(rawValue: 1)
    /// JPEG: lossless for raw pictures, baseline for previews.
    public static let jpeg = DNGCompression(rawValue: 7)
    /// Zip.
    public static let deflate = DNGCompression(rawValue: 8)
    /// Lossy JPEG of linear pictures.
    public static let lossyJPEG = DNGCompression(rawValue: 34892)
    /// JPEG XL.
    public static let jpegXL = DNGCompression(rawValue: 52546)

    /// The name people use.
    public var description: String {
        switch self {
        case .none: "uncompressed"
        case .jpeg: "JPEG"
        case .deflate: "deflate"
        case .lossyJPEG: "lossy JPEG"
        case .jpegXL: "JPEG XL"
        default: "compression \(rawValue)"
        }
    }
}
