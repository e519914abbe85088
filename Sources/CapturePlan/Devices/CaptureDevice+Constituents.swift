public import RawImage

extension CaptureError.Code {
    /// The cameras of a virtual device do not fit together.
    public static let virtualDeviceInvalid = CaptureError.Code(rawValue: "virtualDeviceInvalid")
}

extension CaptureDevice {
    /// One of the cameras of a virtual device.
    public struct Constituent: Sendable {
        /// The camera.
        public var device: CaptureDevice
        /// The camera's field of view, distortion, position and rotation. The poses of all constituents refer to the
        /// same axes.
        public var calibration: CameraCalibration

        /// Creates a constituent from a camera and its calibration.
        public init(device: CaptureDevice, calibration: CameraCalibration) {
            self.device = device
            self.calibration = calibration
        }

        /// The focal length relative to the width of the picture.
        var relativeFocalLength: Double { calibration.focalLength.x / Double(calibration.width) }
    }

    /// Creates a virtual device: several live cameras that a session runs at the same time.
    ///
    /// The constituents are sorted by their fields of view, the widest first. That one is the primary constituent: the
    /// device has its formats, exposure limits and colours; previews and frames come from it, and so do photos of
    /// captures that name no constituents. Throws if there are fewer than two cameras, or if one of them has the
    /// identifier of another, an invalid calibration, constituents itself, or is a recording.
    public init(
        uniqueID: String, localizedName: String, constituents: [Constituent]
    ) throws(CaptureError) {
        let sorted = constituents.sorted { $0.relativeFocalLength < $1.relativeFocalLength }
        guard let widest = sorted.first?.device, sorted.count > 1 else {
            throw Self.invalid("a virtual device has at least two cameras, not \(constituents.count)")
        }
        guard Set(sorted.map(\.device.uniqueID)).count == sorted.count else {
            throw Self.invalid("two of the cameras have the same identifier")
        }
        for constituent in sorted {
            let name = constituent.device.localizedName
            if let problem = constituent.calibration.problem { throw Self.invalid("\(name): \(problem)") }
            if constituent.device.isVirtual { throw Self.invalid("\(name) is a virtual device itself") }
            if !constituent.device.isLive { throw Self.invalid("\(name) is a recording; use live cameras") }
        }
        self = widest
        self.uniqueID = uniqueID
        self.localizedName = localizedName
        isVirtual = true
        self.constituents = sorted
    }

    private static func invalid(_ message: String) -> CaptureError {
        CaptureError(.virtualDeviceInvalid, message, place: "constituents")
    }

    /// The zoom factors, relative to the widest constituent, from which each other constituent shows the whole field of
    /// view, in ascending order; empty for a device that is not virtual.
    public var virtualDeviceSwitchOverVideoZoomFactors: [Double] {
        guard let widest = constituents.first else { return [] }
        return constituents.dropFirst().map { $0.relativeFocalLength / widest.relativeFocalLength }
    }

    /// The number of cameras besides the primary one whose frames previews show.
    var viewFeeds: Int { max(0, constituents.count - 1) }

    /// The greatest zoom factor: the longest lens, cropped by a factor of 8.
    public var maxAvailableVideoZoomFactor: Double { 8 * (virtualDeviceSwitchOverVideoZoomFactors.last ?? 1) }

    /// Why a session cannot use a zoom factor; nil if it can.
    package func refusal(ofZoom factor: Double) -> String? {
        let most = maxAvailableVideoZoomFactor
        return factor >= 1 && factor <= most ? nil : "a zoom factor of this camera is from 1 to \(most), not \(factor)"
    }

    /// Returns a virtual device of two simulated sensors that see one scene: a wide lens, and 10 mm to the right of it
    /// a tele lens with this zoom factor, 1.1 to 10. The tele's identifier is `simulated-tele`, the wide's
    /// `simulated-wide`.
    public static func simulatedWideAndTele(
        width: Int = 2016, height: Int = 1512, framesPerSecond: Int = 10, zoom: Double = 2
    ) throws(CaptureError) -> CaptureDevice {
        func constituent(_ name: String, _ properties: String, zoom: Double, right: Double) -> Constituent {
            var device = simulated(width: width, height: height, framesPerSecond: framesPerSecond)
            device.uniqueID = "simulated-" + name.lowercased()
            device.localizedName = "Simulated \(name) Sensor"
            device.source += " scene-clock=true calibration=true" + properties
            // The simulated sensor's scene of 4×3 units fills the frame at a distance of 3 units.
            let unit = min(Double(width) / 4, Double(height) / 3)
            var calibration = CameraCalibration(width: width, height: height, focalLength: 3 * unit * zoom)
            calibration.position.x = right
            return Constituent(device: device, calibration: calibration)
        }
        return try CaptureDevice(
            uniqueID: "simulated-wide-and-tele", localizedName: "Simulated Wide and Tele Sensors",
            constituents: [
                constituent("Wide", "", zoom: 1, right: 0),
                constituent("Tele", " zoom=\(zoom) lens-right=10", zoom: zoom, right: 10),
            ])
    }
}
