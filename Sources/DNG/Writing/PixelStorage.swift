/// The compression of a DNG file's raw picture.
public enum PixelStorage: Sendable, Hashable {
    /// No compression: fast and large.
    case uncompressed
    /// Lossless JPEG (SOF3). Every reader supports predictor 1; darktable 4.2 reads no other. `bestPredictor` selects
    /// the predictor that makes a sample of the picture's tiles smallest.
    case losslessJPEG(predictor: Int = 1)
    /// Lossy 8-bit JPEG through a companding curve, for linear photos only. Quality is 0…1.
    case lossyJPEG(quality: Double)
    /// JPEG XL, for readers of DNG 1.7 and later. Distance 0…15 is libjxl's: 0 is lossless, 1 visually lossless. Effort
    /// is 1…9; lossless uses at least 2. A mosaic is stored as the four planes of its 2×2 cells; with a distance above
    /// 0, codes go along a companding curve fitted to the noise.
    case jpegXL(distance: Double = 0, effort: Int = 1)

    /// The predictor of `losslessJPEG` that stands for the best of the seven, chosen for each picture.
    public static let bestPredictor = 0

    /// JPEG XL of a quality, 0…1: 1 is lossless, below 1 libjxl's own distance for the quality in percent.
    public static func jpegXL(quality: Double, effort: Int = 1) -> PixelStorage {
        if quality == 1 { return .jpegXL(effort: effort) }
        let percent = quality * 100
        return .jpegXL(
            distance: percent >= 30 ? 0.1 + (100 - percent) * 0.09 : 6.4 + (30 - percent) * 0.28, effort: effort)
    }

    /// The error message for invalid parameters; nil if they are valid.
    var problem: String? {
        switch self {
        case .uncompressed: nil
        case .losslessJPEG(let predictor):
            (Self.bestPredictor...7).contains(predictor)
                ? nil : "a lossless JPEG predictor is 1 to 7, or 0 for the best, not \(predictor)"
        case .lossyJPEG(let quality):
            (0...1).contains(quality) ? nil : "a quality of \(quality) is not between 0 and 1"
        case .jpegXL(let distance, let effort):
            (0...15).contains(distance) && (1...9).contains(effort)
                ? nil : "JPEG XL takes a distance of 0 to 15 and an effort of 1 to 9, not \(distance) and \(effort)"
        }
    }

    /// The value of the Compression tag for this storage.
    var compression: DNGCompression {
        switch self {
        case .uncompressed: .none
        case .losslessJPEG: .jpeg
        case .lossyJPEG: .lossyJPEG
        case .jpegXL: .jpegXL
        }
    }
}

extension PixelStorage {
    /// Whether the encoder stores a NewRawImageDigest, which covers stored codes; for lossy JPEG and JPEG XL it would
    /// have to cover the compressed bytes, so it is omitted.
    var hasDigest: Bool {
        switch self {
        case .uncompressed, .losslessJPEG: true
        case .lossyJPEG, .jpegXL: false
        }
    }
}

extension PixelStorage {
    /// Returns the storage and the bit depth that size options ask for, on the basis of this storage: for a quality
    /// below 1 lossy JPEG XL if this is JPEG XL, otherwise lossy JPEG.
    func customized(_ customization: DNGCustomization) -> (storage: PixelStorage, bitDepth: Int?) {
        guard customization.quality < 1 else { return (self, customization.bitDepth) }
        if case .jpegXL(_, let effort) = self {
            return (.jpegXL(quality: customization.quality, effort: effort), nil)
        }
        return (.lossyJPEG(quality: customization.quality), nil)
    }
}

/// Size options for linear (ProRAW-like) DNG files: bit depth and quality.
public struct DNGCustomization: Sendable, Hashable {
    /// Bits per stored sample, 8…16; nil for 12 in a linear photo and the sensor's depth in a mosaic.
    public var bitDepth: Int?
    /// The quality, 0…1: 1 is lossless; below 1 the file is 8-bit lossy JPEG, or lossy JPEG XL if that is the storage,
    /// and `bitDepth` is ignored.
    public var quality: Double

    /// Creates options; the defaults are those of `DNGWriter`.
    public init(bitDepth: Int? = nil, quality: Double = 1) {
        self.bitDepth = bitDepth
        self.quality = quality
    }

    /// A warning that `bitDepth` is ignored because `quality` is below 1; nil if both options take effect.
    public var warning: String? {
        guard quality < 1, let bitDepth, bitDepth != 8 else { return nil }
        return "a quality of \(quality) stores 8 bits, so the bit depth of \(bitDepth) is ignored"
    }
}
