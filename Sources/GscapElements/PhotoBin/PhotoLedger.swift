internal import GStreamer
internal import Glibc
internal import Waiting

/// The captures of a bin that are under way, with the photos that each still owes. It passes on the messages of each
/// capture in order, one thread at a time, and `done` last.
///
///     press ─► open ──begun──► under way ──frames enter the branches──► owing photos ──► each delivered or failed
///                │                 │                                         │                      │
///                └──refused──┐     └──────shutter's done, deadline, stop─────┴──────────────────────┤
///                            ▼                                                                      ▼
///                          done                          the photos still owed are posted as failed, then done
///
/// *Thread-safe.* Nothing is posted under the lock.
final class PhotoLedger: Sendable {
    /// A photo of a capture.
    struct Key: Sendable, Hashable {
        var format: PhotoBranchFormat
        /// The index of the exposure, from 0.
        var exposure: Int
        /// The index of the frame in its burst; 0 for a fused photo.
        var frame: Int
    }

    /// The part of a request that the bin carries out, not its shutter.
    struct Wishes: Sendable, Hashable {
        var formats: Set<PhotoBranchFormat>
        /// Whether each frame of the burst becomes a Bayer photo, instead of the reference alone.
        var takesEveryFrame = false
        /// The running time of the press in nanoseconds; nil when unknown.
        var press: UInt64?
    }

    struct State: Sendable {
        var captures: [UInt64: Capture] = [:]
        var refused: UInt64 = 0
        var age = -1.0
        var latency = -1.0
        /// The threads that post messages, and for how many captures each: a handler of messages may press.
        var posters: [UInt: Int] = [:]
    }

    let state = Awaited(State())
    let clock = WaitClock.current
    let post: @Sendable (Structure) -> Void

    /// Creates a ledger; `post` posts a message.
    init(post: @escaping @Sendable (Structure) -> Void) { self.post = post }

    /// The metrics that the ledger knows.
    var metrics: PhotoBinMetrics {
        state.withLock { state in
            PhotoBinMetrics(
                waiting: state.captures.values.count { $0.hasBegun && !$0.isOver }, refused: state.refused,
                age: state.age, latency: state.latency)
        }
    }

    // MARK: - Presses

    /// Adds a capture that is about to be pressed; returns false if a capture of this id is under way.
    func open(_ id: UInt64, _ wishes: Wishes) -> Bool {
        state.withLock { state in
            if state.captures[id] != nil { return false }
            state.captures[id] = Capture(wishes: wishes)
            return true
        }
    }

    /// The running time in nanoseconds of a capture's press; nil when unknown.
    func press(of id: UInt64) -> UInt64? { state.withLock { $0.captures[id]?.wishes.press } }

    /// Whether a capture of this id is under way.
    func contains(_ id: UInt64) -> Bool { state.withLock { $0.captures[id] != nil } }

    /// Whether a capture of this id is under way and has not ended.
    func isUnderWay(_ id: UInt64) -> Bool { state.withLock { $0.captures[id].map { !$0.isOver } ?? false } }

    /// Removes a capture whose press was refused.
    func discard(_ id: UInt64) {
        state.withLock { state in
            if state.captures[id]?.hasBegun == false { state.captures[id] = nil }
        }
    }

    /// Counts a press that was refused without a message.
    func countRefusal() { state.withLock { $0.refused += 1 } }

    // MARK: - Photos

    /// Returns whether a buffer of a capture may enter branches of these names, and records the photos to which it
    /// leads. `exposure` and `frame` are the indices of the buffer in its capture, and `isBracket` means that it is one
    /// of the frames that are merged as a bracket.
    func admits(
        _ id: UInt64, exposure: Int, frame: Int, isReference: Bool, isBracket: Bool, to branches: Set<String>
    ) -> Bool {
        state.withLock { state in
            guard var capture = state.captures[id], !capture.isOver else { return false }
            var isWanted = false
            for format in capture.wishes.formats where branches.contains(format.rawValue) {
                let isSingle = !format.isFused
                if isSingle, isBracket || !(isReference || capture.wishes.takesEveryFrame) { continue }
                let key = Key(format: format, exposure: exposure, frame: isSingle ? frame : 0)
                if capture.settled.contains(key) { continue }
                capture.owed.insert(key)
                isWanted = true
            }
            state.captures[id] = capture
            return isWanted
        }
    }

    /// Returns what a press asked of the bin if its capture still owes this photo; otherwise nil.
    func wishes(_ id: UInt64, owing key: Key) -> Wishes? {
        state.withLock { state in
            guard let capture = state.captures[id], !capture.isOver, capture.missing.contains(key) else { return nil }
            return capture.wishes
        }
    }

    /// Delivers a photo with its message; returns false, and posts nothing, if the capture no longer owes it.
    func deliver(_ id: UInt64, _ key: Key, _ photo: Structure, age: Double?, now: UInt64?) -> Bool {
        var isDelivered = false
        var latency: Double?
        update(id) { capture in
            guard !capture.isOver, capture.owed.contains(key), capture.settled.insert(key).inserted else { return }
            isDelivered = true
            capture.photos += 1
            capture.messages.append(photo)
            if let now, let press = capture.wishes.press { latency = (Double(now) - Double(press)) / 1e9 }
        } also: { state in
            guard isDelivered else { return }
            state.age = age.map { max(0, $0) } ?? -1
            state.latency = latency.map { max(0, $0) } ?? -1
        }
        return isDelivered
    }

    /// Fails a photo that a capture owes.
    func fail(_ id: UInt64, _ key: Key, element: String, _ reason: String) {
        update(id) { capture in
            guard !capture.isOver, capture.owed.contains(key), !capture.settled.contains(key) else { return }
            capture.fail(key, id, element: element, reason)
        }
    }

    /// Fails all photos of these formats that are owed.
    func fail(_ formats: Set<PhotoBranchFormat>, _ reason: String) {
        for id in state.withLock({ $0.captures.keys.sorted() }) {
            update(id) { capture in
                guard !capture.isOver else { return }
                for key in capture.missing where formats.contains(key.format) {
                    capture.fail(key, id, element: key.format.elementName, reason)
                }
            }
        }
    }

    // MARK: - Posting

    /// Changes a capture and posts its messages in order, unless another thread is posting them already. A capture that
    /// is unknown is created with `standard`, or ignored if that is nil. `also` is called after `change`.
    func update(
        _ id: UInt64, creating standard: Wishes? = nil, _ change: (inout Capture) -> Void,
        also: (inout State) -> Void = { _ in }
    ) {
        let own = UInt(pthread_self())
        let isPoster = state.withLock { state in
            guard var capture = state.captures[id] ?? standard.map({ Capture(wishes: $0) }) else { return false }
            change(&capture)
            let isPoster = !capture.isPosting && !capture.messages.isEmpty
            if isPoster {
                capture.isPosting = true
                state.posters[own, default: 0] += 1
            }
            state.captures[id] = capture.isForgettable ? nil : capture
            also(&state)
            return isPoster
        }
        guard isPoster else { return }
        while let next = nextMessage(id) { post(next) }
    }

    private func nextMessage(_ id: UInt64) -> Structure? {
        state.change { state in
            if state.captures[id]?.messages.isEmpty == false { return state.captures[id]?.messages.removeFirst() }
            state.captures[id]?.isPosting = false
            if state.captures[id]?.isForgettable == true { state.captures[id] = nil }
            let own = UInt(pthread_self())
            state.posters[own] = state.posters[own].flatMap { $0 > 1 ? $0 - 1 : nil }
            return nil
        }
    }
}
