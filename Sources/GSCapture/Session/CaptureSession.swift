@_exported public import CapturePlan
@_exported public import Movies
internal import Synchronization
internal import Waiting

/// A capture session: a camera, its outputs and the pipeline that connects them.
///
///     stopped ─start─► starting ──────► running ──no frames, camera gone──► interrupted
///        ▲                │  ▲            │  ▲                                  │
///        │                │  └──commit────┘  └──frames again, camera back───────┤
///        │                ▼                  │                                  │
///        │              failed ◄──an element failed, or the stream ended────────┤
///        │                │                                                     │
///        └── stopping ◄───┴──stop (also from starting, running, interrupted)────┘
///
/// Start leads from `failed` to `starting` again. A commit to an interrupted session that has a pipeline replaces it,
/// too. While the camera is gone, the session tries to start again at growing intervals.
///
/// Starts, stops and changes of the configuration are carried out one after another, in the order of their calls.
/// Thread-safe.
public final class CaptureSession: Sendable {
    /// The choice of the camera's format.
    public typealias Preset = SessionPreset

    /// The state of a session.
    public enum State: Sendable, Hashable {
        case stopped, starting, running
        /// The camera delivers no frames, or is disconnected; the session goes on when frames come again.
        case interrupted
        case failed, stopping
    }

    /// While the lock is held, only broadcasts are called and tasks created. As with the engine's lock, a task's
    /// cancellation handler must not take it.
    let contents = Mutex(SessionContents())
    /// Measures the scene for the readers of `sceneUpdates`, over all starts.
    let scene = SceneMonitor()
    let clock = WaitClock.current

    /// Creates a session without a camera and outputs.
    public init() {}

    /// Creates a session that runs a custom plan; its text defines the camera and the preview.
    public init(plan: PipelinePlan) {
        contents.withLock { $0.configuration.plan = plan }
    }

    deinit {
        let (newest, before, running, lost, recovery, events) = contents.withLock {
            ($0.newest, $0.configuration, $0.running, $0.lost, $0.recovery, $0.events)
        }
        recovery?.cancel()
        for output in [newest.photo, before.photo] { output?.leave() }
        for output in newest.frames + before.frames { output.leave(ObjectIdentifier(self)) }
        for output in [newest.movie, before.movie] { output?.leave(ObjectIdentifier(self)) }
        Task {
            await running?.stop()
            await lost?.stop()
            events.finish()
        }
    }

    /// The state of the session.
    public var state: State { contents.withLock(\.state) }

    /// Whether the pipeline is running and the camera delivers frames.
    public var isRunning: Bool { state == .running }

    /// The number of frames that the camera has delivered since the session started.
    public var framesSeen: Int {
        contents.withLock { $0.earlierFrames + ($0.running?.framesSeen ?? 0) }
    }

    /// The session's events from now on. Each access returns a stream for one more reader: a reader of the events of a
    /// start takes it before. The stream continues when the session stops and starts again, changes its configuration
    /// or loses its camera; it ends when the session is released. Of a reader that is slower than they come, the newest
    /// 1000 events are kept.
    public var events: AsyncStream<SessionEvent> { contents.withLock { $0.events.stream() } }

    /// Whether the session waits for a camera that was disconnected, and then goes on. Otherwise it fails at once. True
    /// for a new session.
    public var recoversFromDeviceLoss: Bool {
        get { contents.withLock(\.recovers) }
        set { contents.withLock { $0.recovers = newValue } }
    }

    /// The waits between the attempts to start again after the camera was disconnected.
    package var recoveryWaits: RecoveryWaits {
        get { contents.withLock(\.waits) }
        set { contents.withLock { $0.waits = newValue } }
    }
}

extension CaptureSession {
    /// Carries out an operation after all earlier ones, and returns its result.
    func inTurn<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
        await contents.withLock { $0.enqueue(body) }.value
    }
}
