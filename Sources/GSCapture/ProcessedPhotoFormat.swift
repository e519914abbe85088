internal import GStreamer
internal import GscapElements

/// A kind of finished picture.
public enum ProcessedPhotoFormat: String, Sendable, Hashable, CaseIterable {
    /// JPEG of 8 bits.
    case jpeg
    /// PNG of 8 bits.
    case png
    /// PNG of 16 bits.
    case png16
    /// WebP of 8 bits.
    case webp
    /// TIFF, without loss, for who edits on.
    case tiff
    /// TIFF of 16 bits.
    case tiff16
    /// HEIF with HEVC, as phones write it.
    case heif
    /// HEIF of 10 bits.
    case heif10
    /// HEIF of 10 bits with light beyond the white of paper, in the absolute numbers of PQ.
    case heifPQ = "heif-pq"
    /// HEIF of 10 bits with light beyond the white of paper, in the relative numbers of HLG.
    case heifHLG = "heif-hlg"
    /// HEIF with AV1, as browsers read it.
    case avif
    /// AVIF of 10 bits.
    case avif10
    /// AVIF of 10 bits with light beyond the white of paper, in the absolute numbers of PQ.
    case avifPQ = "avif-pq"
    /// AVIF of 10 bits with light beyond the white of paper, in the relative numbers of HLG.
    case avifHLG = "avif-hlg"
    /// JPEG XL.
    case jpegXL = "jxl"
    /// OpenEXR: the light of the finished picture, with all that is brighter than the white of paper.
    case openEXR = "exr"

    /// The usual ending of file names.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png, .png16: "png"
        case .webp: "webp"
        case .tiff, .tiff16: "tif"
        case .heif, .heif10, .heifPQ, .heifHLG: "heic"
        case .avif, .avif10, .avifPQ, .avifHLG: "avif"
        case .jpegXL: "jxl"
        case .openEXR: "exr"
        }
    }

    /// What a file of it is, in a few words.
    public var summary: String {
        let name =
            switch self {
            case .png16: "PNG"
            case .tiff16: "TIFF"
            case .heif10, .heifPQ, .heifHLG: "HEIF"
            case .avif10, .avifPQ, .avifHLG: "AVIF"
            case .jpegXL: "JPEG XL"
            case .openEXR: "OpenEXR"
            default: rawValue.uppercased()
            }
        return name + (range.map { " \($0)" } ?? (bits > 8 ? " of \(bits) bits" : ""))
    }

    // MARK: In a pipeline

    /// How light beyond the white of paper is told, in people's words; nil where there is none.
    private var range: String? {
        switch self {
        case .heifPQ, .avifPQ: "PQ"
        case .heifHLG, .avifHLG: "HLG"
        default: nil
        }
    }

    /// Bits of a sample that its encoder is told of.
    private var bits: Int {
        switch self {
        case .png16, .tiff16: 16
        case .heif10, .heifPQ, .heifHLG, .avif10, .avifPQ, .avifHLG: 10
        default: 8
        }
    }

    /// The elements that make it, ours first.
    private var encoders: [String] {
        switch fileExtension {
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

    /// GStreamer's numbers for the transfers of bright pictures, in colours of BT.2020.
    private static let colorimetries = ["PQ": "1:1:14:7", "HLG": "1:1:15:7"]

    /// Whether the element that makes it is installed.
    var hasElement: Bool {
        guard (try? GscapPlugin.register()) != nil else { return false }
        return encoders.first.flatMap { ElementFactory(named: RegisteredNames.name(of: $0)) } != nil
    }

    /// What stands between the developer and the file.
    func pipelineText(name: String) -> String {
        let encoder = (encoders.first ?? "") + " name=\(name)"
        // GStreamer's own encoder wants colours its own way.
        if self == .webp { return "videoconvert ! " + encoder }
        let colors = range.flatMap { Self.colorimetries[$0] }
        let caps = colors.map { "video/x-raw,format=RGBA64_LE,colorimetry=(string)\($0) ! " } ?? ""
        return caps + encoder + (bits > 8 ? " bit-depth=\(bits)" : "")
    }

    /// The format that an encoder makes; nil for elements that are none. `colorimetry` is what the text asks for.
    init?(encoder: String, bitDepth: Int, colorimetry: String?) {
        let family = Self.allCases.filter { $0.encoders.contains(encoder) }
        let range = Self.colorimetries.first { $0.value == colorimetry }?.key
        let exact = family.first { $0.range == range && ($0.bits > 8) == (bitDepth > 8 || range != nil) }
        guard let format = exact ?? family.first else { return nil }
        self = format
    }
}
