internal import FrameStream
internal import Synchronization
package import Waiting

/// The captures of a pipeline that are under way, in the order of the presses, and whether its camera delivers frames,
/// as far as readiness depends on them. How far a capture is stands in its ledger.
///
/// *Thread-safe.* Ledgers are read without the lock.
final class CaptureActivity: Sendable {
    private struct Entry {
        let id: UInt64
        let ledger: SessionCapture.Ledger
        let since: WaitClock.Instant
    }

    private struct State {
        var captures: [Entry] = []
        /// The time in seconds from the press to the end of a capture, as a running average; nil before the first.
        var duration: Double?
        var isInterrupted = false
    }

    /// The numbers of captures under way.
    struct Summary {
        /// The captures that are not finished.
        var unfinished = 0
        /// The captures whose frames are not all taken.
        var untaken = 0
        /// Whether the camera delivers no frames.
        var isInterrupted = false
    }

    private let state = Mutex(State())
    private let clock = WaitClock.current

    /// Adds a capture.
    func add(_ id: UInt64, _ ledger: SessionCapture.Ledger) {
        state.withLock { $0.captures.append(Entry(id: id, ledger: ledger, since: clock.now)) }
    }

    /// Removes a capture that has ended; `isTaken` says whether its frames were taken.
    func remove(_ id: UInt64, isTaken: Bool) {
        state.withLock { state in
            guard let index = state.captures.firstIndex(where: { $0.id == id }) else { return }
            let entry = state.captures.remove(at: index)
            guard isTaken else { return }
            let duration = (clock.now - entry.since).inSeconds
            state.duration = state.duration.map { (3 * $0 + duration) / 4 } ?? duration
        }
    }

    /// Records whether the camera has stopped to deliver frames.
    func setInterrupted(_ isInterrupted: Bool) {
        state.withLock { $0.isInterrupted = isInterrupted }
    }

    /// The captures that are not settled, in the order of the presses.
    private var unsettled: [Entry] { state.withLock(\.captures).filter { !$0.ledger.read(\.isSettled) } }

    /// The numbers of captures under way.
    var summary: Summary {
        let captures = unsettled
        return Summary(
            unfinished: captures.count, untaken: captures.count { !$0.ledger.read(\.isTaken) },
            isInterrupted: state.withLock(\.isInterrupted))
    }

    /// Returns the expected time in seconds until the captures before this one are finished; nil if they are.
    func timeUntilAlone(_ id: UInt64) -> Double? {
        let captures = unsettled
        guard let own = captures.firstIndex(where: { $0.id == id }), own > 0 else { return nil }
        let expected = state.withLock(\.duration) ?? 1
        let left = captures[..<own].map { expected - (clock.now - $0.since).inSeconds }.max() ?? 0
        return max(0.05, left)
    }
}

/// A notice without content that something has changed, from the pipeline to its photo output.
///
/// *Thread-safe.* The handler is called without a lock, on the thread that made the change.
package final class ChangeNotice: Sendable {
    /// The handler in a structure: each access to a bare closure in a `Mutex` would store it again inside another
    /// closure, so that memory and the depth of the call would grow with every notice.
    private struct Handler {
        var call: @Sendable () -> Void
    }

    private let handler = Mutex<Handler?>(nil)
    /// The notices of the tasks that wait.
    private let waiting = Mutex<[UInt64: AsyncStream<Void>.Continuation]>([:])
    private let count = Atomic<UInt64>(0)

    /// Creates a notice without a handler.
    package init() {}

    /// Sets the handler, or removes it.
    package func setHandler(_ handler: (@Sendable () -> Void)?) {
        let handler = handler.map { Handler(call: $0) }
        self.handler.withLock { $0 = handler }
    }

    /// Calls the handler. Must not be called under a lock.
    package func send() {
        handler.withLock { $0 }?.call()
        for continuation in waiting.withLock({ Array($0.values) }) { continuation.yield() }
    }

    /// Waits until `condition` holds, which is looked at now and after each notice, but not longer than until the time
    /// that `due` returns. Returns whether the condition holds.
    package func wait(
        by clock: WaitClock, due: @escaping @Sendable () -> WaitClock.Instant?, until condition: () -> Bool
    ) async -> Bool {
        let (notices, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let key = count.add(1, ordering: .relaxed).newValue
        waiting.withLock { $0[key] = continuation }
        let limit = clock.alarm(due: due) { continuation.finish() }
        defer {
            limit.cancel()
            _ = waiting.withLock { $0.removeValue(forKey: key) }
        }
        continuation.yield()
        for await _ in notices where condition() { return true }
        return condition()
    }
}
