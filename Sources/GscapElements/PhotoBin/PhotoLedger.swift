internal import FrameStream
internal import GStreamer
internal import Synchronization

/// The captures of a bin that are under way, with the photos that each still owes. It passes on the messages of each
/// capture in order, one thread at a time, and `done` last.
///
///     press ─► open ──begun──► under way ──frames enter the branches──► owing photos ──► each delivered or failed
///                │                 │                                         │                      │
///                └──refused──┐     └──────shutter's done, deadline, stop─────┴──────────────────────┤
///                            ▼                                                                      ▼
///                          done                          the photos still owed are posted as failed, then done
///
/// The bin's own messages come from the bus with ids, so this is the bin's one table of captures by id. *Thread-safe.*
final class PhotoLedger: Sendable {
    /// A photo of a capture.
    struct Key: Sendable, Hashable, Comparable {
        var format: PhotoBranchFormat
        /// The index of the exposure, from 0.
        var exposure: Int
        /// The index of the frame in its burst; 0 for a fused photo.
        var frame: Int

        static func < (one: Key, other: Key) -> Bool {
            (one.exposure, one.frame, one.format.rawValue) < (other.exposure, other.frame, other.format.rawValue)
        }
    }

    /// The part of a request that the bin carries out, not its shutter.
    struct Wishes: Sendable, Hashable {
        var formats: Set<PhotoBranchFormat>
        /// Whether each frame of the burst becomes a Bayer photo, instead of the reference alone.
        var takesEveryFrame = false
        /// The running time of the press in nanoseconds; nil when unknown.
        var press: UInt64?
    }

    /// The contents of the bin's ledger of a capture.
    struct Capture: Sendable {
        let wishes: Wishes
        var hasBegun = false
        var photos = CaptureAccount<Key, String>()
    }

    typealias Ledger = CaptureLedger<Capture>

    /// A capture until its last message is posted and the shutter has ended it, too.
    private struct Entry: Sendable {
        let ledger: Ledger
        var isPosted = false
        var hasShutterEnded = false
    }

    private struct State: Sendable {
        var captures: [UInt64: Entry] = [:]
        var refused: UInt64 = 0
        var age = -1.0
        var latency = -1.0
    }

    private let state = Mutex(State())
    let post: @Sendable (Structure) -> Void

    /// Creates a ledger; `post` posts a message.
    init(post: @escaping @Sendable (Structure) -> Void) { self.post = post }

    /// The metrics that the ledger knows.
    var metrics: PhotoBinMetrics {
        let waiting = ledgers.count { $0.ledger.update { capture, _ in capture.hasBegun } == true }
        return state.withLock { state in
            PhotoBinMetrics(waiting: waiting, refused: state.refused, age: state.age, latency: state.latency)
        }
    }

    // MARK: - Captures

    /// The captures in the order of their ids.
    var ledgers: [(id: UInt64, ledger: Ledger)] {
        state.withLock(\.captures).sorted { $0.key < $1.key }.map { ($0.key, $0.value.ledger) }
    }

    /// Returns the ledger of a capture; nil if it is unknown.
    func ledger(_ id: UInt64) -> Ledger? { state.withLock { $0.captures[id]?.ledger } }

    /// Adds a capture that is about to be pressed; returns false if a capture of this id is under way.
    func open(_ id: UInt64, _ wishes: Wishes) -> Bool {
        state.withLock { state in
            if state.captures[id] != nil { return false }
            state.captures[id] = Entry(ledger: Ledger(Capture(wishes: wishes)))
            return true
        }
    }

    /// The running time in nanoseconds of a capture's press; nil when unknown.
    func press(of id: UInt64) -> UInt64? { ledger(id)?.read(\.wishes.press) }

    /// Whether a capture of this id is under way.
    func contains(_ id: UInt64) -> Bool { ledger(id) != nil }

    /// Whether a capture of this id is under way and has not ended.
    func isUnderWay(_ id: UInt64) -> Bool { ledger(id).map { !$0.isOver } ?? false }

    /// Removes a capture whose press was refused.
    func discard(_ id: UInt64) {
        state.withLock { state in
            if state.captures[id]?.ledger.read(\.hasBegun) == false { state.captures[id] = nil }
        }
    }

