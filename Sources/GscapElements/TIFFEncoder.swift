internal import GStreamer
internal import PictureFiles

/// Makes TIFF files of 8 or 16 bits.
///
///     gst-launch-1.0 gscapsensorsrc num-buffers=1 ! rawunpack ! rawdevelop ! queue ! tiffenc ! filesink location=frame.tif
typealias TIFFEncoder = PictureEncoder<TIFFEncoderKind>

/// What the properties of `tiffenc` choose.
struct TIFFEncoderKind: PictureEncoderKind {
    private var isDeflated = true
    private var bitDepth = 0

    static let elementClass = ElementClass(
        factoryName: "tiffenc", typeName: "GscapTIFFEnc", longName: "TIFF encoder",
        classification: "Codec/Encoder/Image",
        summary: "Writes pictures as TIFF files of 8 or 16 bits with their metadata",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: PictureCaps.template), .source(caps: "image/tiff")],
        properties: [
            ElementProperty(
                "compression",
                .enumeration(
                    EnumerationType(
                        "GscapTIFFCompression",
                        [
                            .init(0, nick: "deflate", name: "Deflate"),
                            .init(1, nick: "none", name: "As it is: fastest and largest"),
                        ]), default: 0), blurb: "How pixels are stored, without loss",
                options: [.readWrite, .mutablePlaying]),
            ElementProperty(
                "bit-depth", .int32(0...16, default: 0), blurb: "Bits of a sample, 8 or 16; 0 for what the picture has",
                options: [.readWrite, .mutablePlaying]),
        ])

    mutating func set(_ name: String, to value: Value) {
        switch name {
        case "compression": isDeflated = value.integer != 1
        case "bit-depth": bitDepth = value.integer ?? bitDepth
        default: break
        }
    }

    func value(of name: String) -> Value {
        switch name {
        case "compression": .enumeration(isDeflated ? 0 : 1, nick: isDeflated ? "deflate" : "none")
        default: .int(Int32(bitDepth))
        }
    }

    var mediaType: String { "image/tiff" }

    var encoding: PictureEncoding {
        var encoding = PictureEncoding(.tiff)
        encoding.compression = isDeflated ? .deflate : .none
        encoding.depth = bitDepth == 0 ? nil : bitDepth <= 8 ? .eight : .sixteen
        return encoding
    }
}
