/// A file format of rendered pictures.
public enum PictureFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// JPEG: 8 bits, lossy, readable everywhere; may carry a gain map for HDR displays.
    case jpeg
    /// PNG: 8 or 16 bits, lossless.
    case png
    /// TIFF: 8 or 16 bits or half floats, lossless.
    case tiff
    /// HEIF with HEVC: 8 or 10 bits, lossy, with mattes and depth; may carry a gain map for HDR displays.
    case heic
    /// AVIF (HEIF with AV1): 8 or 10 bits, lossy; may carry a gain map for HDR displays.
    case avif
    /// OpenEXR: linear half floats, lossless.
    case exr
    /// JPEG XL: 8 or 16 bits or half floats; lossless at quality 1.
    case jxl
    /// WebP: 8 bits; lossless at quality 1. At most 16,383 pixels wide and high.
    case webp

    /// Finds the format with a file extension such as "jpg", in upper or lower case; nil for an unknown one.
    public init?(fileExtension: String) {
        let named = Self.allCases.first { $0.fileExtensions.contains(fileExtension.lowercased()) }
        guard let named else { return nil }
        self = named
    }

    /// The file extensions of the format, the usual one first.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .png: ["png"]
        case .tiff: ["tif", "tiff"]
        case .heic: ["heic", "heif"]
        case .avif: ["avif"]
        case .exr: ["exr"]
        case .jxl: ["jxl"]
        case .webp: ["webp"]
        }
    }

    /// The usual file extension of the format.
    public var fileExtension: String { fileExtensions[0] }

    /// The media type (MIME type) of the format.
    public var mediaType: String {
        switch self {
        case .exr: "image/x-exr"
        default: "image/\(rawValue)"
        }
    }

    /// Whether the format supports gain maps: an SDR picture that HDR displays turn into its HDR rendition.
    public var hasGainMaps: Bool {
        switch self {
        case .jpeg, .heic, .avif: true
        case .png, .tiff, .exr, .jxl, .webp: false
        }
    }

    /// Whether all files of the format store their samples exactly, so that they have no quality.
    package var isLossless: Bool {
        switch self {
        case .png, .tiff, .exr: true
        case .jpeg, .heic, .avif, .jxl, .webp: false
        }
    }

    /// The bit depths that the format supports.
    public var depths: [PictureDepth] {
        switch self {
        case .jpeg, .webp: [.eight]
        case .png: [.eight, .sixteen]
        case .tiff, .jxl: [.eight, .sixteen, .half]
        case .heic, .avif: [.eight, .ten]
        case .exr: [.half]
        }
    }
}

/// The bit depth of a picture file's samples.
public enum PictureDepth: String, Sendable, Hashable, Codable, CaseIterable {
    /// 8 bits.
    case eight = "8"
    /// 10 bits.
    case ten = "10"
    /// 16 bits.
    case sixteen = "16"
    /// Floating-point samples of 16 bits.
    case half
}

/// The lossless compression of a picture file.
public enum PictureCompression: String, Sendable, Hashable, Codable, CaseIterable {
    /// No compression; PNG, which requires Deflate, ignores this.
    case none
    /// Deflate, after a predictor.
    case deflate
}
