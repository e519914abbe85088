package import GStreamer

/// The event by which a source reports downstream that its camera is gone, so that captures that wait for frames end
/// with this reason. The source goes on when the camera returns. It overtakes the buffers in queues.
package enum CameraLoss {
    private static let name = "gscap-camera-lost"

    /// The event.
    package static func event(_ reason: String) -> Event { .customDownstreamOutOfBand(structure(reason)) }

    /// The structure of the event, and of the message that the source posts.
    package static func structure(_ reason: String) -> Structure { Structure(name, ["reason": .string(reason)]) }

    /// The structure of the message that a source posts when the camera is back.
    package static func returned(_ device: String) -> Structure {
        Structure("gscap-camera-returned", ["device": .string(device)])
    }

    /// Returns the reason that an event reports; nil for other events.
    package static func reason(in event: Event) -> String? {
        guard event.kind == .customDownstream, let structure = event.structure, structure.name == name else {
            return nil
        }
        return structure["reason"]?.text ?? ""
    }
}
