internal import DNG
internal import GStreamer

/// The values of the properties of `dngenc`.
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
            case .lossless: "Lossless JPEG, supported by every DNG reader"
            case .none: "Uncompressed: fastest encoding, largest file"
            case .jpegXL: "Lossless JPEG XL, which needs a reader of DNG 1.7 or later"
            }
        }
    }

    private enum Look: Int32, CaseIterable {
        case auto, always, none

        var name: String {
            switch self {
            case .auto: "Look tags in linear DNGs, none in Bayer DNGs"
            case .always: "Look tags in linear and Bayer DNGs"
            case .none: "No look tags"
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

    /// The value of `preview-size` that selects the photo's own size: the largest side length of the caps.
    private static let fullSize = 65_535

    static let properties = [
        ElementProperty(
            "compression",
            .enumeration(
                EnumerationType(
                    "GscapDNGCompression",
                    Compression.allCases.map { .init($0.rawValue, nick: $0.nick, name: $0.name) }), default: 0),
            blurb: "Compression of the raw image", options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "predictor", .int32(1...7, default: 1),
            blurb: "Predictor of lossless JPEG; 7 makes linear DNGs 1 % smaller, but some readers fail on it",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "bit-depth", .int32(0...16, default: 0),
            blurb:
                "Bits per stored sample, 8 to 16, by a noise-based LinearizationTable; 0 stores linear photos with "
                + "12 bits and Bayer frames unchanged", options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "quality", .double(0...1, default: 1),
            blurb: "1 is lossless; below 1 linear photos are stored as lossy 8-bit JPEG of this quality",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "preview-size", .int32(0...65_535, default: 65_535),
            blurb: "Longest side of the JPEG preview in pixels, at most the photo's; 0 for a small thumbnail",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "preview-quality", .int32(1...100, default: 90), blurb: "JPEG quality of the preview",
            options: [.readWrite, .mutablePlaying]),
        ElementProperty(
            "look",
            .enumeration(
                EnumerationType(
                    "GscapDNGLook", Look.allCases.map { .init($0.rawValue, nick: "\($0)", name: $0.name) }), default: 0),
            blurb: "Whether the file has DNG tags with a look for raw converters: exposure, tone curve, gain map",
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

    /// Returns whether files of this kind, mosaic or linear, contain look tags.
    func hasLook(isMosaic: Bool) -> Bool { look == .always || (look == .auto && !isMosaic) }

    /// The bit depth and quality for the DNG writer; bit depths below 8 select the default depth.
    var customization: DNGCustomization {
        DNGCustomization(bitDepth: bitDepth >= 8 ? bitDepth : nil, quality: quality)
    }

    /// Returns the preview to render; nil selects the writer's own small thumbnail.
    func preview(isMosaic: Bool) -> DNGPreviewRenderer? {
        guard previewSize > 0 else { return nil }
        return DNGPreviewRenderer(
            longestSide: previewSize == Self.fullSize ? nil : previewSize, isHalved: quality < 1 && !isMosaic,
            quality: previewQuality)
    }

    /// Whether encoding needs libjxl.
    var needsJPEGXL: Bool { compression == .jpegXL }

    /// Returns a DNG writer with these settings.
    func writer(isMosaic: Bool) -> DNGWriter {
        var writer = DNGWriter()
        writer.softwareVersion = GscapPlugin.version
        switch compression {
        case .lossless: writer.storage = .losslessJPEG(predictor: predictor)
        case .none: writer.storage = .uncompressed
        case .jpegXL: writer.storage = .jpegXL(distance: 0)
        }
        // A mosaic is the original sensor data and is never stored with loss, so `quality` does not apply to it.
        writer.customize(isMosaic ? DNGCustomization(bitDepth: customization.bitDepth) : customization)
        return writer
    }
}
