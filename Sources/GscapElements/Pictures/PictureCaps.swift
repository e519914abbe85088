internal import GStreamer
internal import PictureFiles
internal import RawImage

/// Caps of finished pictures that go into files: red, green and blue of 8 or 16 bits.
struct PictureCaps {
    /// How pixels lie in a row.
    private struct Layout {
        var name: String
        /// Where red, green and blue stand in a pixel.
        var places: (Int, Int, Int)
        /// Numbers in a pixel.
        var step: Int
        var isWide = false
    }

    private static let layouts = [
        Layout(name: "RGB", places: (0, 1, 2), step: 3), Layout(name: "RGBx", places: (0, 1, 2), step: 4),
        Layout(name: "BGRx", places: (2, 1, 0), step: 4), Layout(name: "RGBA", places: (0, 1, 2), step: 4),
        Layout(name: "BGRA", places: (2, 1, 0), step: 4), Layout(name: "BGR", places: (2, 1, 0), step: 3),
        Layout(name: "RGBA64_LE", places: (0, 1, 2), step: 4, isWide: true),
    ]

    /// For pad templates.
    static let template =
        "video/x-raw, format=(string){ " + layouts.map(\.name).joined(separator: ", ") + " }, " + Self.frames

    /// For pad templates of those who need light itself: in proportion, or such that it can be told.
    static let lightTemplate =
        "video/x-raw, format=(string)RGBA64_LE, colorimetry=(string){ "
        + ([PictureColor(.rec2020, .pq)] + PictureColor.Primaries.allCases.map { PictureColor($0, .linear) })
        .map(\.colorimetry).joined(separator: ", ") + " }, " + Self.frames

    /// Pictures of 16 bits.
    static let words = Caps("video/x-raw", ["format": "RGBA64_LE"])

    private static let frames =
        "width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    private let layout: Layout
    private let width: Int
    private let height: Int
    let color: PictureColor

    /// How finely numbers are told apart.
    var depth: PictureDepth { layout.isWide ? .sixteen : .eight }

    /// What caps describe.
    init(_ caps: Caps) throws(GStreamerError) {
        guard let structure = caps.first, let name = structure["format"]?.text,
            let layout = Self.layouts.first(where: { $0.name == name }),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { throw GStreamerError(message: "\(caps) is no picture that goes into a file", place: "caps") }
        let colorimetry = structure["colorimetry"]?.text ?? "sRGB"
        guard colorimetry != LinearCaps.colorimetry else {
            throw GStreamerError(
                message: "a raw photo has the camera's own colours: put rawdevelop before, or store it with dngenc",
                place: "caps")
        }
        (self.layout, self.width, self.height) = (layout, width, height)
        color = PictureColor(colorimetry: colorimetry)
    }

    /// The picture in a frame.
    func picture(_ frame: borrowing Buffer) throws -> Picture {
        let samples: Picture.Samples =
            layout.isWide
            ? .words(try frame.withValues(of: UInt16.self) { try packed($0, rowCount: width * layout.step) })
            : .bytes(
                try frame.withValues(of: UInt8.self) { try packed($0, rowCount: (width * layout.step + 3) & ~3) })
        return try Picture(width: width, height: height, color: color, samples: samples)
    }

    /// Red, green and blue of all pixels, without gaps.
    private func packed<Number: BitwiseCopyable>(_ values: Span<Number>, rowCount: Int) throws -> [Number] {
        guard values.count >= rowCount * (height - 1) + width * layout.step else {
            throw GStreamerError(message: "a frame of \(values.count) numbers holds no \(width)×\(height) picture")
        }
        let (red, green, blue) = layout.places
        var result: [Number] = []
        result.reserveCapacity(width * height * Picture.channels)
        for row in 0..<height {
            for pixel in 0..<width {
                let at = row * rowCount + pixel * layout.step
                result.append(values[at + red])
                result.append(values[at + green])
                result.append(values[at + blue])
            }
        }
        return result
    }
}
