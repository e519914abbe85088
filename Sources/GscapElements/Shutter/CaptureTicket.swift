internal import Dispatch
internal import GStreamer
internal import Synchronization

/// The ticket of a capture at the shutter: it posts `begun` first, and `done` last, exactly once, whatever happens.
///
///     press ─► waiting ──frames selected──► pushing ──the event that ends the burst──► done
///                 │                            │       has left every branch, or
///                 │                            │       120 s have passed
///                 │                            └──cancelled, flushed, stopped, push failed: no more frames,
///                 │                               then as above
///                 └──refused, cancelled, no frame near the press, time limit, end of stream, stop──► done
///
/// *Thread-safe.*
final class CaptureTicket: Sendable {
    private struct State {
        /// Whether the burst's frames are being pushed, so that its photos may follow.
        var isPushing = false
        /// How the capture ends if not with its photos; nil while it is on its way.
        var verdict: (result: CaptureResult, reason: String)?
        /// The messages to be posted, in order. One thread at a time posts them, without the lock.
        var messages: [CaptureMessage] = []
        var isPosting = false
        var hasBegun = false
        /// Whether `done` was posted or will be the next message; nothing is added behind it.
        var isOver = false
    }

    let id: UInt64
    private let element: ElementHandle
    private let state = Mutex(State())
    private let ended: @Sendable (UInt64) -> Void

    /// The longest time from the selection of the frames to `done`. Elements that hold back a burst's end, or never
    /// finish a photo, must not hold back the ticket's end.
    private static let photoLimit = DispatchTimeInterval.seconds(120)
    /// Ends the captures whose burst has left every branch. The last branch may finish under an element's lock, where
    /// nothing may be posted.
    private static let posting: DispatchQueue = {
        let queue = DispatchQueue(label: "gscap.capture-ends")
        queue.setSpecific(key: isPostingThread, value: true)
        return queue
    }()
    /// A key whose value is set only on the posting queue.
    private static let isPostingThread = DispatchSpecificKey<Bool>()

    /// Creates the ticket of a press; `ended` is called once, before `done` is posted.
    init(_ id: UInt64, _ element: ElementHandle, ended: @escaping @Sendable (UInt64) -> Void) {
        self.id = id
        self.element = element
        self.ended = ended
    }

    /// Whether no more of the capture's frames are to be pushed.
    var isAbandoned: Bool { state.withLock { $0.isOver || $0.verdict != nil } }

    /// Posts `begun` unless it was posted already.
    func begin(frames: Int) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { post(.begun(id: id, frames: frames)) }
    }

    /// Posts a message after those before it, on this thread or on the one that is posting already; does nothing if the
    /// capture is over. Must not be called under a lock.
    func post(_ message: CaptureMessage) {
        let isPoster = state.withLock { state in
            if state.isOver { return false }
            if case .done = message { state.isOver = true }
            state.messages.append(message)
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

    /// Ends the capture: at once if its frames are not being pushed, otherwise when what was pushed has left every
    /// branch.
    func abandon(_ result: CaptureResult, _ reason: String) {
        let isPushing = state.withLock { state in
            if state.verdict == nil { state.verdict = (result, reason) }
            return state.isPushing
        }
        if !isPushing { end() }
    }

    /// Ends the capture at once. Must not be called under a lock.
    func end(_ result: CaptureResult, _ reason: String, retryAfter: Double? = nil) {
        state.withLock { state in
            if state.verdict == nil { state.verdict = (result, reason) }
        }
        end(retryAfter: retryAfter)
    }

    private func end(retryAfter: Double? = nil) {
        guard state.withLock({ !$0.isOver }) else { return }
        ended(id)
        let photos = CaptureOutcomes.close(id)
        let (result, reason) = state.withLock { $0.verdict } ?? photos
        if result == .failed, state.withLock({ $0.verdict != nil }) { element.postCaptureWarning(id, reason) }
        post(.done(id: id, result: result, reason: reason, retryAfter: retryAfter))
    }

    /// Begins to push the burst, and returns the event that follows its frames downstream. When every branch has passed
    /// the event on or dropped it, the photos are made, and the capture ends.
    func endOfBurst() -> Event {
        state.withLock { $0.isPushing = true }
        return Event.customDownstream(CaptureEnd(id: id).structure) { [self] in
            Self.posting.async { self.end() }
        }
    }

    /// Waits until the ends of captures that are on their way are posted, because a bus takes no messages in NULL. Does
    /// not wait for itself, if a message's handler stops the pipeline.
    static func waitForPosts() {
        if DispatchQueue.getSpecific(key: isPostingThread) == nil { posting.sync {} }
    }

    /// Starts the time limit for the photos.
    func limitPhotos() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.photoLimit) { [weak self] in
            self?.end(.failed, "the photos were not finished within 120 s of the burst")
        }
    }
}

/// The event that follows the frames of a capture downstream: the capture has no more frames.
struct CaptureEnd: Sendable, Hashable {
    /// The ticket.
    var id: UInt64

    private static let name = "gscap-capture-end"

    init(id: UInt64) { self.id = id }

    /// Decodes a custom downstream event; returns nil for other events.
    init?(_ event: Event) {
        guard event.kind == .customDownstream, let structure = event.structure, structure.name == Self.name,
            let id = structure["capture-id"]?.unsigned
        else { return nil }
        self.id = id
    }

    var structure: Structure { Structure(Self.name, ["capture-id": .uint64(id)]) }
}
