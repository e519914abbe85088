package import GStreamer
package import Waiting

/// The ticket of a capture: its ledger from the press to its end. The shutter creates it and attaches it to the frames,
/// and the elements behind the shutter report on it which photos they made or failed to make. It posts `begun` first,
/// unless the press is refused, and `done` last, exactly once, whatever happens.
///
///     press ─► waiting ──frames selected──► pushing ──the event that ends the burst──► done
///                 │                            │       has left every branch, or
///                 │                            │       no step was reported for 120 s
///                 │                            └──cancelled, flushed, stopped, push failed: no more frames,
///                 │                               then as above
///                 └──refused, cancelled, no frame near the press, time limit, end of stream, stop──► done
///
/// A stop or a flush may also drop frames, or the event, behind the shutter. If no photo was made, the capture then
/// counts as cancelled, otherwise as partial; nothing about it follows `done`.
///
/// *Thread-safe.*
package final class CaptureTicket: Sendable {
    private struct State {
        /// The photos that elements reported. Those of elements that report none, such as GStreamer's encoders, count
        /// as made.
        var photos = CaptureAccount<Never, String>()
        /// When the last step towards the photos was reported; nil before pushing the burst begins.
        var lastStep: WaitClock.Instant?
        /// Whether pushing the burst has begun, so that photos may follow.
        var isPushing = false
        /// The result and the reason if the capture was ended early; nil if its photos determine the result.
        var verdict: (result: CaptureResult, reason: String)?
        /// Why frames of the burst may have been dropped behind the shutter; nil if nothing happened to them.
        var interruption: String?
        /// Whether the event that ends the burst has left every branch.
        var hasLeft = false
        var hasBegun = false
        /// Whether the first `exposing` was posted.
        var isExposing = false
        /// The number of the capture's exposures, and of those that are complete.
        var exposures = 1
        var exposed = 0
        var isTaken = false
        /// The end of `photoLimit`, which the capture's end cancels.
        var limit: Alarm?

        /// How the capture ends.
        var end: (result: CaptureResult, reason: String) {
            if let verdict { return verdict }
            return (photos.result(isInterrupted: interruption != nil), photos.firstFailure ?? interruption ?? "")
        }
    }

    /// A report of an element about a capture.
    package enum Step: Sendable {
        /// A step towards a photo.
        case progress
        /// A photo was made: by an encoder, or by a sink that takes pixels without an encoder.
        case photo
        /// A photo failed for a reason.
        case failure(String)
    }

    /// The id of the capture.
    package let id: UInt64
    /// An object of the press for the elements downstream of the shutter, such as a pair of cameras; nil without one.
    package let companion: SharedObject?
    private let element: ElementHandle
    private let ledger = CaptureLedger(State())
    private let ended: @Sendable (CaptureTicket) -> Void
    private let posted: @Sendable (CaptureTicket) -> Void

    /// The longest time without a step towards the photos, in case an element holds back the event that ends the burst
    /// or never finishes a photo. A slow machine may take longer for all steps.
    private static let photoLimit = Duration.seconds(120)
    private let posts: PostQueue
    private let clock: WaitClock

    /// Creates the ticket of a capture; `ended` is called once, before `done` is posted, and `posted` after that.
    package init(
        _ id: UInt64, _ element: ElementHandle, _ posts: PostQueue, companion: SharedObject? = nil,
        ended: @escaping @Sendable (CaptureTicket) -> Void, posted: @escaping @Sendable (CaptureTicket) -> Void
    ) {
        self.id = id
        self.element = element
        self.posts = posts
        self.companion = companion
        clock = posts.clock
        (self.ended, self.posted) = (ended, posted)
    }

    /// Whether the capture has ended or was ended early, so that no more of its frames are pushed.
    package var isAbandoned: Bool { ledger.isOver || ledger.read { $0.verdict != nil } }

    /// When an element last reported a step, or pushing the burst began; nil before.
    package var lastStep: WaitClock.Instant? { ledger.read(\.lastStep) }

    // MARK: - Messages

    /// Posts `begun`, unless it was posted already.
    package func begin(frames: Int, exposures: Int) {
        ledger.update { state, outbox in
            if state.hasBegun { return }
            (state.hasBegun, state.exposures) = (true, exposures)
            outbox.add(message(.begun(id: id, frames: frames)))
        }
    }

    /// Posts the first `exposing`, unless it was posted already, and that the first `completed` exposures are complete:
    /// `exposed` for each, followed by `exposing` for the next one. Does nothing if that was posted already, so that
    /// several threads may report in any order.
    package func expose(upTo completed: Int = 0) {
        ledger.update { state, outbox in
            guard state.hasBegun else { return }
            let count = state.exposures
            if !state.isExposing { outbox.add(message(.exposing(id: id, index: 0, count: count))) }
            state.isExposing = true
            while state.exposed < completed {
                outbox.add(message(.exposed(id: id, index: state.exposed, count: count)))
                state.exposed += 1
                guard state.exposed < count else { continue }
                outbox.add(message(.exposing(id: id, index: state.exposed, count: count)))
            }
        }
    }

    /// Posts a message, in the order of the calls. Does nothing if the capture is over. Must not be called under a
    /// lock.
    package func post(_ message: CaptureMessage) { ledger.update { _, outbox in outbox.add(self.message(message)) } }

    /// Records what an element behind the shutter did, and calls `post`, which posts a message about it, in the order
    /// of the calls. Does nothing if the capture is over: `done` is its last message.
    package func record(_ step: Step, _ post: @escaping CaptureOutbox.Post = {}) {
        ledger.update { state, outbox in
            switch step {
            case .progress: break
            case .photo: state.photos.count()
            case .failure(let reason): state.photos.count(failure: reason)
            }
            state.lastStep = clock.now
            outbox.add(post)
        }
    }

    /// Posts the messages that all exposures are complete and all frames are pushed. `frame` is the number of the
    /// reference frame, `lag` the time in seconds from the press to the middle of its exposure, and `exposureLag` that
    /// from the first exposure that could be the requested one.
    package func take(frame: UInt64, lag: Double?, exposureLag: Double?) {
        let exposures = ledger.update { state, _ in
            state.isTaken = true
            return state.exposures
        }
        expose(upTo: exposures ?? 0)
        post(.taken(id: id, frame: frame, lag: lag, exposureLag: exposureLag))
    }

    /// Posts the messages that still wait, when the elements behind the shutter have stopped.
    package func flush() { ledger.flush() }

    private func message(_ message: CaptureMessage) -> CaptureOutbox.Post {
        { [element] in element.post(message.structure) }
    }

    // MARK: - The end

    /// Ends the capture early: at once if pushing its frames has not begun, otherwise when the frames pushed so far
    /// have left every branch.
    package func abandon(_ result: CaptureResult, _ reason: String) {
        let isPushing = ledger.update { state, _ in
            if state.verdict == nil { state.verdict = (result, reason) }
            return state.isPushing
        }
        if isPushing == false { end() }
    }

    /// Records that the elements behind the shutter may drop frames of the burst that were pushed. The capture counts
    /// as cancelled, or as partial if a photo was made.
    package func interrupt(_ reason: String) {
        ledger.update { state, _ in
            if state.isPushing, !state.hasLeft, state.interruption == nil { state.interruption = reason }
        }
    }

    /// Ends the capture at once. Must not be called under a lock.
    package func end(_ result: CaptureResult, _ reason: String, retryAfter: Double? = nil) {
        ledger.update { state, _ in
            if state.verdict == nil { state.verdict = (result, reason) }
        }
        end(retryAfter: retryAfter)
    }

    /// Ends the capture with its verdict, or without one with the result of its photos; `overdue` is the reason if they
    /// may be unfinished.
    private func end(retryAfter: Double? = nil, overdue: String? = nil) {
        ledger.update { state, outbox in
            let (result, stated) = state.end
            let reason = stated.isEmpty ? overdue ?? "" : stated
            outbox.add { [limit = state.limit] in
                self.ended(self)
                limit?.cancel()
            }
            state.limit = nil
            if result == .failed, state.verdict != nil {
                outbox.add { [element, id] in element.postCaptureWarning(id, reason) }
            }
            outbox.end(
                with: message(.done(id: id, result: result, reason: reason, retryAfter: retryAfter)),
                posted: { self.posted(self) })
        }
    }

    /// Records that pushing the burst begins, and returns the event to push after its frames; nil if the capture was
    /// ended early. The capture ends when every branch has passed this event on or dropped it, because the photos are
    /// made by then.
    package func endOfBurst() -> Event? {
        let isAlive = ledger.update { state, _ in
            if state.verdict != nil { return false }
            (state.isPushing, state.lastStep) = (true, clock.now)
            return true
        }
        guard isAlive == true else { return nil }
        limitPhotos()
        return Event.customDownstream(CaptureEnd(id: id).structure) { self.leave() }
    }

    /// Records that the event that ends the burst has left every branch: passed on, or dropped by elements that stop
    /// before the shutter does.
    private func leave() {
        if element.element?.isStopping ?? true { interrupt("the pipeline stopped before the photos were done") }
        ledger.update { state, _ in state.hasLeft = true }
        posts.async { self.end() }
    }

    /// Ends the capture at the time limit: with the result of its photos so far if all frames were pushed, otherwise as
    /// failed. The limit begins again with each step that an element reports.
    private func limitPhotos() {
        let limit = posts.alarm { [weak self] in
            self?.lastStep.map { $0 + Self.photoLimit }
        } _: { [weak self] in
            guard let self else { return }
            let reason = "nothing was reported of the photos for 120 s"
            if ledger.read(\.isTaken) { return end(overdue: reason) }
            end(.failed, reason)
        }
        if ledger.update({ state, _ in state.limit = limit }) == nil { limit.cancel() }
    }
}
