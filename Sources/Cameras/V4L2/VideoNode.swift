internal import CVideo4Linux
internal import Errors
internal import GStreamer
internal import RawImage

/// A device file from which frames are read, such as /dev/video0.
struct VideoNode: Sendable {
    let file: DeviceFile
    let card: String
    let bus: String
    /// Whether the formats have planes, in the kernel's words; a raw format has one.
    let isMultiPlanar: Bool

    /// Opens a node. Nil if it captures no video.
    init?(_ path: String) throws(SystemError) {
        file = try DeviceFile(path)
        var capability = v4l2_capability()
        try file.call(gscap_vidioc_querycap, &capability)
        card = String(field: capability.card)
        bus = String(field: capability.bus_info)
        let hasOwn = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let flags = hasOwn ? capability.device_caps : capability.capabilities
        isMultiPlanar = flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
        let isCapture = isMultiPlanar || flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0
        guard isCapture, flags & UInt32(V4L2_CAP_STREAMING) != 0 else { return nil }
    }

    /// The kernel's number of the direction and kind of the buffers.
    var bufferType: UInt32 {
        (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
    }

    /// The four-character codes of all formats.
    var pixelFormats: [UInt32] {
        file.list(gscap_vidioc_enum_fmt) { index in
            var description = v4l2_fmtdesc()
            (description.index, description.type) = (index, bufferType)
            return description
        } _: {
            $0.pixelformat
        }
    }

    /// The sizes of a format; none if the driver does not list them.
    func sizes(of format: UInt32) -> [(width: CameraFormat.Side, height: CameraFormat.Side)] {
        var all: [(CameraFormat.Side, CameraFormat.Side)] = []
        for index in 0..<UInt32(1024) {
            var size = v4l2_frmsizeenum()
            (size.index, size.pixel_format) = (index, format)
            do throws(SystemError) { try file.call(gscap_vidioc_enum_framesizes, &size) } catch { break }
            if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                all.append((.init(Int(size.discrete.width)), .init(Int(size.discrete.height))))
                continue
            }
            let range = size.stepwise
            all.append(
                (
                    .init(Int(range.min_width), Int(range.max_width), step: Int(range.step_width)),
                    .init(Int(range.min_height), Int(range.max_height), step: Int(range.step_height))
                ))
            break
        }
        return all
    }

    /// The frames per second of a format at a size; nil if the driver does not list them.
    func rates(of format: UInt32, width: Int, height: Int) -> CameraFormat.Rates? {
        var all: [Fraction] = []
        for index in 0..<UInt32(256) {
            var interval = v4l2_frmivalenum()
            (interval.index, interval.pixel_format) = (index, format)
            (interval.width, interval.height) = (UInt32(width), UInt32(height))
            do throws(SystemError) { try file.call(gscap_vidioc_enum_frameintervals, &interval) } catch { break }
            if interval.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                all.append(Self.rate(interval.discrete))
                continue
            }
            all += [Self.rate(interval.stepwise.min), Self.rate(interval.stepwise.max)]
            break
        }
        let valid = all.filter { $0.number > 0 }.sorted { $0.number < $1.number }
        guard let least = valid.first, let most = valid.last else { return nil }
        return CameraFormat.Rates(least: least, most: most)
    }

    private static func rate(_ interval: v4l2_fract) -> Fraction {
        Fraction(Int32(clamping: interval.denominator), Int32(clamping: interval.numerator))
    }
}

/// A format that the driver has accepted.
struct NegotiatedFormat: Hashable, Sendable {
    var code: UInt32
    var width: Int
    var height: Int
    /// The bytes from the start of a row to that of the next.
    var stride: Int
}

extension VideoNode {
    /// Returns the present format.
    func format() throws(SystemError) -> NegotiatedFormat {
        try negotiated(GscapVideoFormat(), isNew: false)
    }

    /// Requests a format, and returns the one that the driver has chosen, which may differ. The colour space must be
    /// that of the sensor, where there is one.
    func setFormat(
        code: UInt32, width: Int, height: Int, colorspace: UInt32 = 0
    ) throws(SystemError) -> NegotiatedFormat {
        let format = GscapVideoFormat(
            code: code, width: UInt32(width), height: UInt32(height), colorspace: colorspace, stride: 0)
        return try negotiated(format, isNew: true)
    }

    private func negotiated(_ format: GscapVideoFormat, isNew: Bool) throws(SystemError) -> NegotiatedFormat {
        var format = format
        let error = unsafe gscap_video_format(file.descriptor, isMultiPlanar, isNew, &format)
        if error != 0 { throw SystemError(number: error) }
        return NegotiatedFormat(
            code: format.code, width: Int(format.width), height: Int(format.height), stride: Int(format.stride))
    }

    /// Requests a number of frames per second; drivers without a choice refuse, which is no fault.
    func setRate(_ rate: Double) {
        guard rate > 0 else { return }
        gscap_video_set_rate(file.descriptor, isMultiPlanar, UInt32((rate * 1000).rounded()), 1000)
    }
}

/// Four-character codes of Video4Linux as text.
enum FourCharacterCode {
    /// The text of a code, such as `RG12`, with the kernel's `-BE` for a format of big-endian words.
    static func text(_ code: UInt32) -> String {
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) & 0x7F }
        return String(decoding: letters, as: UTF8.self) + (code & 1 << 31 != 0 ? "-BE" : "")
    }

    /// The code of a text.
    static func code(_ text: String) -> UInt32 {
        var code: UInt32 = 0
        for (index, letter) in text.utf8.prefix(4).enumerated() { code |= UInt32(letter) << (8 * UInt32(index)) }
        return text.hasSuffix("-BE") ? code | 1 << 31 : code
    }

    /// The meaning of the codes of raw formats that gscap reads.
    static let formats: [UInt32: BayerDialect.CodeFormat] = Dictionary(
        uniqueKeysWithValues: BayerDialect.fourCharacterCodes.map { (code($0.name), $0.format) })

    /// Names of the raw formats that gscap refuses, because their codes are compressed with loss or packed in a way of
    /// one vendor.
    static let refused: [UInt32: String] = {
        var names: [UInt32: String] = [:]
        func add(_ codes: [String], _ name: String) { for text in codes { names[code(text)] = name } }
        add(["PC1R", "PC1G", "PC1g", "PC1B", "PC1M"], "Raspberry Pi's compression 1")
        add(["PC2R", "PC2G", "PC2g", "PC2B", "PC2M"], "Raspberry Pi's compression 2")
        add(["aBA8", "aGA8", "agA8", "aRA8"], "10 bits compressed to 8 by A-law")
        add(["bBA8", "bGA8", "BD10", "bRA8"], "10 bits compressed to 8 by DPCM")
        add(["ip3b", "ip3g", "ip3G", "ip3r", "ip3y"], "Intel's packing of 25 codes in 32 bytes")
        return names
    }()
}
