internal import GStreamer
internal import PictureFiles

/// What gst-inspect shows of an encoder of pictures.
struct PictureEncoderFace: Sendable {
    /// The files' format.
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

    /// The media type of the files.
    var mediaType: String { format == .heic ? "image/heif" : format.mediaType }

    var elementClass: ElementClass {
        ElementClass(
            factoryName: factoryName, typeName: "Gscap\(word)Enc", longName: "\(word) encoder",
            classification: "Codec/Encoder/Image", summary: summary, author: Element.gscapAuthor,
            padTemplates: [.sink(caps: input), .source(caps: mediaType)], properties: properties)
    }

    private var hasLoss: Bool { [.jpeg, .heic, .avif, .jxl].contains(format) }
    private var hasCompression: Bool { [.tiff, .exr].contains(format) }

    /// Only what makes a difference to the format can be set.
    private var properties: [ElementProperty] {
        var properties: [ElementProperty] = []
        if hasLoss {
            properties.append(
                ElementProperty(
                    "quality", .double(0...1, default: PictureEncoding(format).quality),
                    blurb: "From 0, smallest, to 1, " + (format == .jxl ? "without loss" : "best"),
                    options: [.readWrite, .mutablePlaying]))
        }
        if hasCompression {
            let kinds = EnumerationType(
                "Gscap\(word)Compression",
                [
                    .init(0, nick: "deflate", name: "Deflate"),
                    .init(1, nick: "none", name: "As it is: fastest and largest"),
                ])
            properties.append(
                ElementProperty(
                    "compression", .enumeration(kinds, default: 0), blurb: "How pixels are stored, without loss",
                    options: [.readWrite, .mutablePlaying]))
        }
        if let most = format.mostBits, most > 8 {
            properties.append(
                ElementProperty(
                    "bit-depth", .int32(0...most, default: 0),
                    blurb: "Bits of a sample, 8 or \(most), for which 16 must come; 0 for what suits the picture",
                    options: [.readWrite, .mutableReady]))
        }
        return properties
    }
}

/// What the properties of an encoder of pictures choose.
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

    /// Whether pictures must come with more than 8 bits.
    var wantsWords: Bool { bitDepth > 8 }

    /// How files are made.
    var encoding: PictureEncoding {
        var encoding = PictureEncoding(format)
        encoding.quality = quality
        encoding.compression = isDeflated ? .deflate : .none
        encoding.depth = bitDepth == 0 ? nil : bitDepth <= 8 ? .eight : format.depths.last { $0 != .half }
        return encoding
    }
}

extension PictureFormat {
    /// The bits of its finest whole numbers; nil where it has none.
    fileprivate var mostBits: Int32? { depths.compactMap { Int32($0.rawValue) }.max() }
}
