package import GStreamer

/// The place of a frame or photo in its capture.
package struct CapturePlace: Sendable {
    /// The capture id.
    package var id: UInt64
    /// The index of the exposure in its bracket, from 0.
    package var exposure = 0
    /// The index of the frame in its burst, from 0; 0 for a fused photo.
    package var frame = 0
    /// The ticket of the capture; nil if the frame carries none.
    package var ticket: CaptureTicket?

    /// Creates the place of a frame or photo.
    package init(id: UInt64, exposure: Int = 0, frame: Int = 0, ticket: CaptureTicket? = nil) {
        (self.id, self.exposure, self.frame, self.ticket) = (id, exposure, frame, ticket)
    }
}

extension CapturePlace {
    /// Reads the place of a frame without decoding its other metadata; nil for a frame without a capture.
    package init?(_ frame: borrowing Buffer) {
        guard let id = frame.captureIdentifier else { return nil }
        self.init(
            id: id, exposure: frame.captureExposure, frame: frame.captureIndex, ticket: frame.captureTicket)
    }
}
