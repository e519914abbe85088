internal import DNG
internal import GStreamer

/// The values of the properties of `dngenc`.
struct DNGSettings: Sendable {
    private enum Compression {
        case lossless, none, jpegXL
    }

    private enum Look {
        case auto, always, none
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

    static let properties = PropertyTable(
        defaults: DNGSettings(),
        [
            .enumeration(
                "compression", \.compression, type: "GscapDNGCompression",
                [
                    .init(.lossless, nick: "lossless", name: "Lossless JPEG, supported by every DNG reader"),
                    .init(.none, nick: "none", name: "Uncompressed: fastest encoding, largest file"),
                    .init(
                        .jpegXL, nick: "jpeg-xl", name: "Lossless JPEG XL, which needs a reader of DNG 1.7 or later"),
                ], blurb: "Compression of the raw image", options: [.readWrite, .mutablePlaying]),
            .int32(
                "predictor", \.predictor, 1...7,
                blurb: "Predictor of lossless JPEG; 7 makes linear DNGs 1 % smaller, but some readers fail on it",
                options: [.readWrite, .mutablePlaying]),
            .int32(
                "bit-depth", \.bitDepth, 0...16,
                blurb:
                    "Bits per stored sample, 8 to 16, by a noise-based LinearizationTable; 0 stores linear photos with "
                    + "12 bits and Bayer frames unchanged", options: [.readWrite, .mutablePlaying]),
            .double(
                "quality", \.quality, 0...1,
                blurb: "1 is lossless; below 1 linear photos are stored as lossy 8-bit JPEG of this quality",
                options: [.readWrite, .mutablePlaying]),
            .int32(
                "preview-size", \.previewSize, 0...Int32(fullSize),
                blurb:
                    "Longest side of the JPEG preview in pixels, at most a linear photo's or half a Bayer frame's; 0 "
                    + "for a small thumbnail",
                options: [.readWrite, .mutablePlaying]),
            .int32(
                "preview-quality", \.previewQuality, 1...100, blurb: "JPEG quality of the preview",
                options: [.readWrite, .mutablePlaying]),
            .enumeration(
                "look", \.look, type: "GscapDNGLook",
                [
                    .init(.auto, nick: "auto", name: "Look tags in linear DNGs, none in Bayer DNGs"),
                    .init(.always, nick: "always", name: "Look tags in linear and Bayer DNGs"),
                    .init(.none, nick: "none", name: "No look tags"),
                ],
                blurb: "Whether the file has DNG tags with a look for raw converters: exposure, tone curve, gain map",
                options: [.readWrite, .mutablePlaying]),
        ])

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
            longestSide: previewSize == Self.fullSize ? nil : previewSize, isHalved: isMosaic || quality < 1,
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
        // A mosaic is the sensor's original data, so `quality`, which selects lossy compression, does not apply to it.
        writer.customize(isMosaic ? DNGCustomization(bitDepth: customization.bitDepth) : customization)
        return writer
    }
}
