package import GStreamer
package import RawImage

/// The canonical Bayer caps: 16-bit little-endian containers with the codes in the low bits, named as in GStreamer
/// 1.24, or `mono12le` and so on for cameras without colour filters.
///
/// Bit depths without a GStreamer name, such as 8, use a 16-bit format with the field `bpp`: `rggb16le,bpp=8`. The code
/// values are the same in either container.
package enum BayerCaps {
    /// The pad template caps: every Bayer pattern, and a camera without colour filters, at 10, 12, 14 and 16 bits.
    package static let template =
        "video/x-bayer, format=(string){ "
        + [12, 10, 14, 16].flatMap { depth in patterns.map { "\($0)\(depth)le" } }.joined(separator: ", ")
        + " }, width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// The beginnings of format names: those of the Bayer patterns, and that of a camera without colour filters.
    package static let patterns = BayerPattern.allCases.map(\.rawValue) + ["mono"]

    /// Returns the canonical caps of a mosaic format, with the frame rate copied from `other`.
    package static func caps(_ format: MosaicFormat, like other: Structure?) -> Caps {
        var structure = Structure(
            "video/x-bayer",
            [
                "format": .string(canonicalName(format)), "width": .int(Int32(clamping: format.width)),
                "height": .int(Int32(clamping: format.height)),
            ])
        if format.needsBitDepthField { structure["bpp"] = .int(Int32(format.bitDepth)) }
        structure["framerate"] = other?["framerate"]
        return Caps([structure])
    }

    /// Returns the canonical format name, such as `rggb12le`; bit depths that GStreamer does not name use the 16-bit
    /// one.
    package static func canonicalName(_ format: MosaicFormat) -> String {
        "\(format.colorName)\(format.needsBitDepthField ? 16 : format.bitDepth)le"
    }

    /// Parses canonical caps into a mosaic format; throws if they are not canonical Bayer caps.
    package static func format(_ caps: Caps) throws(GscapError) -> MosaicFormat {
        guard let structure = caps.first, structure.name == "video/x-bayer", let name = structure["format"]?.text,
            patterns.contains(String(name.prefix(4))), name.hasSuffix("le"),
            let container = Int(name.dropFirst(4).dropLast(2)),
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else {
            throw GscapError(
                message: "\(caps) is not a canonical Bayer format; put a rawunpack before it", place: "caps")
        }
        let pattern = BayerPattern(rawValue: String(name.prefix(4)))
        var format = MosaicFormat(
            width: width, height: height, pattern: pattern ?? .rggb,
            bitDepth: structure["bpp"]?.integer ?? container, stride: stride(width: width))
        format.isMonochrome = pattern == nil
        return format
    }

    /// Returns the row stride in codes: GStreamer pads each row of 2-byte codes to a multiple of 4 bytes.
    package static func stride(width: Int) -> Int { (width + 1) & ~1 }

    /// Returns the size of a canonical frame in bytes.
    package static func size(_ format: MosaicFormat) -> Int { format.stride * format.height * 2 }
}

/// The caps of linear photos: 16-bit RGBA in the camera's primaries with linear transfer.
///
/// RGBA64_LE is a standard `video/x-raw` format, so GStreamer's own elements can link to these pads.
package enum LinearCaps {
    /// The sink pad template caps: any colorimetry, checked by `format(_:)` when the caps are set.
    package static let template =
        "video/x-raw, format=(string)RGBA64_LE, width=(int)[ 1, 65535 ], height=(int)[ 1, 65535 ], "
        + "framerate=(fraction)[ 0/1, 2147483647/1 ]"

    /// The source pad template caps of elements that output linear photos.
    package static let photos = template + ", colorimetry=(string)" + colorimetry

    /// The colorimetry "range:matrix:transfer:primaries": full range, RGB, linear transfer, unspecified primaries,
    /// which stand for the camera's own.
    package static let colorimetry = "1:1:1:0"

    /// Returns the caps of the linear photo that is made from a mosaic with these caps: same size and frame rate.
    package static func caps(of mosaic: Structure) -> Structure {
        var structure = Structure("video/x-raw", ["format": "RGBA64_LE"])
        for field in ["width", "height", "framerate"] { structure[field] = mosaic[field] }
        structure["colorimetry"] = .string(colorimetry)
        return structure
    }

    /// Parses the caps of a linear photo into a format; throws unless the pixel format is RGBA64_LE and the stated
    /// transfer function is linear.
    package static func format(_ caps: Caps) throws(GscapError) -> LinearFormat {
        guard let structure = caps.first, structure["format"]?.text == "RGBA64_LE",
            let width = structure["width"]?.integer, let height = structure["height"]?.integer
        else { throw GscapError(message: "\(caps) is not the format of a linear photo", place: "caps") }
        // Without colorimetry, RGB is sRGB.
        let word = structure["colorimetry"]?.text
        guard let word, PictureColor(colorimetry: word).transfer == .linear else {
            throw GscapError(
                message: "the colorimetry \(word ?? "sRGB") is not linear: send a linear photo (\(colorimetry)), not a "
                    + "rendered picture", place: "caps")
        }
        return LinearFormat(width: width, height: height)
    }

    /// Returns the size of a linear photo in bytes.
    package static func size(_ format: LinearFormat) -> Int { format.stride * format.height * 2 }
}

extension Element {
    /// The author shown by gst-inspect.
    package static var gscapAuthor: String { "The gscap authors" }
}

extension MosaicFormat {
    /// Whether GStreamer has no format name for 16-bit codes of this bit depth, so that the caps need the field `bpp`.
    package var needsBitDepthField: Bool { ![10, 12, 14, 16].contains(bitDepth) }
}
