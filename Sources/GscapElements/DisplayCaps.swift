internal import Develop
internal import FrameStream
internal import GStreamer
internal import RawImage

/// The caps of rendered pictures: 8 or 16 bits in the colour space of the property `color-space`, or else 8 bits in
/// sRGB or 16 bits in a colorimetry that downstream chooses. A preview may also be the input of a video encoder.
enum DisplayCaps {
    /// The pixel format and size of a rendered picture.
    enum Shape {
        /// 8 bits per sample.
        case display(DisplayFormat, PictureColor)
        /// 8 bits per sample: luma and subsampled chroma, for previews only.
        case subsampled(SubsampledFormat)
        /// 16 bits per sample: red, green, blue and an opaque alpha.
        case wide(PictureColor, width: Int, height: Int)

        /// The size of a picture in bytes.
        var size: Int {
            switch self {
            case .display(let format, _): format.stride * format.height
            case .subsampled(let format): format.byteCount
            case .wide(_, let width, let height): width * height * 8
            }
        }

        /// The colour space of the picture.
        var color: PictureColor {
            switch self {
            case .display(_, let color), .wide(let color, _, _): color
            case .subsampled: .sRGB
            }
        }
    }

    /// The source pad template caps.
    static let template =
        "video/x-raw, format=(string){ " + order.map(\.rawValue).joined(separator: ", ") + " }, " + frames
        + "; video/x-raw, format=(string)\(subsampled), colorimetry=(string)\(videoColors), "
        + "chroma-site=(string)\(chromaSite), " + frames
        + "; video/x-raw, format=(string)\(wide), colorimetry=(string){ "
        + colors.map(\.colorimetry).joined(separator: ", ") + " }, " + frames

    private static let frames =
        "width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// GStreamer's names of the format of luma and subsampled chroma, of its colorimetry and its siting.
    private static let subsampled = "I420"
    private static let videoColors = "bt709"
    private static let chromaSite = "mpeg2"
    /// GStreamer's name of the 16-bit format.
    private static let wide = "RGBA64_LE"
    private static let colors: [PictureColor] = [
        .sRGB, .displayP3, PictureColor(.rec2020, .pq), PictureColor(.rec2020, .hlg), DevelopColorSpace.rec2020.color,
    ]

    /// Returns the output formats without size and frame rate, the cheapest first. A preview has 8-bit formats only,
    /// also that of video encoders, and no choice of colours. `color` is the colour space of a picture; nil for any.
    static func formats(isPreview: Bool, color: PictureColor?) -> [Structure] {
        var display = Structure("video/x-raw", ["format": layouts])
        if isPreview {
            var video = Structure("video/x-raw", ["format": .string(subsampled)])
            (video["colorimetry"], video["chroma-site"]) = (.string(videoColors), .string(chromaSite))
            return [display, video]
        }
        var wide = Structure("video/x-raw", ["format": .string(wide)])
        if let color {
            display["colorimetry"] = .string(color.colorimetry)
            wide["colorimetry"] = .string(color.colorimetry)
        } else {
            // Without a colorimetry, 8-bit RGB is sRGB.
            wide["colorimetry"] = .list(colors.map { .string($0.colorimetry) })
        }
        return [display, wide]
    }

    /// Returns the formats of a picture in a colour space, with the size and frame rate in `caps`; the pixel format in
    /// `caps` comes first.
    static func formats(of color: PictureColor, like caps: Caps) -> Caps {
        guard var same = caps.first else { return caps }
        let others = formats(isPreview: false, color: color).map { format in
            var other = format
            for field in ["width", "height", "framerate", "pixel-aspect-ratio"] { other[field] = same[field] }
            return other
        }
        same["colorimetry"] = .string(color.colorimetry)
        return Caps([same] + others)
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
    static func shape(_ caps: Caps) throws(GscapError) -> Shape {
        let name = caps.first?["format"]?.text
        guard let structure = caps.first, let width = structure["width"]?.integer,
            let height = structure["height"]?.integer
        else { throw GscapError(message: "\(caps) is not a picture format that rawdevelop outputs", place: "caps") }
        let color = PictureColor(colorimetry: structure["colorimetry"]?.text ?? "sRGB")
        if name == wide { return .wide(color, width: width, height: height) }
        if name == subsampled { return .subsampled(SubsampledFormat(width: width, height: height)) }
        guard let layout = name.flatMap(DisplayPixelFormat.init) else {
            throw GscapError(message: "\(caps) is not a picture format that rawdevelop outputs", place: "caps")
        }
        let stride = (width * layout.bytes + 3) & ~3
        return .display(
            DisplayFormat(width: width, height: height, layout: layout, stride: stride),
            // 8 bits are too few for PQ, HLG and linear values.
            color.isHighDynamicRange ? .sRGB : color)
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
