internal import Synchronization
internal import Waiting

/// A session's output of frames for analysis in this process, such as the detection of codes or faces.
///
///     let analysis = FrameOutput(format: .rgb(width: 640, height: 480))
///     try session.add(analysis)
///     for await frame in analysis.frames { … }
///
/// A reader that is slower than the camera skips to the newest frame; it never holds up the camera. *Thread-safe.*
public final class FrameOutput: Sendable {
    /// The pixels of the frames.
    public typealias Format = FrameFormat

    private struct State {
        var owner: ObjectIdentifier?
        /// The number of the membership in a session, by which frames of a former session are recognized.
        var membership = 0
        /// The frames until the output leaves its session.
        var frames = EventBroadcast<CapturedFrame>(replays: false, buffering: .bufferingNewest(1))
    }

    /// The pixels of the frames.
    public let format: Format
    /// While the lock is held, only the broadcast is called, which never blocks.
    private let state = Mutex(State())

    /// Creates an output of frames in a format.
    public init(format: Format) {
        self.format = format
    }

    /// The frames from now on. Each access returns a stream for one more reader, also before the output is in a
    /// session. The stream continues when the session stops, starts again or changes its configuration; it ends when
    /// the output is removed from the session, and when the session is released.
    public var frames: AsyncStream<CapturedFrame> { state.withLock { $0.frames.stream() } }

    /// The number of the present membership in a session.
    var membership: Int { state.withLock(\.membership) }

    /// Delivers a frame to the readers. A frame of an earlier membership is discarded: the pipeline of a former session
    /// may still deliver some after the output was removed.
    func deliver(_ frame: CapturedFrame, to membership: Int) {
        state.withLock { state in
            if state.owner != nil, state.membership == membership { state.frames.send(frame) }
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
            return true
        }
    }

    /// Takes the output out of this session, which ends the stream. Does nothing if the output is not in it.
    func leave(_ owner: ObjectIdentifier) {
        let frames = state.withLock { state -> EventBroadcast<CapturedFrame>? in
            guard state.owner == owner else { return nil }
            let frames = state.frames
            (state.owner, state.frames) = (nil, EventBroadcast(replays: false, buffering: .bufferingNewest(1)))
            return frames
        }
        frames?.finish()
    }
}
