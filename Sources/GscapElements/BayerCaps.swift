internal import GStreamer
internal import RawImage

/// Canonical Bayer caps: GStreamer 1.24's names for 16-bit containers, low bits used, little endian.
///
/// Codes of 8 bits come as `rggb16le` with the field `bpp=8`: their values do not change on the way.
enum BayerCaps {
    /// All canonical formats, for pad templates.
    static let template =
        "video/x-bayer, format=(string){ "
        + [12, 10, 14, 16].flatMap { depth in BayerPattern.allCases.map { "\($0.rawValue)\(depth)le" } }
        .joined(separator: ", ")
        + " }, width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// The caps of a shape, with the rate of other caps.
    static func caps(_ format: MosaicFormat, like other: Structure?) -> Caps {
        var structure = Structure(
            "video/x-bayer",
            [
                "format": .string(canonicalName(format)), "width": .int(Int32(clamping: format.width)),
                "height": .int(Int32(clamping: format.height)),
            ])
        if format.hasOddDepth { structure["bpp"] = .int(Int32(format.bitDepth)) }
        structure["framerate"] = other?["framerate"]
        return Caps([structure])
    }

    /// A depth without a name of its own lies in 16 bits.
    static func canonicalName(_ format: MosaicFormat) -> String {
        "\(format.pattern.rawValue)\(format.hasOddDepth ? 16 : format.bitDepth)le"
    }

    /// The shape that canonical caps describe.
    static func format(_ caps: Caps) throws(GStreamerError) -> MosaicFormat {
        guard let structure = caps.first, let name = structure["format"]?.text,
            let pattern = BayerPattern(rawValue: String(name.prefix(4))), name.hasSuffix("le"),
            let container = Int(name.dropFirst(4).dropLast(2)),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else {
            throw GStreamerError(message: "\(caps) is no canonical Bayer format; put a rawunpack before", place: "caps")
        }
        return MosaicFormat(
            width: width, height: height, pattern: pattern, bitDepth: structure["bpp"]?.integer ?? container,
            stride: stride(width: width))
    }

    /// Codes from row to row: GStreamer rounds rows up to four bytes.
    static func stride(width: Int) -> Int { (width + 1) & ~1 }

    /// Bytes in a canonical frame.
    static func size(_ format: MosaicFormat) -> Int { format.stride * format.height * 2 }
}

/// Caps of linear photos: 16-bit RGBA with linear transfer, which any GStreamer element can take.
enum LinearCaps {
    /// For pad templates.
    static let template =
        "video/x-raw, format=(string)RGBA64_LE, width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], "
        + "framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// For pad templates of those who make such photos.
    static let photos = template + ", colorimetry=(string)" + colorimetry

    /// Full range, RGB, linear transfer, the camera's own primaries.
    static let colorimetry = "1:1:1:0"

    /// The caps of a photo of a mosaic with these caps.
    static func caps(of mosaic: Structure) -> Structure {
        var structure = Structure("video/x-raw", ["format": "RGBA64_LE"])
        for field in ["width", "height", "framerate"] { structure[field] = mosaic[field] }
        structure["colorimetry"] = .string(colorimetry)
        return structure
    }

    /// The shape that linear caps describe.
    static func format(_ caps: Caps) throws(GStreamerError) -> LinearFormat {
        guard let structure = caps.first, structure["format"]?.text == "RGBA64_LE",
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { throw GStreamerError(message: "\(caps) is no linear photo format", place: "caps") }
        if let word = structure["colorimetry"]?.text, PictureColor(colorimetry: word).transfer != .linear {
            throw GStreamerError(
                message: "a finished picture, of the colorimetry \(word), is no raw photo: give linear light",
                place: "caps")
        }
        return LinearFormat(width: width, height: height)
    }

    /// Bytes in a photo.
    static func size(_ format: LinearFormat) -> Int { format.stride * format.height * 2 }
}

extension Element {
    /// Who wrote the elements, as gst-inspect shows it.
    static var gscapAuthor: String { "The gscap authors" }
}

extension MosaicFormat {
    /// Whether no name of GStreamer's says this depth, so that the field `bpp` must.
    var hasOddDepth: Bool { ![10, 12, 14, 16].contains(bitDepth) }
}
