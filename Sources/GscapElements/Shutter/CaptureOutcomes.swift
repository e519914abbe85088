internal import Synchronization

/// The photos that elements have made or failed to make for the captures under way in this process, by ticket.
///
/// The shutter opens an entry when it pushes a burst and closes it when the burst's photos have passed every branch; in
/// between the elements behind it record what they did. *Thread-safe.*
package enum CaptureOutcomes {
    private struct Outcome {
        var photos = 0
        var failures = 0
        var firstFailure: String?
    }

    private static let outcomes = Mutex<[UInt64: Outcome]>([:])

    /// Opens the entry of a capture.
    static func open(_ id: UInt64) { outcomes.withLock { $0[id] = Outcome() } }

    /// Records that a photo was made: by an encoder, or by a sink that takes pixels without an encoder.
    package static func recordPhoto(of id: UInt64) { outcomes.withLock { $0[id]?.photos += 1 } }

    /// Records that a photo failed.
    static func record(failure: String, of id: UInt64) {
        outcomes.withLock { outcomes in
            outcomes[id]?.failures += 1
            if outcomes[id]?.firstFailure == nil { outcomes[id]?.firstFailure = failure }
        }
    }

    /// Closes the entry of a capture and returns how the capture ended. Photos of encoders that record nothing, such as
    /// GStreamer's own, count as made.
    static func close(_ id: UInt64) -> (result: CaptureResult, reason: String) {
        guard let outcome = outcomes.withLock({ $0.removeValue(forKey: id) }) else { return (.succeeded, "") }
        if outcome.failures == 0 { return (.succeeded, "") }
        return (outcome.photos > 0 ? .partial : .failed, outcome.firstFailure ?? "")
    }
}
