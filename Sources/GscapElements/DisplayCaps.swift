internal import Develop
internal import GStreamer
internal import RawImage

/// The caps of rendered pictures: 8 bits in sRGB, or 16 bits in a colorimetry that downstream chooses.
enum DisplayCaps {
    /// The pixel format and size of a rendered picture.
    enum Shape {
        /// 8 bits per sample, sRGB.
        case display(DisplayFormat)
        /// 16 bits per sample: red, green, blue and an opaque alpha.
        case wide(PictureColor, width: Int, height: Int)

        /// The size of a picture in bytes.
        var size: Int {
            switch self {
            case .display(let format): format.stride * format.height
            case .wide(_, let width, let height): width * height * 8
            }
        }
    }

    /// The source pad template caps.
    static let template =
        "video/x-raw, format=(string){ " + order.map(\.rawValue).joined(separator: ", ") + " }, " + frames
        + "; video/x-raw, format=(string)\(wide), colorimetry=(string){ "
        + colors.map(\.colorimetry).joined(separator: ", ") + " }, " + frames

    private static let frames =
        "width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// GStreamer's name of the 16-bit format.
    private static let wide = "RGBA64_LE"
    private static let colors: [PictureColor] = [
        .sRGB, .displayP3, PictureColor(.rec2020, .pq), PictureColor(.rec2020, .hlg),
    ]

    /// Returns the output formats without size and frame rate, the cheapest first. A preview has 8-bit formats only.
    static func formats(isPreview: Bool) -> [Structure] {
        let display = Structure("video/x-raw", ["format": layouts])
        let colors = Value.list(colors.map { .string($0.colorimetry) })
        return isPreview
            ? [display] : [display, Structure("video/x-raw", ["format": .string(wide), "colorimetry": colors])]
    }

    private static let layouts = Value.list(order.map { .string($0.rawValue) })

    private static let order: [DisplayPixelFormat] = [.bgrx, .rgbx, .bgra, .rgba, .rgb, .bgr]

    /// Returns the range of lengths from 1 to `side`, or to the upper bound of `side` if that is a range; up to 65,535
    /// for other values.
    static func upTo(_ side: Value?) -> Value {
        switch side {
        case .int(let side): .intRange(1...max(1, side))
        case .intRange(let range): .intRange(1...max(1, range.upperBound))
        default: .intRange(1...65535)
        }
    }

    /// Parses caps into a picture format. GStreamer pads the rows of 8-bit formats to a multiple of 4 bytes.
    static func shape(_ caps: Caps) throws(GStreamerError) -> Shape {
        let name = caps.first?["format"]?.text
        guard let structure = caps.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer
        else { throw GStreamerError(message: "\(caps) is not a picture format that rawdevelop outputs", place: "caps") }
        if name == wide {
            let color = PictureColor(colorimetry: structure["colorimetry"]?.text ?? "sRGB")
            return .wide(color, width: width, height: height)
        }
        guard let layout = name.flatMap(DisplayPixelFormat.init) else {
            throw GStreamerError(message: "\(caps) is not a picture format that rawdevelop outputs", place: "caps")
        }
        let stride = (width * layout.bytes + 3) & ~3
        return .display(DisplayFormat(width: width, height: height, layout: layout, stride: stride))
    }

    /// Copies the RGB samples of all pixels into a 16-bit RGBA picture and sets alpha to opaque.
    static func store(_ words: [UInt16], in values: inout MutableSpan<UInt16>) {
        for pixel in 0..<min(words.count / Picture.channels, values.count / 4) {
            for channel in 0..<Picture.channels {
                values[4 * pixel + channel] = words[Picture.channels * pixel + channel]
            }
            values[4 * pixel + 3] = .max
        }
    }
}
