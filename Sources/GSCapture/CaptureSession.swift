internal import Synchronization

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
    /// The state of a session.
    public enum State: Sendable, Hashable {
        case stopped, starting, running
        /// The camera delivers no frames, or is disconnected; the session goes on when frames come again.
        case interrupted
        case failed, stopping
    }

    /// While the lock is held, only streams are called and tasks created, which never blocks.
    let contents = Mutex(SessionContents())

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
        Task {
            await running?.stop()
            await lost?.stop()
            events?.continuation.finish()
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

    /// The session's events until it stops, for one reader per start. The events continue when the configuration
    /// changes and when the camera comes back. Empty before the start.
    public var events: AsyncStream<SessionEvent> {
        contents.withLock { $0.events?.stream } ?? AsyncStream { $0.finish() }
    }

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

/// The state of a session, which its lock protects.
struct SessionContents {
    /// A change of the configuration, or several, that wait for their turn.
    struct Transaction: Sendable {
        let number: Int
        var changes: [SessionConfiguration.Change]
    }

    /// The configuration in effect: of the running pipeline, or of the next start.
    var configuration = SessionConfiguration()
    /// The transactions that have not been carried out yet.
    var queued: [Transaction] = []
    /// The changes since the outermost `beginConfiguration`.
    var open: [SessionConfiguration.Change] = []
    /// The number of transactions that have begun and not been committed.
    var depth = 0

    var state = CaptureSession.State.stopped
    /// The pipeline in use, which may still be starting.
    var running: RunningPipeline?
    /// The number of pipelines created, by which the events of the pipeline in use are recognized.
    var pipelines = 0
    /// Whether `running` is starting. Its failure then waits in `startEnd`.
    var isStarting = false
    var startEnd: SessionEvent?
    /// The frames of the earlier pipelines since the start.
    var earlierFrames = 0
    var events: (stream: AsyncStream<SessionEvent>, continuation: AsyncStream<SessionEvent>.Continuation)?
    /// The task of the newest operation; the next one waits for its end.
    var last: Task<Void, Never>?
    private var transactions = 0

    // The recovery after the loss of the camera.
    var recovers = true
    var waits = RecoveryWaits()
    /// Whether the camera is gone and the session tries to start again; then `running` is nil between the attempts.
    var isRecovering = false
    /// The number of losses, by which a recovery recognizes that another one replaced it.
    var losses = 0
    /// The pipeline whose camera was lost, until it is stopped.
    var lost: RunningPipeline?
    var recovery: Task<Void, Never>?
}

extension SessionContents {
    /// The configuration after all changes that were accepted, also those that are not carried out yet.
    var newest: SessionConfiguration {
        queued.reduce(configuration) { $0.applying($1.changes) }.applying(open)
    }

    /// The pipeline that can take photos now; nil if there is none.
    var usable: RunningPipeline? {
        !isStarting && (state == .running || state == .interrupted) ? running : nil
    }

    /// Appends a transaction to the queue.
    mutating func queue(_ changes: [SessionConfiguration.Change]) -> Transaction {
        transactions += 1
        let transaction = Transaction(number: transactions, changes: changes)
        queued.append(transaction)
        return transaction
    }

    /// Carries out an operation after all earlier ones.
    mutating func enqueue<R: Sendable>(_ body: @escaping @Sendable () async -> R) -> Task<R, Never> {
        let before = last
        let task = Task<R, Never> {
            await before?.value
            return await body()
        }
        last = Task { _ = await task.value }
        return task
    }

    func report(_ event: SessionEvent) { events?.continuation.yield(event) }

    mutating func openEvents() {
        events = AsyncStream<SessionEvent>.makeStream(bufferingPolicy: .bufferingNewest(1000))
    }

    mutating func closeEvents() {
        events?.continuation.finish()
        events = nil
    }
}

extension CaptureSession {
    /// Carries out an operation after all earlier ones, and returns its result.
    func inTurn<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
        await contents.withLock { $0.enqueue(body) }.value
    }
}