    /// Removes all captures.
    func discardAll() { state.withLock { $0.captures = [:] } }

    /// Counts a press that was refused.
    func countRefusal() { state.withLock { $0.refused += 1 } }

    /// Records that the shutter has ended a capture.
    func endShutter(_ id: UInt64) { change(id) { $0.hasShutterEnded = true } }

    /// Adds the last message of a capture, which is forgotten after that and the shutter's end.
    func end(_ id: UInt64, with message: Structure, _ outbox: inout CaptureOutbox) {
        outbox.end(with: posting(message), posted: { [self] in change(id) { $0.isPosted = true } })
    }

    private func change(_ id: UInt64, _ change: (inout Entry) -> Void) {
        state.withLock { state in
            guard var entry = state.captures[id] else { return }
            change(&entry)
            state.captures[id] = entry.isPosted && entry.hasShutterEnded ? nil : entry
        }
    }

    func posting(_ message: Structure) -> CaptureOutbox.Post { { [post] in post(message) } }

    // MARK: - Photos

    /// Returns whether a buffer of a capture may enter branches of these names, and records the photos to which it
    /// leads. `exposure` and `frame` are the indices of the buffer in its capture, and `isBracket` means that it is one
    /// of the frames that are merged as a bracket.
    func admits(
        _ id: UInt64, exposure: Int, frame: Int, isReference: Bool, isBracket: Bool, to branches: Set<String>
    ) -> Bool {
        ledger(id)?.update { capture, _ in
            var isWanted = false
            for format in capture.wishes.formats where branches.contains(format.rawValue) {
                let isSingle = !format.isFused
                if isSingle, isBracket || !(isReference || capture.wishes.takesEveryFrame) { continue }
                let key = Key(format: format, exposure: exposure, frame: isSingle ? frame : 0)
                if capture.photos.owe(key) { isWanted = true }
            }
            return isWanted
        } ?? false
    }

    /// Returns what a press asked of the bin if its capture still owes this photo; otherwise nil.
    func wishes(_ id: UInt64, owing key: Key) -> Wishes? {
        ledger(id)?.update { capture, _ in capture.photos.owes(key) ? capture.wishes : nil } ?? nil
    }

    /// Delivers a photo with its message; returns false, and posts nothing, if the capture no longer owes it.
    func deliver(_ id: UInt64, _ key: Key, _ photo: Structure, age: Double?, now: UInt64?) -> Bool {
        ledger(id)?.update { capture, outbox in
            guard capture.photos.settle(key) else { return false }
            var latency: Double?
            if let now, let press = capture.wishes.press { latency = (Double(now) - Double(press)) / 1e9 }
            outbox.add { [self, latency] in
                state.withLock { state in
                    state.age = age.map { max(0, $0) } ?? -1
                    state.latency = latency.map { max(0, $0) } ?? -1
                }
                post(photo)
            }
            return true
        } ?? false
    }

    /// Fails a photo that a capture owes.
    func fail(_ id: UInt64, _ key: Key, element: String, _ reason: String) {
        ledger(id)?.update { capture, outbox in fail(id, key, element: element, reason, &capture, &outbox) }
    }

    /// Fails all photos of these formats that are owed.
    func fail(_ formats: Set<PhotoBranchFormat>, _ reason: String) {
        for (id, ledger) in ledgers {
            ledger.update { capture, outbox in
                for key in capture.photos.missing where formats.contains(key.format) {
                    fail(id, key, element: key.format.elementName, reason, &capture, &outbox)
                }
            }
        }
    }

    /// Fails a photo, if it is owed, and adds its message.
    func fail(
        _ id: UInt64, _ key: Key, element: String, _ reason: String, _ capture: inout Capture,
        _ outbox: inout CaptureOutbox
    ) {
        guard capture.photos.settle(key, failure: reason) else { return }
        var photo = CaptureMessage.photo(id: id, element: element, bytes: 0, error: reason).structure
        photo["format"] = .string(key.format.rawValue)
        if key.exposure > 0 { photo["exposure"] = .int(Int32(clamping: key.exposure)) }
        outbox.add(posting(photo))
    }
}

extension PhotoBranchFormat {
    /// The name of the element that makes the photos of the branch.
    var elementName: String { isUncompressed ? lookName : encoderName }
}
