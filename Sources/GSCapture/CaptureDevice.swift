public import GStreamer

/// A camera that a session can open.
public struct CaptureDevice: Sendable {
    /// An identifier that is stable across runs, such as the device's path.
    public var uniqueID: String
    /// The camera's name for display in a user interface.
    public var localizedName: String
    /// The formats that the camera supports; nil if unknown.
    public var caps: Caps?
    /// The start of a pipeline text: the source element with its settings and the Bayer caps after it.
    public var pipelineText: String

    /// Returns the built-in simulated camera.
    public static func simulated(width: Int = 4032, height: Int = 3024, framesPerSecond: Int = 10) -> CaptureDevice {
        CaptureDevice(
            uniqueID: "simulated", localizedName: "Simulated Sensor", caps: nil,
            pipelineText: """
                gscapsensorsrc name=camera
                  ! video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=\(framesPerSecond)/1
                """)
    }

    /// Returns the connected video sources, followed by the simulated camera.
    public static func discover() throws(GStreamerError) -> [CaptureDevice] {
        let monitor = try DeviceMonitor(classes: "Video/Source")
        let found = monitor.devices().map { device in
            CaptureDevice(
                uniqueID: device.properties["device.path"]?.text ?? device.properties["api.v4l2.path"]?.text
                    ?? device.name,
                localizedName: device.name, caps: device.caps,
                pipelineText: (device.launchText ?? "v4l2src") + " name=camera\n  ! video/x-bayer")
        }
        return found + [simulated()]
    }
}
