/// A format that finished pictures are stored in.
public enum PictureFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// 8 bits, with loss, for everyone; may carry a gain map for HDR screens.
    case jpeg
    /// 8 or 16 bits, without loss.
    case png
    /// 8 or 16 bits or half floats, without loss.
    case tiff
    /// HEIF with HEVC: 8 or 10 bits, with loss, with mattes and depth.
    case heic
    /// HEIF with AV1: 8 or 10 bits, with loss.
    case avif
    /// OpenEXR: linear half floats, without loss.
    case exr
    /// JPEG XL: 8 or 16 bits or half floats; without loss at full quality.
    case jxl

    /// The format that a file's extension names; nil when none does.
    public init?(fileExtension: String) {
        let named = Self.allCases.first { $0.fileExtensions.contains(fileExtension.lowercased()) }
        guard let named else { return nil }
        self = named
    }

    /// The extensions of such files, the usual one first.
    public var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg"]
        case .png: ["png"]
        case .tiff: ["tif", "tiff"]
        case .heic: ["heic", "heif"]
        case .avif: ["avif"]
        case .exr: ["exr"]
        case .jxl: ["jxl"]
        }
    }

    /// The usual extension of such files.
    public var fileExtension: String { fileExtensions[0] }

    /// The name that the internet gives such files.
    public var mediaType: String {
        switch self {
        case .exr: "image/x-exr"
        default: "image/\(rawValue)"
        }
    }

    /// How finely the format can tell numbers apart.
    public var depths: [PictureDepth] {
        switch self {
        case .jpeg: [.eight]
        case .png: [.eight, .sixteen]
        case .tiff, .jxl: [.eight, .sixteen, .half]
        case .heic, .avif: [.eight, .ten]
        case .exr: [.half]
        }
    }
}

/// How finely a file tells numbers apart.
public enum PictureDepth: String, Sendable, Hashable, Codable, CaseIterable {
    /// 8 bits.
    case eight = "8"
    /// 10 bits.
    case ten = "10"
    /// 16 bits.
    case sixteen = "16"
    /// Floating-point numbers of 16 bits.
    case half
}

/// How files without loss are made smaller.
public enum PictureCompression: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not at all, where the format can.
    case none
    /// Deflate, behind what predicts each number from its neighbours.
    case deflate
}
