internal import Cameras
internal import FrameStream
internal import GStreamer

/// Offers the raw cameras to GStreamer's device monitors.
enum CameraProvider {
    static let provider = DeviceProvider(
        factoryName: "gscapcameraprovider", longName: "Raw cameras",
        summary: "Lists the cameras that deliver raw frames, and says when they come and go",
        author: Element.gscapAuthor,
        devices: { CameraSystem.discover().filter(\.isUsable).map(device) },
        watch: { change in Watches(CameraSystem.backends.compactMap { $0.watch(change) }) })

    private final class Watches: Sendable {
        private let watches: [CameraWatch]

        init(_ watches: [CameraWatch]) { self.watches = watches }
    }

    private static func device(_ camera: Camera) -> ProvidedDevice {
        ProvidedDevice(
            name: camera.name, classification: "Video/Source", caps: Caps(camera.formats.map(\.structure)),
            properties: Structure(
                "camera",
                [
                    "device.api": .string(camera.backend), "device.id": .string(camera.id),
                    "device.path": .string(camera.address), "device.place": .string(camera.place),
                ]),
            factory: "gscapv4l2src", address: camera.id)
    }
}
