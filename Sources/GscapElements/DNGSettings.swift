internal import DNG
internal import GStreamer

/// What the properties of `dngenc` choose.
struct DNGSettings: Sendable {
    private enum Compression: Int32, CaseIterable {
        case lossless, none, jpegXL

        var nick: String {
            switch self {
            case .lossless: "lossless"
            case .none: "none"
            case .jpegXL: "jpeg-xl"
            }
        }

        var name: String {
            switch self {
            case .lossless: "Lossless JPEG, which every reader opens"
            case .none: "As it is: fastest and largest"
            case .jpegXL: "JPEG XL, which only readers of DNG 1.7 open"
            }
        }
    }

    private enum Look: Int32, CaseIterable {
        case auto, always, none

        var name: String {
            switch self {
            case .auto: "Linear photos have a look of their own, Bayer frames none"
            case .always: "Bayer frames have one too"
            case .none: "The plain file"
            }
        }
    }

    private var compression = Compression.lossless
    private var predictor = 1
    private var bitDepth = 0
    private var quality = 1.0
    private var previewSize = Self.fullSize
    private var previewQuality = 90
    private var look = Look.auto

    /// Stands for the photo's own size.
    private static let fullSize = 65_535

    static let properties = [
        ElementProperty(
            "compression",
            .enumeration(
                EnumerationType(
                    "GscapDNGCompression",
                    Compression.allCases.map { .init($0.rawValue, nick: $0.nick, name: $0.name) }), default: 0),
            blurb: "How the raw picture is stored", options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "predictor", .int32(1...7, default: 1),
            blurb: "Of lossless JPEG; 7 saves a percent of a linear photo, but not every reader opens it",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "bit-depth", .int32(0...16, default: 0),
            blurb:
                "Bits of a sample, 8 to 16, along a curve that follows the noise; 0 for 12 of a linear photo and all of "
                + "a Bayer frame", options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "quality", .double(0...1, default: 1),
            blurb: "Below 1 a linear photo is stored as JPEG of 8 bits, with loss",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "preview-size", .int32(0...65_535, default: 65_535),
            blurb: "The longest side of the JPEG preview, cut to the photo's own; 0 for a plain small one",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "preview-quality", .int32(1...100, default: 90), blurb: "Of the JPEG preview",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "look",
            .enumeration(
                EnumerationType(
                    "GscapDNGLook", Look.allCases.map { .init($0.rawValue, nick: "\($0)", name: $0.name) }), default: 0),
            blurb: "Whether the file tells converters how the picture is to look",
            options: [.readWrite, .mutablePlaying]),
    ]

    mutating func set(_ name: String, to value: Value) {
        switch name {
        case "compression": compression = value.integer.flatMap { Compression(rawValue: Int32($0)) } ?? compression
        case "predictor": predictor = value.integer ?? predictor
        case "bit-depth": bitDepth = value.integer ?? bitDepth
        case "quality": quality = value.number ?? quality
        case "preview-size": previewSize = value.integer ?? previewSize
        case "preview-quality": previewQuality = value.integer ?? previewQuality
        case "look": look = value.integer.flatMap { Look(rawValue: Int32($0)) } ?? look
        default: break
        }
    }

    func value(of name: String) -> Value {
        switch name {
        case "compression": .enumeration(compression.rawValue, nick: compression.nick)
        case "predictor": .int(Int32(predictor))
        case "bit-depth": .int(Int32(bitDepth))
        case "quality": .double(quality)
        case "preview-size": .int(Int32(previewSize))
        case "look": .enumeration(look.rawValue, nick: "\(look)")
        default: .int(Int32(previewQuality))
        }
    }

    /// Whether a picture of a kind is to have a look.
    func hasLook(isMosaic: Bool) -> Bool { look == .always || (look == .auto && !isMosaic) }

    /// The choice of depth and quality.
    var customization: DNGCustomization {
        DNGCustomization(bitDepth: bitDepth >= 8 ? bitDepth : nil, quality: quality)
    }

    /// The preview to make; nil for the plain one of the writer.
    func preview(isMosaic: Bool) -> FilePreview? {
        guard previewSize > 0 else { return nil }
        return FilePreview(
            longestSide: previewSize == Self.fullSize ? nil : previewSize, isHalved: quality < 1 && !isMosaic,
            quality: previewQuality)
    }

    /// Whether files are made with libjxl.
    var needsJPEGXL: Bool { compression == .jpegXL }

    /// A writer with these settings.
    func writer(isMosaic: Bool) -> DNGWriter {
        var writer = DNGWriter()
        writer.softwareVersion = GscapPlugin.version
        switch compression {
        case .lossless: writer.storage = .losslessJPEG(predictor: predictor)
        case .none: writer.storage = .uncompressed
        case .jpegXL: writer.storage = .jpegXL(distance: 0)
        }
        // A mosaic is the sensor's own word: it is never stored with loss.
        writer.customize(isMosaic ? DNGCustomization(bitDepth: customization.bitDepth) : customization)
        return writer
    }
}
