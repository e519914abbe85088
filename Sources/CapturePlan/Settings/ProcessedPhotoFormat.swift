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
    public var fileExtension: String { branch.fileExtension }

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

    /// The branch that makes photos of this format, which has the same name.
    var branch: PhotoBranchFormat { PhotoBranchFormat(rawValue: rawValue) ?? .jpeg }

    /// The name of the HDR transfer function; nil for standard dynamic range.
    var range: String? { branch.range }

    /// The bits per sample, as set on the encoder.
    private var bits: Int { branch.bits }

    /// Whether the photos are pixels, without an encoder in the pipeline.
    package var isUncompressed: Bool { branch.isUncompressed }

    /// The factory name of gscap's own encoder, which takes settings for one capture; nil for pixels.
    var ownEncoder: String? { branch.ownEncoder }

    /// Whether the encoder of this format is installed.
    package var hasElement: Bool {
        guard (try? GscapPlugin.register()) != nil else { return false }
        if isUncompressed { return true }
        return branch.encoders.first.flatMap { ElementFactory(named: RegisteredNames.name(of: $0)) } != nil
    }

    /// Returns the uncompressed format whose pixels have this GStreamer format; nil if there is none.
    init?(pixelFormat: String) {
        guard let format = Self.allCases.first(where: { $0.branch.pixelFormat == pixelFormat }) else { return nil }
        self = format
    }

    /// Returns the format that an encoder writes with these settings; nil for elements that are not picture encoders.
    /// `colorimetry` is that of the caps in the text.
    init?(encoder: String, bitDepth: Int, colorimetry: String?) {
        let family = Self.allCases.filter { $0.branch.encoders.contains(encoder) }
        let range = PhotoBranchFormat.colorimetries.first { $0.value == colorimetry }?.key
        let exact = family.first { $0.range == range && ($0.bits > 8) == (bitDepth > 8 || range != nil) }
        guard let format = exact ?? family.first else { return nil }
        self = format
    }
}
