package import Cameras
public import GStreamer
internal import GscapElements

/// A camera that a session can open.
public struct CaptureDevice: Sendable {
    /// An identifier that is stable across runs, such as the device's path.
    public var uniqueID: String
    /// The camera's name for display in a user interface.
    public var localizedName: String
    /// The formats that the camera supports, as GStreamer describes them; nil if unknown.
    public var caps: Caps?
    /// The source element with its settings, as pipeline text. The element's name should be `camera`.
    public var source: String
    /// The camera's Bayer formats, the preferred ones first; empty if unknown.
    public var formats: [Format]
    /// The format in which the camera runs; nil leaves the choice to the source element.
    public var activeFormat: Format?
    /// The colour space of processed photos, unless a capture asks for another. HDR formats are always in Rec. 2020.
    public var activeColorSpace: ColorSpace
    /// The colour spaces that `activeColorSpace` may have.
    public var supportedColorSpaces: [ColorSpace]
    /// The exposure times that the camera can be set to, in seconds; nil if unknown.
    public var exposureTimes: ClosedRange<Double>?
    /// The ISO numbers that the camera can be set to; nil if unknown.
    public var isos: ClosedRange<Double>?
    /// Whether the camera has a flash that a capture can fire.
    public var hasFlash: Bool
    /// Whether the device consists of several cameras, among which it switches.
    public var isVirtual: Bool
    /// The cameras of a virtual device, the widest first; empty for any other.
    public internal(set) var constituents: [Constituent] = []
    /// The zoom factor with which a session begins, from 1 to `maxAvailableVideoZoomFactor`;
    /// `CaptureSession.setVideoZoomFactor(_:)` changes it.
    public var videoZoomFactor = 1.0
    /// Whether frames arrive at their own pace, as from a camera, so that those that come too fast are dropped. False
    /// for a recording, every frame of which is used.
    public var isLive = true

    /// Where the camera is, in words, such as "USB port 1.2"; empty if unknown.
    public var place = ""
    /// Why the camera cannot be used now, and what to do about it; nil if it can be.
    public var problem: String?
    /// The camera as its back-end describes it; nil for a camera that only a source element knows.
    package var camera: Camera?

    /// Creates a camera that a source element opens.
    ///
    /// - Parameters:
    ///   - uniqueID: An identifier that is stable across runs.
    ///   - localizedName: The name for display in a user interface.
    ///   - source: The source element with its settings, such as `v4l2src name=camera device=/dev/video0`.
    ///   - formats: The camera's Bayer formats; empty if unknown.
    ///   - activeFormat: The format in which the camera runs; nil leaves the choice to the source element.
    ///   - caps: The formats as GStreamer describes them; nil if unknown.
    ///   - activeColorSpace: The colour space of processed photos.
    ///   - supportedColorSpaces: The colour spaces that `activeColorSpace` may have.
    ///   - exposureTimes: The exposure times in seconds; nil if unknown.
    ///   - isos: The ISO numbers; nil if unknown.
    ///   - hasFlash: Whether the camera has a flash.
    ///   - isVirtual: Whether the device consists of several cameras.
    public init(
        uniqueID: String, localizedName: String, source: String, formats: [Format] = [], activeFormat: Format? = nil,
        caps: Caps? = nil, activeColorSpace: ColorSpace = .sRGB,
        supportedColorSpaces: [ColorSpace] = ColorSpace.allCases, exposureTimes: ClosedRange<Double>? = nil,
        isos: ClosedRange<Double>? = nil, hasFlash: Bool = false, isVirtual: Bool = false
    ) {
        self.uniqueID = uniqueID
        self.localizedName = localizedName
        self.source = source
        self.formats = formats
        self.activeFormat = activeFormat
        self.caps = caps
        self.activeColorSpace = activeColorSpace
        self.supportedColorSpaces = supportedColorSpaces
        self.exposureTimes = exposureTimes
        self.isos = isos
        self.hasFlash = hasFlash
        self.isVirtual = isVirtual
    }

    /// The start of a pipeline text: the source element with its settings and the Bayer caps after it.
    public var pipelineText: String { source + "\n  ! " + (activeFormat?.mediaCaps ?? Format.mediaType) }

