internal import GStreamer
internal import GscapElements

/// A file format of processed photos.
public enum ProcessedPhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// JPEG, 8 bits per sample.
    case jpeg
    /// PNG, 8 bits per sample.
    case png
    /// PNG, 16 bits per sample.
    case png16
    /// WebP, 8 bits per sample.
    case webp
    /// TIFF, 8 bits per sample, lossless, for further editing.
    case tiff
    /// TIFF, 16 bits per sample.
    case tiff16
    /// HEIF with HEVC, 8 bits per sample, the usual format of phones.
    case heif
    /// HEIF with HEVC, 10 bits per sample.
    case heif10
    /// HDR HEIF with HEVC, 10 bits per sample, PQ transfer: absolute luminance.
    case heifPQ = "heif-pq"
    /// HDR HEIF with HEVC, 10 bits per sample, HLG transfer: relative to the display's peak luminance.
    case heifHLG = "heif-hlg"
    /// AVIF (HEIF with AV1), 8 bits per sample, supported by browsers.
    case avif
    /// AVIF, 10 bits per sample.
    case avif10
    /// HDR AVIF, 10 bits per sample, PQ transfer: absolute luminance.
    case avifPQ = "avif-pq"
    /// HDR AVIF, 10 bits per sample, HLG transfer: relative to the display's peak luminance.
    case avifHLG = "avif-hlg"
    /// JPEG XL, 8 bits per sample.
    case jpegXL = "jxl"
    /// OpenEXR: linear half-float values of the rendered picture, with highlights above diffuse white.
    case openEXR = "exr"
    /// Pixels without a file, 8 bits per sample: the photo's `pixelBuffer`. Its file is a TIFF.
    case uncompressed
    /// Pixels without a file, 16 bits per sample.
    case uncompressed16

    /// The usual file name extension.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png, .png16: "png"
        case .webp: "webp"
        case .tiff, .tiff16, .uncompressed, .uncompressed16: "tif"
        case .heif, .heif10, .heifPQ, .heifHLG: "heic"
        case .avif, .avif10, .avifPQ, .avifHLG: "avif"
        case .jpegXL: "jxl"
        case .openEXR: "exr"
        }
    }

    /// A short description of the file.
    public var summary: String {
        let name =
            switch self {
            case .png16: "PNG"
            case .tiff16: "TIFF"
            case .heif10, .heifPQ, .heifHLG: "HEIF"
            case .avif10, .avifPQ, .avifHLG: "AVIF"
            case .jpegXL: "JPEG XL"
            case .openEXR: "OpenEXR"
            case .uncompressed, .uncompressed16: "uncompressed TIFF"
            default: rawValue.uppercased()
            }
        return name + (range.map { " \($0)" } ?? (bits > 8 ? " of \(bits) bits" : ""))
    }

    // MARK: In a pipeline

    /// The name of the HDR transfer function; nil for standard dynamic range.
    var range: String? {
        switch self {
        case .heifPQ, .avifPQ: "PQ"
        case .heifHLG, .avifHLG: "HLG"
        default: nil
        }
    }

    /// The bits per sample, as set on the encoder.
    private var bits: Int {
        switch self {
        case .png16, .tiff16, .uncompressed16: 16
        case .heif10, .heifPQ, .heifHLG, .avif10, .avifPQ, .avifHLG: 10
        default: 8
        }
    }

    /// Whether the photos are pixels, without an encoder in the pipeline.
    var isUncompressed: Bool { self == .uncompressed || self == .uncompressed16 }

    /// The factory names of the encoders of this format, gscap's own first.
    private var encoders: [String] {
        if isUncompressed { return [] }
        return switch fileExtension {
        case "jpg": ["gscapjpegenc", "jpegenc"]
        case "png": ["gscappngenc", "pngenc"]
        case "tif": ["tiffenc"]
        case "heic": ["heifenc"]
        case "avif": ["avifenc"]
        case "jxl": ["jxlenc"]
        case "exr": ["exrenc"]
        default: ["webpenc"]
        }
    }

    /// The factory name of gscap's own encoder, which takes settings for one capture; nil for formats that an element
    /// of another plugin encodes.
    var ownEncoder: String? { self == .webp ? nil : encoders.first }

    /// GStreamer's colorimetry for full-range BT.2020 RGB with an HDR transfer function.
    private static let colorimetries = ["PQ": "1:1:14:7", "HLG": "1:1:15:7"]

    /// Whether the encoder of this format is installed.
    var hasElement: Bool {
        guard (try? GscapPlugin.register()) != nil else { return false }
        if isUncompressed { return true }
        return encoders.first.flatMap { ElementFactory(named: RegisteredNames.name(of: $0)) } != nil
    }

    /// Returns the pipeline text between rawdevelop and the file sink.
    func pipelineText(name: String) -> String {
        if let pixelFormat { return "video/x-raw,format=\(pixelFormat)" }
        let encoder = (encoders.first ?? "") + " name=\(name)"
        // webpenc is GStreamer's own encoder; videoconvert adapts the pixel format to it.
        if self == .webp { return "videoconvert ! " + encoder }
        let colors = range.flatMap { Self.colorimetries[$0] }
        let caps = colors.map { "video/x-raw,format=RGBA64_LE,colorimetry=(string)\($0) ! " } ?? ""
        return caps + encoder + (bits > 8 ? " bit-depth=\(bits)" : "")
    }

    /// GStreamer's name of the pixel format of uncompressed photos; nil for the other formats.
    private var pixelFormat: String? {
        switch self {
        case .uncompressed: "RGB"
        case .uncompressed16: "RGBA64_LE"
        default: nil
        }
    }

    /// Returns the uncompressed format whose pixels have this GStreamer format; nil if there is none.
    init?(pixelFormat: String) {
        guard let format = Self.allCases.first(where: { $0.pixelFormat == pixelFormat }) else { return nil }
        self = format
    }

    /// Returns the format that an encoder writes with these settings; nil for elements that are not picture encoders.
    /// `colorimetry` is that of the caps in the text.
    init?(encoder: String, bitDepth: Int, colorimetry: String?) {
        let family = Self.allCases.filter { $0.encoders.contains(encoder) }
        let range = Self.colorimetries.first { $0.value == colorimetry }?.key
        let exact = family.first { $0.range == range && ($0.bits > 8) == (bitDepth > 8 || range != nil) }
        guard let format = exact ?? family.first else { return nil }
        self = format
    }
}
