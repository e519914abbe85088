internal import FrameStream
internal import GStreamer
internal import Synchronization

/// The outcome of a stream: whether any output was produced, and the last failure.
///
/// One failed frame in a long stream is only a warning. A stream with failures and without any output ends with an
/// error, so that applications do not take its end for success. *Thread-safe.*
final class StreamOutcome: Sendable {
    private struct State {
        var hasOutput = false
        /// The error of the last frame or capture that failed.
        var lastFailure: GscapError?
    }

    private let state = Mutex(State())
    private let summary: String

    /// Creates an outcome; `summary` begins the error message of a stream with failures and without output.
    init(_ summary: String) { self.summary = summary }

    /// Resets the outcome at the start of a stream.
    func begin() { state.withLock { $0 = State() } }

    /// Records that output was produced.
    func recordOutput() { state.withLock { $0.hasOutput = true } }

    /// Records that a frame or a capture failed and produced no output.
    func recordFailure(_ error: any Error, capture id: UInt64?) {
        let failure = GscapError(
            domain: id == nil ? "gscap" : CaptureMessage.warningDomain, message: "\(summary); the last error: \(error)")
        state.withLock { $0.lastFailure = failure }
    }

    /// Ends the stream and resets the outcome; throws the last failure if there was one and no output was produced.
    func end() throws(GscapError) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        if let failure = ended.lastFailure, !ended.hasOutput { throw failure }
    }
}
