internal import CVideo4Linux
internal import Errors
internal import RawImage

/// The device file of an entity whose pads have formats, such as /dev/v4l-subdev0.
struct Subdevice: Sendable {
    let file: DeviceFile

    /// Opens the device file of an entity; nil if it has none, or if it cannot be opened.
    init?(_ entity: MediaGraph.Entity) {
        guard let path = entity.device?.path, let file = try? DeviceFile(path) else { return nil }
        self.file = file
    }

    /// The numbers of the formats on the bus that a pad offers.
    func busFormats(pad: UInt32) -> [UInt32] {
        file.list(gscap_vidioc_subdev_enum_mbus_code) { index in
            var code = v4l2_subdev_mbus_code_enum()
            (code.pad, code.index, code.which) = (pad, index, Self.active)
            return code
        } _: {
            $0.code
        }
    }

    /// The sizes that a pad offers in a format.
    func sizes(pad: UInt32, code: UInt32) -> [(width: CameraFormat.Side, height: CameraFormat.Side)] {
        file.list(gscap_vidioc_subdev_enum_frame_size) { index in
            var size = v4l2_subdev_frame_size_enum()
            (size.pad, size.index, size.code, size.which) = (pad, index, code, Self.active)
            return size
        } _: { size in
            (
                .init(Int(size.min_width), Int(size.max_width)), .init(Int(size.min_height), Int(size.max_height))
            )
        }
    }

    /// Returns the present format of a pad.
    func format(pad: UInt32) throws(SystemError) -> PadFormat {
        var format = v4l2_subdev_format()
        (format.pad, format.which) = (pad, Self.active)
        try file.call(gscap_vidioc_subdev_g_fmt, &format)
        return PadFormat(format.format)
    }

    /// Requests a format, and returns the one that the driver has chosen.
    @discardableResult
    func setFormat(_ wanted: PadFormat, pad: UInt32) throws(SystemError) -> PadFormat {
        var format = v4l2_subdev_format()
        (format.pad, format.which) = (pad, Self.active)
        // The other fields, such as the colour space, must agree along a link, too: they are those of the sensor.
        format.format = wanted.frame
        try file.call(gscap_vidioc_subdev_s_fmt, &format)
        return PadFormat(format.format)
    }

    private static var active: UInt32 { V4L2_SUBDEV_FORMAT_ACTIVE.rawValue }
}

/// The format of the frames that pass a pad.
struct PadFormat: Sendable {
    var frame: v4l2_mbus_framefmt

    init(_ frame: v4l2_mbus_framefmt) { self.frame = frame }

    /// Creates a format of a raw picture.
    init(code: UInt32, width: Int, height: Int) {
        frame = v4l2_mbus_framefmt()
        (frame.code, frame.width, frame.height) = (code, UInt32(width), UInt32(height))
        frame.field = V4L2_FIELD_NONE.rawValue
        frame.colorspace = V4L2_COLORSPACE_RAW.rawValue
    }

    /// Whether frames of a format can pass a pad with another.
    func fits(_ other: PadFormat) -> Bool {
        (frame.code, frame.width, frame.height) == (other.frame.code, other.frame.width, other.frame.height)
    }

    /// The format for people, such as "SRGGB12 640x480".
    var text: String { BusFormat.name(frame.code) + " \(frame.width)x\(frame.height)" }
}

/// The numbers of raw formats on the bus between a sensor and its receiver.
enum BusFormat {
    /// A pattern, nil for grey, and the bits of a code.
    struct Meaning: Hashable, Sendable {
        var pattern: BayerPattern?
        var bitDepth: Int
    }

    private static let codes: [(depth: Int, codes: [UInt32])] = [
        // In the order BGGR, GBRG, GRBG, RGGB, grey.
        (8, [0x3001, 0x3013, 0x3002, 0x3014, 0x2001]),
        (10, [0x3007, 0x300E, 0x300A, 0x300F, 0x200A]),
        (12, [0x3008, 0x3010, 0x3011, 0x3012, 0x2013]),
        (14, [0x3019, 0x301A, 0x301B, 0x301C, 0x202D]),
        (16, [0x301D, 0x301E, 0x301F, 0x3020, 0x202E]),
    ]

    private static let meanings: [UInt32: Meaning] = {
        var meanings: [UInt32: Meaning] = [:]
        let patterns: [BayerPattern?] = [.bggr, .gbrg, .grbg, .rggb, nil]
        for row in codes {
            for (pattern, code) in zip(patterns, row.codes) {
                meanings[code] = Meaning(pattern: pattern, bitDepth: row.depth)
            }
        }
        return meanings
    }()

    /// Returns the meaning of a number; nil if it is no raw format.
    static func meaning(_ code: UInt32) -> Meaning? { meanings[code] }

    /// Returns the number of a raw format; nil if there is none.
    static func code(_ meaning: Meaning) -> UInt32? { meanings.first { $0.value == meaning }?.key }

    /// The name for people: `SRGGB12`, or the number.
    static func name(_ code: UInt32) -> String {
        guard let meaning = meanings[code] else { return "0x" + String(code, radix: 16) }
        return meaning.pattern.map { "S\($0.rawValue.uppercased())\(meaning.bitDepth)" } ?? "Y\(meaning.bitDepth)"
    }
}
