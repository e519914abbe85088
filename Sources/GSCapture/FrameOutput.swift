internal import Synchronization

/// A session's output of frames for analysis in this process, such as the detection of codes or faces.
///
///     let analysis = FrameOutput(format: .rgb(width: 640, height: 480))
///     try session.add(analysis)
///     for await frame in analysis.frames { … }
///
/// A reader that is slower than the camera skips to the newest frame; it never holds up the camera. *Thread-safe.*
public final class FrameOutput: Sendable {
    /// The pixels of the frames.
    public enum Format: Sendable, Hashable {
        /// The camera's Bayer mosaic, one 16-bit value per pixel.
        case raw
        /// Rendered pictures: red, green and blue, 8 bits each, in the camera's aspect ratio, at most this large and
        /// at most 1920×1080 pixels.
        case rgb(width: Int, height: Int)
    }

    private struct State {
        var owner: ObjectIdentifier?
        var stream: AsyncStream<CapturedFrame>
        var continuation: AsyncStream<CapturedFrame>.Continuation
        let end = OnceFlag()
        /// The number of the membership in a session, by which frames of a former session are recognized.
        var membership = 0

        /// Whether the stream has ended, so that the next reader needs another one.
        var hasEnded: Bool { end.isRaised }

        init(owner: ObjectIdentifier? = nil, membership: Int = 0) {
            self.owner = owner
            self.membership = membership
            (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            // The stream ends also when the task that reads it is cancelled; a later reader gets another stream.
            continuation.onTermination = { [end] _ in _ = end.raise() }
        }

        /// Replaces the stream, which has ended.
        mutating func renew() { self = State(owner: owner, membership: membership) }
    }

    /// The pixels of the frames.
    public let format: Format
    /// While the lock is held, only the stream is called, and yielding to a stream never blocks.
    private let state = Mutex(State())

    /// Creates an output of frames in a format.
    public init(format: Format) {
        self.format = format
    }

    deinit { state.withLock(\.continuation).finish() }

    /// The frames, for one reader. The stream continues when the session stops, starts again or changes its
    /// configuration; it ends when the output is removed from the session, and when the session is released.
    public var frames: AsyncStream<CapturedFrame> {
        state.withLock { state in
            if state.hasEnded && state.owner != nil { state.renew() }
            return state.stream
        }
    }

    /// The number of the present membership in a session.
    var membership: Int { state.withLock(\.membership) }

    /// Delivers a frame to the reader. A frame of an earlier membership is discarded: the pipeline of a former session
    /// may still deliver some after the output was removed.
    func deliver(_ frame: CapturedFrame, to membership: Int) {
        state.withLock { state in
            if state.membership == membership { state.continuation.yield(frame) }
        }
    }
}

// MARK: - The session

extension FrameOutput {
    /// Whether the output belongs to a session.
    var isInSession: Bool { state.withLock { $0.owner != nil } }

    /// Marks the output as belonging to a session; returns false if it already belonged to one.
    func join(_ owner: ObjectIdentifier) -> Bool {
        state.withLock { state in
            guard state.owner == nil else { return false }
            state.owner = owner
            state.membership += 1
            if state.hasEnded { state.renew() }
            return true
        }
    }

    /// Takes the output out of this session, which ends the stream. Does nothing if the output is not in it.
    func leave(_ owner: ObjectIdentifier) {
        let continuation = state.withLock { state -> AsyncStream<CapturedFrame>.Continuation? in
            guard state.owner == owner else { return nil }
            state.owner = nil
            _ = state.end.raise()
            return state.continuation
        }
        continuation?.finish()
    }
}
