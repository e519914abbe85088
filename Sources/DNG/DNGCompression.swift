/// A value of TIFF's Compression tag.
public struct DNGCompression: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The value of the Compression tag.
    public var rawValue: Int

    /// Creates a compression from the tag's value.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Uncompressed samples.
    public static let none = DNGCompression(rawValue: 1)
    /// JPEG: lossless for raw pictures, baseline for previews.
    public static let jpeg = DNGCompression(rawValue: 7)
    /// Deflate (zlib).
    public static let deflate = DNGCompression(rawValue: 8)
    /// Lossy JPEG of raw pictures (DNG 1.4).
    public static let lossyJPEG = DNGCompression(rawValue: 34892)
    /// JPEG XL (DNG 1.7).
    public static let jpegXL = DNGCompression(rawValue: 52546)

    /// The common name of the compression.
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
