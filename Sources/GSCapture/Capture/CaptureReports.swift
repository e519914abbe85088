package import Waiting

/// The events and the progress of a capture, for any number of readers.
package struct CaptureReports: Sendable {
    /// The events in their order; they end after `finished`.
    package let events = EventBroadcast<CaptureEvent>(replays: true)
    /// The progress, which ends with the events.
    package let progress = EventBroadcast<CaptureProgress>(replays: true)

    /// Creates reports without events.
    package init() {}

    /// The error with which the capture has ended; nil if it has not ended, or without an error.
    var failure: CaptureError? {
        guard case .finished(_, let error)? = events.newest else { return nil }
        return error
    }
}
