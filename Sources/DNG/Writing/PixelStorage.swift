/// How a DNG file stores the pixels of its raw picture.
public enum PixelStorage: Sendable, Hashable {
    /// As they are: fast and large.
    case uncompressed
    /// Lossless JPEG. Every reader takes predictor 1; 7 saves a percent of a linear photo, but darktable 4.2 cannot read it.
    case losslessJPEG(predictor: Int = 1)
    /// Linear photos only: JPEG of 8 bits through a curve. Small, and not the same pixels any more. Quality is 0…1.
    case lossyJPEG(quality: Double)
    /// JPEG XL, which only recent readers open (DNG 1.7). A distance of 0 is lossless, 1 looks lossless; effort is 1…9,
    /// of which lossless takes at least 2.
    case jpegXL(distance: Double = 0, effort: Int = 1)

    /// The rule that the numbers break, in words; nil when a file can be made.
    var problem: String? {
        switch self {
        case .uncompressed: nil
        case .losslessJPEG(let predictor):
            (1...7).contains(predictor) ? nil : "lossless JPEG has predictors 1 to 7, not \(predictor)"
        case .lossyJPEG(let quality):
            (0...1).contains(quality) ? nil : "a quality of \(quality) is not between 0 and 1"
        case .jpegXL(let distance, let effort):
            (0...15).contains(distance) && (1...9).contains(effort)
                ? nil : "JPEG XL takes a distance of 0 to 15 and an effort of 1 to 9, not \(distance) and \(effort)"
        }
    }

    /// TIFF's number.
    var compression: DNGCompression {
        switch self {
        case .uncompressed: .none
        case .losslessJPEG: .jpeg
        case .lossyJPEG: .lossyJPEG
        case .jpegXL: .jpegXL
        }
    }
}

/// What a customizer of ProRAW photos may choose: fewer bits, or fewer bytes.
public struct DNGCustomization: Sendable, Hashable {
    /// Bits of a stored sample, 8…16; nil for the usual 12 of a linear photo and for the sensor's own of a mosaic.
    public var bitDepth: Int?
    /// 1 is lossless; below it the file has 8 bits, whatever `bitDepth` says.
    public var quality: Double

    /// A choice; without arguments the usual file.
    public init(bitDepth: Int? = nil, quality: Double = 1) {
        self.bitDepth = bitDepth
        self.quality = quality
    }

    /// What is chosen without effect, in words; nil when everything has its effect.
    public var warning: String? {
        guard quality < 1, let bitDepth, bitDepth != 8 else { return nil }
        return "a quality of \(quality) stores 8 bits, so the bit depth of \(bitDepth) is ignored"
    }
}

extension DNGWriter {
    /// Takes over what a customizer chose.
    public mutating func customize(_ choice: DNGCustomization) {
        bitDepth = choice.bitDepth
        if choice.quality < 1 {
            bitDepth = nil
            storage = .lossyJPEG(quality: choice.quality)
        }
    }
}
