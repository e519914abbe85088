internal import GStreamer
internal import PictureFiles

/// Makes HEIF or AVIF files.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! queue ! heifenc ! filesink location=frame.heic
typealias HEIFEncoder = PictureEncoder<HEIFEncoderKind>

/// What the properties of `heifenc` choose.
struct HEIFEncoderKind: PictureEncoderKind {
    private var isAVIF = false
    private var quality = 0.9
    private var bitDepth = 0

    static let elementClass = ElementClass(
        factoryName: "heifenc", typeName: "GscapHEIFEnc", longName: "HEIF encoder",
        classification: "Codec/Encoder/Image",
        summary: "Writes pictures as HEIF (HEVC) or AVIF files with their metadata",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: PictureCaps.template), .source(caps: "image/heif; image/avif")],
        properties: [
            ElementProperty(
                "format",
                .enumeration(
                    EnumerationType(
                        "GscapHEIFFormat",
                        [
                            .init(0, nick: "heic", name: "HEVC, which phones write"),
                            .init(1, nick: "avif", name: "AV1, which browsers read"),
                        ]), default: 0), blurb: "The codec", options: [.readWrite, .mutableReady]),
            ElementProperty(
                "quality", .double(0...1, default: 0.9), blurb: "From 0, smallest, to 1, best",
                options: [.readWrite, .mutablePlaying]),
            ElementProperty(
                "bit-depth", .int32(0...10, default: 0), blurb: "Bits of a sample, 8 or 10; 0 for what the picture has",
                options: [.readWrite, .mutablePlaying]),
        ])

    mutating func set(_ name: String, to value: Value) {
        switch name {
        case "format": isAVIF = value.integer == 1
        case "quality": quality = value.number ?? quality
        case "bit-depth": bitDepth = value.integer ?? bitDepth
        default: break
        }
    }

    func value(of name: String) -> Value {
        switch name {
        case "format": .enumeration(isAVIF ? 1 : 0, nick: isAVIF ? "avif" : "heic")
        case "quality": .double(quality)
        default: .int(Int32(bitDepth))
        }
    }

    var mediaType: String { isAVIF ? "image/avif" : "image/heif" }

    var encoding: PictureEncoding {
        var encoding = PictureEncoding(isAVIF ? .avif : .heic)
        encoding.quality = quality
        encoding.depth = bitDepth == 0 ? nil : bitDepth <= 8 ? .eight : .ten
        return encoding
    }
}
