import Foundation
import GSCapture
import RawImage

/// The camera of a random sequence, whose device node is a file of the test.
final class SequenceCamera: Sendable {
    private let path = FileManager.default.temporaryDirectory.appending(path: "gscap-\(UUID().uuidString)").path

    init() { plugIn() }

    deinit { unplug() }

    func plugIn() { _ = FileManager.default.createFile(atPath: path, contents: nil) }

    func unplug() { try? FileManager.default.removeItem(atPath: path) }

    /// The element behind the camera that can stop its frames.
    static let valve = "stall"

    /// A camera of small frames with two sizes, so that presets differ. `settings` are added to its source element.
    func device(settings: String) -> CaptureDevice {
        var device = CaptureDevice.simulated(width: 64, height: 48, framesPerSecond: 100)
        device.source = "gscapsensorsrc name=camera device=\(path) \(settings) ! valve name=\(Self.valve)"
        let larger = CaptureDevice.simulated(width: 96, height: 72, framesPerSecond: 100).activeFormat
        device.formats = [device.activeFormat, larger].compactMap { $0 }
        return device
    }

    /// A virtual device of this camera and a tele camera, which has a device node of its own.
    func virtualDevice(tele: SequenceCamera) throws -> CaptureDevice {
        let constituents = [("wide", self, ""), ("tele", tele, "zoom=2 lens-right=10")].map { name, camera, settings in
            var device = camera.device(settings: settings)
            device.uniqueID = name
            let calibration = CameraCalibration(width: 64, height: 48, focalLength: name == "wide" ? 48 : 96)
            return CaptureDevice.Constituent(device: device, calibration: calibration)
        }
        return try CaptureDevice(uniqueID: "virtual", localizedName: "Virtual", constituents: constituents)
    }

    /// A pipeline with `camera` behind the camera, and `jpeg` before the JPEG encoder.
    static func plan(camera: String, jpeg: String) throws -> PipelinePlan {
        let queue = "queue max-size-buffers=16 max-size-bytes=0 max-size-time=0"
        return try PipelinePlan(
            reading: """
                gscapsensorsrc name=camera ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=100/1
                  ! \(camera) ! rawunpack ! tee name=raw
                raw. ! \(queue) ! rawshutter name=shutter frames=2 ! tee name=burst
                burst. ! \(queue) ! dngenc ! filesink name=bayer location=b.dng
                burst. ! \(queue) ! rawfusion ! tee name=photo
                photo. ! \(queue) ! dngenc ! filesink name=proraw location=a.dng
                photo. ! \(queue) ! rawdevelop ! \(jpeg) ! gscapjpegenc ! filesink name=jpeg location=a.jpg
                """)
    }
}

/// What a random sequence does with its camera.
enum SequenceKind: CaseIterable {
    /// A camera that works.
    case reliable
    /// A camera that is unplugged and plugged in.
    case unpluggable
    /// A virtual device, whose cameras are unplugged and plugged in.
    case virtual
    /// A camera of which Live Photos are taken.
    case live
    /// A camera that loses seven of ten frames, and stops to deliver any for a while.
    case stalling
    /// A custom plan, in which an element of a branch, or behind the camera, fails or drops.
    case plan
    /// A custom plan whose camera's stream fails after forty frames.
    case failing

    /// Whether the camera may deliver no frames for a while.
    var mayPause: Bool { [.unpluggable, .virtual, .stalling].contains(self) }

    var isPlan: Bool { self == .plan || self == .failing }

    /// Whether the session may fail, or not start, through no fault of its own.
    var mayFail: Bool { [.unpluggable, .virtual, .failing].contains(self) }
}
