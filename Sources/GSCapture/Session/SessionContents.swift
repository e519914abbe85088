internal import Waiting

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
    /// The events, for any number of readers. Those that a reader has not read do not use up the memory of a session
    /// that runs for days.
    let events = EventBroadcast<SessionEvent>(replays: false, buffering: .bufferingNewest(1000))
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

    /// The pipeline that the photo output is connected to: the usable one, or one that has failed.
    var connectable: RunningPipeline? { usable ?? (state == .failed ? running : nil) }

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

    func report(_ event: SessionEvent) { events.send(event) }
}
