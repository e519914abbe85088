internal import Dispatch
internal import GStreamer
internal import Synchronization
internal import Waiting

/// The ticket of a capture at the shutter: it posts `begun` first, unless the press is refused, and `done` last,
/// exactly once, whatever happens.
///
///     press ─► waiting ──frames selected──► pushing ──the event that ends the burst──► done
///                 │                            │       has left every branch, or
///                 │                            │       no step was reported for 120 s
///                 │                            └──cancelled, flushed, stopped, push failed: no more frames,
///                 │                               then as above
///                 └──refused, cancelled, no frame near the press, time limit, end of stream, stop──► done
///
/// A stop or a flush may also drop frames, or the event, behind the shutter. If no photo was made, the capture then
/// counts as cancelled, otherwise as partial; no other message about it follows `done` (`CaptureOutcomes`).
///
/// *Thread-safe.*
final class CaptureTicket: Sendable {
    private struct State {
        /// Whether pushing the burst has begun, so that photos may follow.
        var isPushing = false
        /// The result and the reason if the capture was ended early; nil if its photos determine the result.
        var verdict: (result: CaptureResult, reason: String)?
        /// Why frames of the burst may have been dropped behind the shutter; nil if nothing happened to them.
        var interruption: String?
        /// Whether the event that ends the burst has left every branch.
        var hasLeft = false
        /// The messages to be posted, in order. One thread at a time posts them, without the lock.
        var messages: [CaptureMessage] = []
        var isPosting = false
        var hasBegun = false
        /// Whether the first `exposing` was posted.
        var isExposing = false
        /// The number of the capture's exposures, and of those that are complete.
        var exposures = 1
        var exposed = 0
        var isTaken = false
        /// Whether ending the capture has begun; further calls to end it are ignored.
        var isEnding = false
        /// Whether the message `done` was posted or is the last of `messages`; later messages are discarded.
        var isOver = false
        /// The end of `photoLimit`, which the capture's end cancels.
        var limit: Alarm?
    }

    let id: UInt64
    private let element: ElementHandle
    private let state = Mutex(State())
    private let ended: @Sendable (UInt64) -> Void
    private let posted: @Sendable () -> Void

    /// The longest time without a step towards the photos, in case an element holds back the event that ends the burst
    /// or never finishes a photo. A slow machine may take longer for all steps.
    private static let photoLimit = Duration.seconds(120)
    private let posts: PostQueue
    private let clock: WaitClock

    /// Creates the ticket of a capture; `ended` is called once, with the ticket's id, before `done` is posted, and
    /// `posted` after that.
    init(
        _ id: UInt64, _ element: ElementHandle, _ posts: PostQueue, ended: @escaping @Sendable (UInt64) -> Void,
        posted: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.element = element
        self.posts = posts
        clock = posts.clock
        (self.ended, self.posted) = (ended, posted)
    }

    /// Whether the capture has ended or was ended early, so that no more of its frames are pushed.
    var isAbandoned: Bool { state.withLock { $0.isEnding || $0.verdict != nil } }

    /// Posts `begun`, unless it was posted already.
    func begin(frames: Int, exposures: Int) {
        post { state in
            if state.hasBegun { return [] }
            (state.hasBegun, state.exposures) = (true, exposures)
            return [.begun(id: id, frames: frames)]
        }
    }

    /// Posts the first `exposing`, unless it was posted already, and that the first `completed` exposures are complete:
    /// `exposed` for each, followed by `exposing` for the next one. Does nothing if that was posted already, so that
    /// several threads may report in any order.
    func expose(upTo completed: Int = 0) {
        post { state in
            guard state.hasBegun else { return [] }
            let count = state.exposures
            let first = state.isExposing ? [] : [CaptureMessage.exposing(id: id, index: 0, count: count)]
            state.isExposing = true
            guard completed > state.exposed else { return first }
            defer { state.exposed = completed }
            return (state.exposed..<completed).reduce(into: first) { messages, index in
                messages.append(.exposed(id: id, index: index, count: count))
                if index + 1 < count { messages.append(.exposing(id: id, index: index + 1, count: count)) }
            }
        }
    }

    /// Queues a message and posts all queued ones in order, unless another thread is posting them already. Does nothing
    /// if the capture is over. Must not be called under a lock.
    func post(_ message: CaptureMessage) { post { _ in [message] } }

    private func post(_ messages: (inout State) -> [CaptureMessage]) {
        let isPoster = state.withLock { state in
            if state.isOver { return false }
            let messages = messages(&state)
            if case .done? = messages.last { state.isOver = true }
            state.messages += messages
            if messages.isEmpty { return false }
            defer { state.isPosting = true }
            return !state.isPosting
        }
        guard isPoster else { return }
        while let next = nextMessage() { element.post(next.structure) }
    }

    private func nextMessage() -> CaptureMessage? {
        state.withLock { state in
            if state.messages.isEmpty {
                state.isPosting = false
                return nil
            }
            return state.messages.removeFirst()
        }
    }

    /// Ends the capture early: at once if pushing its frames has not begun, otherwise when the frames pushed so far
    /// have left every branch.
    func abandon(_ result: CaptureResult, _ reason: String) {
        let isPushing = state.withLock { state in
            if state.verdict == nil { state.verdict = (result, reason) }
            return state.isPushing
        }
        if !isPushing { end() }
    }

