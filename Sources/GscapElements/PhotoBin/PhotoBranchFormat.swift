/// The format of a branch's photos, named as the branch's sink: a RAW format, or a format of processed photos.
package enum PhotoBranchFormat: String, Sendable, Hashable, CaseIterable {
    case bayer, proraw
    case jpeg, png, png16, webp, tiff, tiff16, heif, heif10
    case heifPQ = "heif-pq"
    case heifHLG = "heif-hlg"
    case avif, avif10
    case avifPQ = "avif-pq"
    case avifHLG = "avif-hlg"
    case jxl, exr, uncompressed, uncompressed16

    /// Whether the photos are RAW files.
    package var isRAW: Bool { self == .bayer || self == .proraw }

    /// Whether the photos are fused from a burst; the others are single frames.
    package var isFused: Bool { self != .bayer }

    /// Whether the photos are pixels, without an encoder in the pipeline.
    package var isUncompressed: Bool { self == .uncompressed || self == .uncompressed16 }

    /// The usual file name extension.
    package var fileExtension: String {
        switch self {
        case .bayer, .proraw: "dng"
        case .jpeg: "jpg"
        case .png, .png16: "png"
        case .webp: "webp"
        case .tiff, .tiff16, .uncompressed, .uncompressed16: "tif"
        case .heif, .heif10, .heifPQ, .heifHLG: "heic"
        case .avif, .avif10, .avifPQ, .avifHLG: "avif"
        case .jxl: "jxl"
        case .exr: "exr"
        }
    }

    /// The name of the HDR transfer function; nil for standard dynamic range.
    package var range: String? {
        switch self {
        case .heifPQ, .avifPQ: "PQ"
        case .heifHLG, .avifHLG: "HLG"
        default: nil
        }
    }

    /// The bits per sample, as set on the encoder.
    package var bits: Int {
        switch self {
        case .png16, .tiff16, .uncompressed16: 16
        case .heif10, .heifPQ, .heifHLG, .avif10, .avifPQ, .avifHLG: 10
        default: 8
        }
    }

    /// The factory names of the encoders of this format, gscap's own first.
    package var encoders: [String] {
        if isUncompressed { return [] }
        return switch fileExtension {
        case "dng": ["dngenc"]
        case "jpg": ["gscapjpegenc", "jpegenc"]
        case "png": ["gscappngenc", "pngenc"]
        case "tif": ["tiffenc"]
        case "heic": ["heifenc"]
        case "avif": ["avifenc"]
        case "jxl": ["jxlenc"]
        case "exr": ["exrenc"]
        default: ["gscapwebpenc", "webpenc"]
        }
    }

    /// The factory name of gscap's own encoder, which takes settings for one capture; nil for pixels.
    package var ownEncoder: String? { encoders.first }

    /// GStreamer's name of the pixel format of uncompressed photos; nil for the other formats.
    package var pixelFormat: String? {
        switch self {
        case .uncompressed: "RGB"
        case .uncompressed16: "RGBA64_LE"
        default: nil
        }
    }

    /// GStreamer's colorimetry for full-range BT.2020 RGB with an HDR transfer function, by the function's name.
    package static let colorimetries = ["PQ": "1:1:14:7", "HLG": "1:1:15:7"]

    /// The name of the encoder element in the branch.
    package var encoderName: String { "\(rawValue)-encoder" }

    /// The name of the rawdevelop element in the branch.
    package var lookName: String { "\(rawValue)-look" }

    /// Returns the pipeline text between rawdevelop, or the frames, and the sink. `element` returns the registered name
    /// of a factory.
    package func encoderText(name: String, element: (String) -> String = { $0 }) -> String {
        if let pixelFormat { return "video/x-raw,format=\(pixelFormat)" }
        let encoder = element(encoders.first ?? "") + " name=\(name)"
        let colors = range.flatMap { Self.colorimetries[$0] }
        let caps = colors.map { "video/x-raw,format=RGBA64_LE,colorimetry=(string)\($0) ! " } ?? ""
        return caps + encoder + (bits > 8 ? " bit-depth=\(bits)" : "")
    }
}

extension PhotoBranchFormat {
    /// Parses a list of formats, separated by commas. Returns nil for an empty list and for one with an unknown or a
    /// repeated name.
    package static func list(_ text: String) -> [PhotoBranchFormat]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
        let formats = names.compactMap(PhotoBranchFormat.init(rawValue:))
        guard formats.count == names.count, Set(formats).count == formats.count else { return nil }
        return formats
    }

    /// The names of all formats, for messages.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
