public import GStreamer

/// A camera.
public struct CaptureDevice: Sendable {
    /// A name that stays the same from run to run.
    public var uniqueID: String
    /// What it is called for people.
    public var localizedName: String
    /// The formats it gives, when known.
    public var caps: Caps?
    /// The beginning of a pipeline text that opens it, up to raw Bayer caps.
    public var pipelineText: String

    /// The built-in camera made of mathematics.
    public static func simulated(width: Int = 4032, height: Int = 3024, framesPerSecond: Int = 10) -> CaptureDevice {
        CaptureDevice(
            uniqueID: "simulated", localizedName: "Simulated Sensor", caps: nil,
            pipelineText: """
                gscapsensorsrc name=camera
                  ! video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=\(framesPerSecond)/1
                """)
    }

    /// The cameras that give Bayer frames, the simulated one last.
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
