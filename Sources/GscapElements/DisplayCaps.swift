internal import Develop
internal import GStreamer

/// Caps of finished 8-bit pictures.
enum DisplayCaps {
    /// For pad templates.
    static let template =
        "video/x-raw, format=(string){ " + order.map(\.rawValue).joined(separator: ", ")
        + " }, width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// The layouts that can be given, the cheapest first.
    static let layouts = Value.list(order.map { .string($0.rawValue) })

    private static let order: [PixelLayout] = [.bgrx, .rgbx, .bgra, .rgba, .rgb, .bgr]

    /// Any size up to one that is given.
    static func upTo(_ side: Value?) -> Value {
        switch side {
        case .int(let side): .intRange(1...max(1, side))
        case .intRange(let range): .intRange(1...max(1, range.upperBound))
        default: .intRange(1...65535)
        }
    }

    /// The shape that caps describe; GStreamer rounds rows up to four bytes.
    static func format(_ caps: Caps) throws(GStreamerError) -> DisplayFormat {
        guard let structure = caps.first, let layout = structure["format"]?.text.flatMap(PixelLayout.init),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { throw GStreamerError(message: "\(caps) is no picture format that can be given", place: "caps") }
        return DisplayFormat(width: width, height: height, layout: layout, stride: (width * layout.bytes + 3) & ~3)
    }
}
