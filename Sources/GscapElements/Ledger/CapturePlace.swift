internal import GStreamer

/// The place of a frame or photo in its capture.
struct CapturePlace: Sendable {
    /// The capture id.
    var id: UInt64
    /// The index of the exposure in its bracket, from 0.
    var exposure = 0
    /// The index of the frame in its burst, from 0; 0 for a fused photo.
    var frame = 0
    /// The ticket of the capture; nil if the frame carries none.
    var ticket: CaptureTicket?
}

extension CapturePlace {
    /// Reads the place of a frame without decoding its other metadata; nil for a frame without a capture.
    init?(_ frame: borrowing Buffer) {
        guard let id = frame.captureIdentifier else { return nil }
        self.init(
            id: id, exposure: frame.captureExposure, frame: frame.captureIndex, ticket: frame.captureTicket)
    }

    init(_ key: BurstFusionState.Key) { self.init(id: key.id, exposure: key.exposure, ticket: key.ticket) }
}