    /// Records that the elements behind the shutter may drop frames of the burst that were pushed. The capture counts
    /// as cancelled, or as partial if a photo was made.
    func interrupt(_ reason: String) {
        state.withLock { state in
            if state.isPushing, !state.hasLeft, state.interruption == nil { state.interruption = reason }
        }
    }

    /// Records that the event that ends the burst has left every branch: passed on, or dropped by elements that stop
    /// before the shutter does.
    private func leave() {
        if element.element?.isStopping ?? true { interrupt("the pipeline stopped before the photos were done") }
        state.withLock { $0.hasLeft = true }
        posts.async { self.end() }
    }

    /// Ends the capture at once. Must not be called under a lock.
    func end(_ result: CaptureResult, _ reason: String, retryAfter: Double? = nil) {
        state.withLock { state in
            if state.verdict == nil { state.verdict = (result, reason) }
        }
        end(retryAfter: retryAfter)
    }

    /// Ends the capture with its verdict, or without one with the result of its photos; `overdue` is the reason if they
    /// may be unfinished.
    private func end(retryAfter: Double? = nil, overdue: String? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        guard isFirst else { return }
        ended(id)
        let (verdict, interruption, limit) = state.withLock { state in
            defer { state.limit = nil }
            return (state.verdict, state.interruption, state.limit)
        }
        limit?.cancel()
        let photos = CaptureOutcomes.close(id, interruption: interruption)
        let end = verdict ?? photos
        let reason = end.reason.isEmpty ? overdue ?? "" : end.reason
        CaptureOutcomes.afterReports(on: id) { [self] in
            if end.result == .failed, verdict != nil { element.postCaptureWarning(id, reason) }
            post(.done(id: id, result: end.result, reason: reason, retryAfter: retryAfter))
            posted()
        }
    }

    /// Records that pushing the burst begins, and returns the event to push after its frames; nil if the capture was
    /// ended early. The capture ends when every branch has passed this event on or dropped it, because the photos are
    /// made by then.
    func endOfBurst() -> Event? {
        let isAlive = state.withLock { state in
            if state.isEnding || state.verdict != nil { return false }
            state.isPushing = true
            CaptureOutcomes.open(id, clock)
            return true
        }
        guard isAlive else { return nil }
        limitPhotos()
        return Event.customDownstream(CaptureEnd(id: id).structure) { self.leave() }
    }

    /// Ends the capture at the time limit: with the result of its photos so far if all frames were pushed, otherwise as
    /// failed. The limit begins again with each step that an element reports.
    private func limitPhotos() {
        let begin = clock.now
        let limit = posts.alarm { [id] in
            (CaptureOutcomes.lastReport(of: id) ?? begin) + Self.photoLimit
        } _: { [weak self] in
            guard let self else { return }
            let reason = "nothing was reported of the photos for 120 s"
            if state.withLock({ $0.isTaken }) { return end(overdue: reason) }
            end(.failed, reason)
        }
        let isEnding = state.withLock { state in
            if !state.isEnding { state.limit = limit }
            return state.isEnding
        }
        if isEnding { limit.cancel() }
    }

    /// Posts the messages that all exposures are complete and all frames are pushed. `frame` is the number of the
    /// reference frame, `lag` the time in seconds from the press to the middle of its exposure, and `exposureLag` that
    /// from the first exposure that could be the requested one.
    func take(frame: UInt64, lag: Double?, exposureLag: Double?) {
        let exposures = state.withLock { state in
            state.isTaken = true
            return state.exposures
        }
        expose(upTo: exposures)
        post(.taken(id: id, frame: frame, lag: lag, exposureLag: exposureLag))
    }
}

/// The event that follows the frames of a capture downstream: the capture has no more frames.
struct CaptureEnd: Sendable, Hashable {
    /// The id of the capture that has no more frames.
    var id: UInt64

    private static let name = "gscap-capture-end"

    init(id: UInt64) { self.id = id }

    /// Decodes the event that ends a capture's burst; returns nil for all other events, custom ones included.
    init?(_ event: Event) {
        guard event.kind == .customDownstream, let structure = event.structure, structure.name == Self.name,
            let id = structure["capture-id"]?.unsigned
        else { return nil }
        self.id = id
    }

    var structure: Structure { Structure(Self.name, ["capture-id": .uint64(id)]) }
}

/// A queue on whose thread captures are ended that a timer, or the last branch of a burst, has found to be over. Their
/// own threads may hold an element's lock, under which nothing may be posted. *Thread-safe.*
final class PostQueue: Sendable {
    private let queue = DispatchQueue(label: "gscap.capture-ends")
    /// A key whose value is set only on the queue's thread, so that functions can detect that they run there.
    private let isOwnThread = DispatchSpecificKey<Bool>()
    let clock = WaitClock.current

    init() { queue.setSpecific(key: isOwnThread, value: true) }

    func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Calls `body` when the time that `due` returns is reached, as `WaitClock` does.
    @discardableResult
    func alarm(
        due: @escaping @Sendable () -> WaitClock.Instant?, _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        clock.alarm(on: queue, due: due, body)
    }

    /// Waits until everything queued is posted, because a bus discards messages in the state NULL. Returns at once on
    /// the queue's own thread, on which a message's handler may stop the pipeline.
    func drain() {
        if DispatchQueue.getSpecific(key: isOwnThread) == nil { queue.sync {} }
    }
}
