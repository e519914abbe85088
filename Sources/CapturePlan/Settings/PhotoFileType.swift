/// A type of photo files.
public enum PhotoFileType: String, Sendable, Hashable, CaseIterable {
    /// Digital Negative, for RAW photos.
    case dng
    /// JPEG.
    case jpeg
    /// PNG.
    case png
    /// TIFF.
    case tiff
    /// WebP.
    case webP = "webp"
    /// HEIF with HEVC (HEIC).
    case heif
    /// HEIF with AV1 (AVIF).
    case avif
    /// JPEG XL.
    case jpegXL = "jxl"
    /// OpenEXR.
    case openEXR = "exr"

    /// The usual file name extension.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .heif: "heic"
        default: rawValue
        }
    }

    /// The codecs that compress photos in files of this type.
    var codecs: Set<PhotoCodec> {
        switch self {
        case .dng: [.losslessJPEG]
        case .jpeg: [.jpeg]
        case .png, .tiff, .openEXR: [.deflate]
        case .webP: [.webP]
        case .heif: [.hevc]
        case .avif: [.av1]
        case .jpegXL: [.jpegXL]
        }
    }
}

/// A compression of photos.
public enum PhotoCodec: String, Sendable, Hashable, CaseIterable {
    /// JPEG, lossy.
    case jpeg
    /// The lossless JPEG of RAW photos.
    case losslessJPEG = "lossless-jpeg"
    /// HEVC (H.265).
    case hevc
    /// AV1.
    case av1
    /// WebP, lossless at quality 1.
    case webP = "webp"
    /// JPEG XL, lossless at quality 1.
    case jpegXL = "jxl"
    /// Deflate, lossless.
    case deflate
}

extension RAWPhotoFormat {
    /// The type of the files.
    public var fileType: PhotoFileType { .dng }
}

extension ProcessedPhotoFormat {
    /// The type of the files.
    public var fileType: PhotoFileType {
        PhotoFileType.allCases.first { $0.fileExtension == fileExtension } ?? .tiff
    }

    /// The compression of the photos; nil for photos without one.
    public var codec: PhotoCodec? { isUncompressed ? nil : fileType.codecs.first }

    /// Whether the compression has a quality from 0 to 1.
    public var hasQuality: Bool {
        switch codec {
        case .jpeg, .hevc, .av1, .jpegXL, .webP: true
        default: false
        }
    }

    /// The colour spaces that the files can have. HDR formats and OpenEXR have Rec. 2020 primaries only.
    public var supportedColorSpaces: Set<ColorSpace> {
        switch fileType {
        case .openEXR: [.rec2020]
        default: range == nil ? Set(ColorSpace.allCases) : [.rec2020]
        }
    }
}