    /// Whether the camera delivers Bayer frames, which photos need; true if its formats are unknown.
    public var supportsRAW: Bool {
        if !formats.isEmpty { return true }
        guard let caps, !caps.isAny else { return true }
        return caps.structures.contains { $0.name == Format.mediaType }
    }
}

/// A camera as the input of a session.
public struct CaptureDeviceInput: Sendable {
    /// The camera.
    public var device: CaptureDevice

    /// Creates an input from a camera.
    public init(device: CaptureDevice) {
        self.device = device
    }
}

// MARK: - Cameras

extension CaptureDevice {
    /// Returns the built-in simulated camera, with this active format.
    public static func simulated(width: Int = 4032, height: Int = 3024, framesPerSecond: Int = 10) -> CaptureDevice {
        let active = simulatedFormat(width, height, framesPerSecond)
        let formats = [(4032, 3024, 10), (1920, 1440, 30), (1280, 960, 30), (640, 480, 60)].map(simulatedFormat)
        return CaptureDevice(
            uniqueID: "simulated", localizedName: "Simulated Sensor", source: "gscapsensorsrc name=camera",
            formats: formats.contains(active) ? formats : formats + [active], activeFormat: active,
            exposureTimes: SensorLimits.exposureTimes, isos: SensorLimits.isos, hasFlash: true)
    }

    /// Returns a recording: Bayer DNGs that are played as the frames of a camera, in the order of their names.
    /// `location` is a file or a glob pattern such as `burst/*.dng`.
    public static func recorded(location: String) -> CaptureDevice {
        let quoted = location.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        var device = CaptureDevice(
            uniqueID: location, localizedName: "Recording", source: "dngsrc name=camera location=\"\(quoted)\"")
        device.isLive = false
        return device
    }

    private static func simulatedFormat(_ width: Int, _ height: Int, _ framesPerSecond: Int) -> Format {
        Format(
            width: width, height: height, maxFrameRate: Double(framesPerSecond),
            mediaCaps: "\(Format.mediaType),format=rggb12le,width=\(width),height=\(height),"
                + "framerate=\(framesPerSecond)/1")
    }

    /// Returns the connected cameras, raw ones first, followed by the simulated one. Video sources without camera
    /// formats (Bayer or uncompressed video), such as a stream of compressed video, are left out.
    public static func discover() throws(CaptureError) -> [CaptureDevice] {
        let cameras = CameraSystem.discover()
        let monitor = try DeviceMonitor(classes: "Video/Source")
        let others = monitor.devices().filter { offersFrames($0.caps) }.map(CaptureDevice.init)
        // Other elements open the same cameras, with fewer formats and without their controls.
        let known = Set(cameras.flatMap { [$0.id, $0.address] })
        return cameras.map(CaptureDevice.init) + others.filter { !known.contains($0.uniqueID) } + [simulated()]
    }

    /// Returns the camera that takes photos if none is named: the first of `devices` that states Bayer formats, or else
    /// the simulated one. Also returns those before it, which do not, each name once: a webcam may be found by several
    /// of GStreamer's device providers.
    package static func standard(
        among devices: [CaptureDevice]
    ) -> (device: CaptureDevice, passedOver: [CaptureDevice]) {
        let simulated = simulated()
        var passedOver: [CaptureDevice] = []
        for device in devices {
            if device.uniqueID == simulated.uniqueID || device.statesRAW { return (device, passedOver) }
            if !passedOver.contains(where: { $0.localizedName == device.localizedName }) { passedOver.append(device) }
        }
        return (simulated, passedOver)
    }

    /// Whether the camera is known to deliver Bayer frames now.
    private var statesRAW: Bool { problem == nil && supportsRAW && !(formats.isEmpty && (caps?.isAny ?? true)) }

    /// Whether a source offers Bayer or uncompressed video; true if its caps are unknown.
    package static func offersFrames(_ caps: Caps?) -> Bool {
        guard let caps, !caps.isAny else { return true }
        return caps.structures.contains { [Format.mediaType, "video/x-raw"].contains($0.name) }
    }

    private init(_ device: Device) {
        let path = device.properties["device.path"]?.text ?? device.properties["api.v4l2.path"]?.text
        self.init(
            uniqueID: path ?? device.name, localizedName: device.name,
            source: (device.launchText ?? "v4l2src") + " name=camera",
            formats: device.caps.map(Format.all(in:)) ?? [], caps: device.caps)
    }
}
