internal import Glibc
internal import Waiting

/// The ledger of one capture: what its owner notes about it, and its messages, in order and the last one once.
///
///     open ──change, with messages──► open ──change, with the last message──► over
///               │                                      │
///               └──► messages waiting ──one thread at a time posts them──► posted
///
/// The shutter, the photo bin and the session keep their captures in ledgers, with different contents and messages.
///
/// *Thread-safe.* Nothing is posted under the lock, so a handler of a message may change the ledger.
package final class CaptureLedger<Contents: Sendable>: Sendable {
    private struct State: Sendable {
        var contents: Contents
        var outbox = CaptureOutbox()
        /// The thread that posts; nil if none does.
        var poster: UInt?
    }

    private let state: Awaited<State>
    private let clock = WaitClock.current

    /// The longest wait for another thread that posts a message.
    private static var patience: Duration { .seconds(2) }

    /// Creates a ledger.
    package init(_ contents: Contents) { state = Awaited(State(contents: contents)) }

    /// Returns what `body` returns for the contents.
    package func read<R: Sendable>(_ body: (Contents) -> R) -> R { state.withLock { body($0.contents) } }

    /// Whether the capture is over; its last messages may still be on their way.
    package var isOver: Bool { state.withLock(\.outbox.isOver) }

    /// Changes the contents and posts the messages of the change, unless another thread is posting: that one posts
    /// these, too. Returns what `change` returns; nil, without a change, if the capture is over. Must not be called
    /// under a lock.
    @discardableResult
    package func update<R: Sendable>(_ change: (inout Contents, inout CaptureOutbox) -> R) -> R? {
        let own = UInt(pthread_self())
        let (result, isPoster) = state.withLock { state -> (R?, Bool) in
            if state.outbox.isOver { return (nil, false) }
            let result = change(&state.contents, &state.outbox)
            let isPoster = state.poster == nil && !state.outbox.messages.isEmpty
            if isPoster { state.poster = own }
            return (result, isPoster)
        }
        if isPoster { postAll(own) }
        return result
    }

    /// Posts what waits, also in place of another thread that is posting: a bus discards the messages of elements that
    /// have stopped. Waits for that thread first, but not for long, since its handler may wait for the stop.
    package func flush() {
        let own = UInt(pthread_self())
        _ = state.wait(until: clock.now + Self.patience, by: clock) { state in
            state.poster == nil || state.poster == own ? true : nil
        }
        postAll(own)
    }

    private func postAll(_ own: UInt) {
        while let post = state.change({ Self.next(&$0, own) }) { post() }
    }

    private static func next(_ state: inout State, _ own: UInt) -> CaptureOutbox.Post? {
        guard state.outbox.messages.isEmpty else { return state.outbox.messages.removeFirst() }
        if state.poster == own { state.poster = nil }
        return nil
    }
}

/// The messages of a capture that are still to be posted.
package struct CaptureOutbox: Sendable {
    /// A function that posts a message.
    package typealias Post = @Sendable () -> Void

    fileprivate var messages: [Post] = []
    /// Whether the last message was added; later ones are discarded.
    package private(set) var isOver = false

    /// Adds a message.
    package mutating func add(_ post: @escaping Post) {
        if !isOver { messages.append(post) }
    }

    /// Adds the last message, and what follows its posting.
    package mutating func end(with last: @escaping Post, posted: Post? = nil) {
        add(last)
        if let posted { add(posted) }
        isOver = true
    }
}
