internal import GStreamer
internal import PictureFiles
internal import RawImage

/// The input format of the picture encoders: RGB with 8 or 16 bits per sample.
struct PictureCaps {
    /// The memory layout of a pixel.
    private struct Layout {
        var name: String
        /// The offsets of red, green and blue in a pixel, in samples.
        var offsets: (Int, Int, Int)
        /// The samples per pixel, with padding or alpha.
        var step: Int
        var isWide = false
    }

    private static let layouts = [
        Layout(name: "RGB", offsets: (0, 1, 2), step: 3), Layout(name: "RGBx", offsets: (0, 1, 2), step: 4),
        Layout(name: "BGRx", offsets: (2, 1, 0), step: 4), Layout(name: "RGBA", offsets: (0, 1, 2), step: 4),
        Layout(name: "BGRA", offsets: (2, 1, 0), step: 4), Layout(name: "BGR", offsets: (2, 1, 0), step: 3),
        Layout(name: "RGBA64_LE", offsets: (0, 1, 2), step: 4, isWide: true),
    ]

    /// The sink pad template caps of most picture encoders.
    static let template =
        "video/x-raw, format=(string){ " + layouts.map(\.name).joined(separator: ", ") + " }, " + Self.frames

    /// The sink pad template caps of the OpenEXR encoder, which stores linear values: linear input, or PQ, which
    /// converts to absolute linear values.
    static let openEXRTemplate =
        "video/x-raw, format=(string)RGBA64_LE, colorimetry=(string){ "
        + ([PictureColor(.rec2020, .pq)] + PictureColor.Primaries.allCases.map { PictureColor($0, .linear) })
        .map(\.colorimetry).joined(separator: ", ") + " }, " + Self.frames

    /// The caps of pictures with 16 bits per sample.
    static let rgba64 = Caps("video/x-raw", ["format": "RGBA64_LE"])

    private static let frames =
        "width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    private let layout: Layout
    private let width: Int
    private let height: Int
    let color: PictureColor

    /// The bit depth of the samples.
    var depth: PictureDepth { layout.isWide ? .sixteen : .eight }

    /// Parses caps; throws if the format is not a rendered RGB picture.
    init(_ caps: Caps) throws(GStreamerError) {
        guard let structure = caps.first, let name = structure["format"]?.text,
            let layout = Self.layouts.first(where: { $0.name == name }),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { throw GStreamerError(message: "\(caps) is not a picture format that can be encoded", place: "caps") }
        let colorimetry = structure["colorimetry"]?.text ?? "sRGB"
        guard colorimetry != LinearCaps.colorimetry else {
            throw GStreamerError(
                message: "a raw photo in camera colours cannot be encoded here: put rawdevelop before, or use dngenc",
                place: "caps")
        }
        (self.layout, self.width, self.height) = (layout, width, height)
        color = PictureColor(colorimetry: colorimetry)
    }

    /// Returns the picture in a frame's buffer.
    func picture(_ frame: borrowing Buffer) throws -> Picture {
        let samples: Picture.Samples =
            layout.isWide
            ? .words(try frame.withValues(of: UInt16.self) { try packed($0, rowStride: width * layout.step) })
            : .bytes(
                try frame.withValues(of: UInt8.self) { try packed($0, rowStride: (width * layout.step + 3) & ~3) })
        return try Picture(width: width, height: height, color: color, samples: samples)
    }

    /// Returns the RGB samples of all pixels without padding. `rowStride` is the row stride in samples.
    private func packed<Number: BitwiseCopyable>(_ values: Span<Number>, rowStride: Int) throws -> [Number] {
        guard values.count >= rowStride * (height - 1) + width * layout.step else {
            throw GStreamerError(
                message: "a buffer of \(values.count) samples is too small for a picture of \(width)×\(height)")
        }
        let (red, green, blue) = layout.offsets
        var result: [Number] = []
        result.reserveCapacity(width * height * Picture.channels)
        for row in 0..<height {
            for pixel in 0..<width {
                let at = row * rowStride + pixel * layout.step
                result.append(values[at + red])
                result.append(values[at + green])
                result.append(values[at + blue])
            }
        }
        return result
    }
}
