internal import GStreamer

/// The settings of `gscapv4l2src`.
struct V4L2SourceSettings: Sendable {
    /// The identifier or device file of the camera; nil, like an empty string, is the first raw camera.
    var device: String? {
        didSet { if device?.isEmpty == true { device = nil } }
    }
    var bufferCount = 6
    var sharesMemory = false
    var reconnects = true
    var exposureTime = 0.0
    var iso = 0.0
    var flip = Flip.unchanged

    /// The directions in which the sensor mirrors the picture.
    enum Flip: Sendable {
        case unchanged, none, horizontal, vertical, both

        var isHorizontal: Bool? { self == .unchanged ? nil : self == .horizontal || self == .both }
        var isVertical: Bool? { self == .unchanged ? nil : self == .vertical || self == .both }
    }

    static let properties = PropertyTable(
        defaults: V4L2SourceSettings(),
        [
            .string(
                "device", \.device,
                blurb:
                    "The camera's identifier, as gscap devices lists it, or its device file; empty for the first one",
                options: [.readWrite, .mutableReady]),
            .uint32(
                "buffers", \.bufferCount, 2...32, blurb: "Frames for which the driver is asked to reserve memory",
                options: [.readWrite, .mutableReady]),
            .boolean(
                "dmabuf", \.sharesMemory,
                blurb: "Whether frames are given as DMABUF, for elements that hand them to other devices",
                options: [.readWrite, .mutableReady]),
            .boolean(
                "reconnect", \.reconnects,
                blurb: "Whether the element waits for a camera that was disconnected, instead of ending in an error",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "exposure-time", \.exposureTime, 0...3600, blurb: "Exposure time in seconds; 0 leaves it as it is",
                options: [.readWrite, .mutablePlaying]),
            .double(
                "iso", \.iso, 0...10_000_000, blurb: "Sensitivity as an ISO number; 0 leaves it as it is",
                options: [.readWrite, .mutablePlaying]),
            .enumeration(
                "flip", \.flip, type: "GscapV4L2Flip",
                [
                    .init(.unchanged, nick: "unchanged", name: "As the camera was set before"),
                    .init(.none, nick: "none", name: "Not mirrored"),
                    .init(.horizontal, nick: "horizontal", name: "Left and right exchanged"),
                    .init(.vertical, nick: "vertical", name: "Top and bottom exchanged"),
                    .init(.both, nick: "both", name: "Turned by 180 degrees"),
                ],
                blurb: "How the sensor mirrors the picture, on which the order of its colours depends",
                options: [.readWrite, .mutableReady]),
        ])

    /// The counters, which cannot be set.
    static let counters = [
        ElementProperty(
            "lost-frames", .uint64(0...UInt64.max, default: 0),
            blurb: "Frames that the driver has lost since the stream began", options: .readable),
        ElementProperty(
            "copied-frames", .uint64(0...UInt64.max, default: 0),
            blurb: "Frames that were copied, since the driver would have had fewer than two buffers to fill",
            options: .readable),
    ]
}
