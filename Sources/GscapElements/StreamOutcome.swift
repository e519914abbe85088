internal import GStreamer
internal import Synchronization

/// Whether anything came of a stream.
///
/// What is refused now and then costs a long stream no more than that, but who waits for files and gets none must not take
/// the end for success. *Thread-safe.*
final class StreamOutcome: Sendable {
    private struct State {
        var hasGiven = false
        /// Why the last refused gave nothing.
        var refusal: GStreamerError?
    }

    private let state = Mutex(State())
    private let failure: String

    /// An outcome; `failure` says that there was nothing.
    init(_ failure: String) { self.failure = failure }

    /// Begins a stream.
    func begin() { state.withLock { $0 = State() } }

    /// Something goes out.
    func give() { state.withLock { $0.hasGiven = true } }

    /// A frame, or a capture, that gives nothing.
    func refuse(_ error: any Error, capture id: UInt64?) {
        let said = GStreamerError(
            domain: id == nil ? "gscap" : CaptureMessage.warningDomain, message: "\(failure); the last: \(error)")
        state.withLock { $0.refusal = said }
    }

    /// Ends the stream; throws the last refusal when nothing has gone out.
    func end() throws(GStreamerError) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        if let refusal = ended.refusal, !ended.hasGiven { throw refusal }
    }
}
