internal import GStreamer
internal import PictureFiles

/// The description of a picture encoder for gst-inspect: names, caps and properties.
struct PictureEncoderInfo: Sendable {
    /// The file format.
    let format: PictureFormat
    private let factoryName: String
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
    }

    /// The media type of the encoded files in GStreamer's caps, which call HEIC "image/heif".
    var mediaType: String { format == .heic ? "image/heif" : format.mediaType }

    var elementClass: ElementClass {
        ElementClass(
            factoryName: factoryName, typeName: "Gscap\(word)Enc", longName: "\(word) encoder",
            classification: "Codec/Encoder/Image", summary: summary, author: Element.gscapAuthor,
            padTemplates: [.sink(caps: input), .source(caps: mediaType)], properties: properties)
    }

    private var hasLoss: Bool { [.jpeg, .heic, .avif, .jxl].contains(format) }
    private var hasCompression: Bool { [.tiff, .exr].contains(format) }

    /// The properties that have an effect on this file format.
    private var properties: [ElementProperty] {
        var properties: [ElementProperty] = []
        if hasLoss {
            properties.append(
                ElementProperty(
                    "quality", .double(0...1, default: PictureEncoding(format).quality),
                    blurb: "Compression quality, from 0 (smallest file) to 1 (\(format == .jxl ? "lossless" : "best"))",
                    options: [.readWrite, .mutablePlaying]))
        }
        if hasCompression {
            let kinds = EnumerationType(
                "Gscap\(word)Compression",
                [
                    .init(0, nick: "deflate", name: "Deflate"),
                    .init(1, nick: "none", name: "Uncompressed: fastest encoding, largest file"),
                ])
            properties.append(
                ElementProperty(
                    "compression", .enumeration(kinds, default: 0), blurb: "Lossless compression of the samples",
                    options: [.readWrite, .mutablePlaying]))
        }
        if let most = format.maxBits, most > 8 {
            properties.append(
                ElementProperty(
                    "bit-depth", .int32(0...most, default: 0),
                    blurb: "Bits per sample, 8 or \(most); \(most) needs 16-bit input; 0 adapts to the input",
                    options: [.readWrite, .mutableReady]))
        }
        return properties
    }
}

/// The values of the properties of a picture encoder.
struct PictureEncoderSettings: Sendable {
    private let format: PictureFormat
    private var quality: Double
    private var isDeflated = true
    private var bitDepth = 0

    init(_ format: PictureFormat) {
        self.format = format
        quality = PictureEncoding(format).quality
    }

    mutating func set(_ name: String, to value: Value) {
        switch name {
        case "quality": quality = value.number ?? quality
        case "compression": isDeflated = value.integer != 1
        case "bit-depth": bitDepth = value.integer.map(Int32.init(clamping:)).map(Int.init) ?? bitDepth
        default: break
        }
    }

    func value(of name: String) -> Value {
        switch name {
        case "quality": .double(quality)
        case "compression": .enumeration(isDeflated ? 0 : 1, nick: isDeflated ? "deflate" : "none")
        default: .int(Int32(clamping: bitDepth))
        }
    }

    /// Whether the input must have 16 bits per sample.
    var needs16BitInput: Bool { bitDepth > 8 }

    /// The encoding parameters that these values select.
    var encoding: PictureEncoding {
        var encoding = PictureEncoding(format)
        encoding.quality = quality
        encoding.compression = isDeflated ? .deflate : .none
        encoding.depth = bitDepth == 0 ? nil : bitDepth <= 8 ? .eight : format.depths.last { $0 != .half }
        return encoding
    }
}

extension PictureFormat {
    /// The largest bit depth of integer samples; nil if the format has none.
    fileprivate var maxBits: Int32? { depths.compactMap { Int32($0.rawValue) }.max() }
}
