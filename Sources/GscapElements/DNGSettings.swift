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
                        .jpegXL, nick: "jpeg-xl", name: "JPEG XL, which needs a reader of DNG 1.7 or later"),
                ], blurb: "Compression of the raw image", options: [.readWrite, .mutablePlaying]),
            .int32(
                "predictor", \.predictor, 0...7,
                blurb:
                    "Predictor of lossless JPEG: 1 for every reader, 0 for the one that makes a sample of each file "
                    + "smallest, which darktable 4.2 may not read",
                options: [.readWrite, .mutablePlaying]),
            .int32(
                "bit-depth", \.bitDepth, 0...16,
                blurb:
                    "Bits per sample of lossless JPEG, 8 to 16, by a noise-based LinearizationTable; 0 stores linear "
                    + "photos with 12 bits, brackets with up to 16, and Bayer frames unchanged",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "quality", \.quality, 0...1,
                blurb:
                    "1 is lossless; below 1 linear photos are stored as lossy 8-bit JPEG of this quality, or linear "
                    + "photos and Bayer frames as lossy JPEG XL with compression=jpeg-xl",
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
                    .init(.auto, nick: "auto", name: "Look tags in linear DNGs; Bayer DNGs keep their frames'"),
                    .init(.always, nick: "always", name: "Look tags in linear and Bayer DNGs"),
                    .init(.none, nick: "none", name: "No look tags"),
                ],
                blurb: "Whether the file has DNG tags with a look for raw converters: exposure, tone curve, gain map",
                options: [.readWrite, .mutablePlaying]),
        ])

    /// Returns whether files of this kind, mosaic or linear, contain look tags.
    func hasLook(isMosaic: Bool) -> Bool { look == .always || (look == .auto && !isMosaic) }

    /// Whether a mosaic keeps the look of the file that its frames were read from.
    var keepsLookOfSource: Bool { look == .auto }

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

    /// The storage that the properties select, before `quality` makes it lossy.
    private var storage: PixelStorage {
        switch compression {
        case .lossless: .losslessJPEG(predictor: predictor)
        case .none: .uncompressed
        case .jpegXL: .jpegXL()
        }
    }

    /// Throws if the properties contradict each other, so that one of them would have no effect.
    func check() throws(GscapError) {
        let conflict = storage.conflict(
            bitDepth: bitDepth >= 8 ? bitDepth : nil, quality: quality, predictor: predictor == 1 ? nil : predictor)
        if let conflict { throw GscapError(message: "dngenc: \(conflict)") }
    }

    /// Whether encoding needs libjxl.
    var needsJPEGXL: Bool { compression == .jpegXL }

    /// Returns a DNG writer with these settings.
    func writer() -> DNGWriter {
        var writer = DNGWriter()
        writer.softwareVersion = GscapPlugin.version
        writer.storage = storage
        writer.customize(customization)
        // Uncompressed samples and JPEG XL have 16 bits without being asked for them.
        if compression != .lossless { writer.bitDepth = nil }
        return writer
    }
}
