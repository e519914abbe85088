internal import FrameStream
internal import GStreamer
internal import PictureFiles

/// The description of a picture encoder for gst-inspect: names, caps and properties.
struct PictureEncoderInfo: Sendable {
    /// The file format.
    let format: PictureFormat
    /// The name of the element's factory.
    let factoryName: String
    /// The properties, those that have an effect on the format.
    let properties: PropertyTable<PictureEncoderSettings>
    private let word: String
    private let summary: String
    private let input: String

    init(
        _ format: PictureFormat, _ factoryName: String, _ word: String, summary: String,
        input: String = PictureCaps.template
    ) {
        self.format = format
        self.factoryName = factoryName
        self.word = word
        self.summary = summary
        self.input = input
        properties = Self.properties(of: format, word: word)
    }

    /// The media type of the encoded files in GStreamer's caps, which call HEIC "image/heif".
    var mediaType: String { format == .heic ? "image/heif" : format.mediaType }

    var elementClass: ElementClass {
        ElementClass(
            factoryName: factoryName, typeName: "Gscap\(word)Enc", longName: "\(word) encoder",
            classification: "Codec/Encoder/Image", summary: summary, author: Element.gscapAuthor, rank: .marginal,
            padTemplates: [.sink(caps: input), .source(caps: mediaType + ", " + PictureCaps.frames)],
            properties: properties.declarations, interfaces: [.preset, .tagSetter])
    }

    /// Returns the properties that have an effect on this file format. `word` is the format's part of type names.
    private static func properties(
        of format: PictureFormat, word: String
    ) -> PropertyTable<PictureEncoderSettings> {
        var properties: [SettingsProperty<PictureEncoderSettings>] = []
        if [.jpeg, .heic, .avif, .jxl, .webp].contains(format) {
            let best = [.jxl, .webp].contains(format) ? "lossless" : "best"
            properties.append(
                .double(
                    "quality", \.quality, 0...1,
                    blurb: "Compression quality, from 0 (smallest file) to 1 (\(best))",
                    options: [.readWrite, .mutablePlaying]))
        }
        if [.tiff, .exr].contains(format) {
            properties.append(
                .enumeration(
                    "compression", \.isDeflated, type: "Gscap\(word)Compression",
                    [
                        .init(true, nick: "deflate", name: "Deflate"),
                        .init(false, nick: "none", name: "Uncompressed: fastest encoding, largest file"),
                    ], blurb: "Lossless compression of the samples", options: [.readWrite, .mutablePlaying]))
        }
        if let most = format.maxBits, most > 8 {
            properties.append(
                .int32(
                    "bit-depth", \.bitDepth, 0...most,
                    blurb: "Bits per sample, 8 or \(most); \(most) needs 16-bit input; 0 adapts to the input",
                    options: [.readWrite, .mutableReady]))
        }
        if [.jpeg, .heic].contains(format) {
            properties.append(
                .string(
                    "content-identifier", \.contentIdentifier,
                    blurb: "The identifier that the picture and its movie have in common, as a Live Photo (Apple's "
                        + "maker note); none by default", options: [.readWrite, .mutablePlaying]))
        }
        return PropertyTable(defaults: PictureEncoderSettings(format), properties)
    }
}

/// The values of the properties of a picture encoder.
struct PictureEncoderSettings: Sendable {
    private let format: PictureFormat
    fileprivate var quality: Double
    fileprivate var isDeflated = true
    fileprivate var bitDepth = 0
    fileprivate var contentIdentifier: String?

    init(_ format: PictureFormat) {
        self.format = format
        quality = PictureEncoding(format).quality
    }

    /// Whether the input must have 16 bits per sample.
    var needs16BitInput: Bool { bitDepth > 8 }

    /// The encoding parameters that these values select.
    var encoding: PictureEncoding {
        var encoding = PictureEncoding(format)
        encoding.quality = quality
        encoding.contentIdentifier = contentIdentifier
        encoding.compression = isDeflated ? .deflate : .none
        encoding.depth = bitDepth == 0 ? nil : bitDepth <= 8 ? .eight : format.depths.last { $0 != .half }
        return encoding
    }
}

extension PictureFormat {
    /// The largest bit depth of integer samples; nil if the format has none.
    fileprivate var maxBits: Int32? { depths.compactMap { Int32($0.rawValue) }.max() }
}
