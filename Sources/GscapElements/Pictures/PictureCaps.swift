internal import FrameStream
internal import GStreamer
internal import PictureFiles
internal import RawImage

/// The input format of the picture encoders: RGB with 8 or 16 bits per sample.
struct PictureCaps {
    /// A pixel format by its name in GStreamer's caps.
    private struct PixelFormat {
        var name: String
        var order: PixelOrder
        var isWide = false
    }

    private static let formats = [
        PixelFormat(name: "RGB", order: .rgb), PixelFormat(name: "RGBx", order: .rgbx),
        PixelFormat(name: "BGRx", order: .bgrx), PixelFormat(name: "RGBA", order: .rgbx),
        PixelFormat(name: "BGRA", order: .bgrx), PixelFormat(name: "BGR", order: .bgr),
        PixelFormat(name: "RGBA64_LE", order: .rgbx, isWide: true),
    ]

    /// The sink pad template caps of most picture encoders.
    static let template =
        "video/x-raw, format=(string){ " + formats.map(\.name).joined(separator: ", ") + " }, " + Self.frames

    /// The sink pad template caps of the OpenEXR encoder, which stores linear values: linear input, or PQ, which
    /// converts to absolute linear values.
    static let openEXRTemplate =
        "video/x-raw, format=(string)RGBA64_LE, colorimetry=(string){ "
        + ([PictureColor(.rec2020, .pq)] + PictureColor.Primaries.allCases.map { PictureColor($0, .linear) })
        .map(\.colorimetry).joined(separator: ", ") + " }, " + Self.frames

    /// The caps of pictures with 16 bits per sample.
    static let rgba64 = Caps("video/x-raw", ["format": "RGBA64_LE"])

    /// The size and frame rate of pictures and of the files made from them.
    static let frames =
        "width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    private let layout: PixelLayout
    private let isWide: Bool
    let color: PictureColor

    /// The size of a picture in bytes.
    var byteCount: Int { layout.stride * (isWide ? 2 : 1) * layout.height }

    /// The bit depth of the samples.
    var depth: PictureDepth { isWide ? .sixteen : .eight }

    /// Parses caps; throws if the format is not a rendered RGB picture.
    init(_ caps: Caps) throws(GscapError) {
        guard let structure = caps.first, let name = structure["format"]?.text,
            let format = Self.formats.first(where: { $0.name == name }),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { throw GscapError(message: "\(caps) is not a picture format that can be encoded", place: "caps") }
        let colorimetry = structure["colorimetry"]?.text ?? "sRGB"
        guard colorimetry != LinearCaps.colorimetry else {
            throw GscapError(
                message: "a raw photo in camera colours cannot be encoded here: put rawdevelop before, or use dngenc",
                place: "caps")
        }
        isWide = format.isWide
        // GStreamer pads the rows of 8-bit formats to a multiple of 4 bytes.
        let stride = isWide ? nil : (width * format.order.count + 3) & ~3
        layout = PixelLayout(width: width, height: height, order: format.order, stride: stride)
        color = PictureColor(colorimetry: colorimetry)
    }

    /// Encodes the picture in a frame's buffer; returns the file. `progress` is as that of `PictureEncoding.encode`.
    func file(
        of frame: borrowing Buffer, _ encoding: PictureEncoding, progress: (@Sendable (Double) -> Bool)? = nil
    ) throws -> [UInt8] {
        let bytes = isWide ? 2 : 1
        let frame = try frame.newReference().placingRows(
            width: layout.width, count: layout.height, stride: layout.stride * bytes,
            length: layout.width * layout.order.count * bytes)
        // JPEGs are encoded directly from the buffer: copying the samples takes a third of the time of encoding them.
        if encoding.format == .jpeg, !isWide {
            return try frame.withValues(of: UInt8.self) {
                try encoding.encodeJPEG($0, layout: layout, color: color, progress: progress)
            }
        }
        var picture = try picture(frame)
        if encoding.format == .exr { picture = try picture.linear() }
        return try encoding.encode(picture, progress: progress)
    }

    private func picture(_ frame: borrowing Buffer) throws -> Picture {
        let samples: Picture.Samples =
            isWide
            ? .words(try frame.withValues(of: UInt16.self) { try layout.packed($0) })
            : .bytes(try frame.withValues(of: UInt8.self) { try layout.packed($0) })
        return try Picture(width: layout.width, height: layout.height, color: color, samples: samples)
    }
}
