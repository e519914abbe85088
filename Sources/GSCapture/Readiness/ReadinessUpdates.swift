internal import Dispatch
internal import Synchronization
internal import Waiting

/// The streams of readiness of an output or a coordinator, each with the newest value only.
///
/// Changes are reported by any thread. One thread at a time computes the readiness and yields it, so that the last
/// value yielded is never older than the last change:
///
///     idle ──a change──► computing ──no change meanwhile──► idle
///                          ▲    │
///                          └────┘ a change meanwhile: compute again
///
/// *Thread-safe.* Yielding to a stream never blocks or calls back, so it is done under the lock; computing is not.
final class ReadinessUpdates: Sendable {
    private struct Stream {
        let continuation: AsyncStream<CaptureReadiness>.Continuation
        var last: CaptureReadiness?
    }

    private struct State {
        var streams: [UInt64: Stream] = [:]
        var count: UInt64 = 0
        var isComputing = false
        var isStale = false
        /// The time of the next computation without a notice; nil if none is planned.
        var recheck: WaitClock.Instant?
    }

    private let state = Mutex(State())
    private let clock = WaitClock.current
    /// Computes the readiness, and the time in seconds after which it may change without a notice; nil if it does not.
    private let compute: @Sendable () -> (CaptureReadiness, recheck: Double?)

    /// The shortest time in seconds between two computations without a notice.
    private static let shortestRecheck = 0.02

    init(_ compute: @escaping @Sendable () -> (CaptureReadiness, recheck: Double?)) {
        self.compute = compute
    }

    deinit {
        for stream in state.withLock({ $0.streams }).values { stream.continuation.finish() }
    }

    /// Returns a stream of readiness: the current value first, then each change; the newest value replaces those that
    /// were not read.
    func stream() -> AsyncStream<CaptureReadiness> {
        let (stream, continuation) = AsyncStream<CaptureReadiness>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let key = state.withLock { state in
            state.count += 1
            state.streams[state.count] = Stream(continuation: continuation)
            return state.count
        }
        continuation.onTermination = { [weak self] _ in
            // On another thread, because a task that is cancelled calls this under the lock of its state. Returned, so
            // that the continuation is released without the lock.
            DispatchQueue.global().async { [weak self] in
                _ = self?.state.withLock { $0.streams.removeValue(forKey: key) }
            }
        }
        refresh()
        return stream
    }

    /// Computes the readiness after a change and yields it to the streams that have another. Must not be called under a
    /// lock.
    func refresh() {
        let isFirst = state.withLock { state in
            if state.streams.isEmpty { return false }
            state.isStale = true
            defer { state.isComputing = true }
            return !state.isComputing
        }
        guard isFirst else { return }
        while takeChange() {
            let (readiness, recheck) = compute()
            let due = recheck.map { clock.now + .clamped(seconds: max(Self.shortestRecheck, $0)) }
            let setsTimer = state.withLock { state in
                for key in state.streams.keys where state.streams[key]?.last != readiness {
                    state.streams[key]?.last = readiness
                    state.streams[key]?.continuation.yield(readiness)
                }
                guard let due, state.recheck.map({ due < $0 }) ?? true else { return false }
                state.recheck = due
                return true
            }
            if setsTimer, let due { refresh(at: due) }
        }
    }

    /// Returns whether there is a change to compute; otherwise ends the computation.
    private func takeChange() -> Bool {
        state.withLock { state in
            defer { state.isStale = false }
            state.isComputing = state.isStale
            return state.isStale
        }
    }

    private func refresh(at due: WaitClock.Instant) {
        clock.alarm(at: due) { [weak self] in
            guard let self else { return }
            // A later timer that an earlier one has replaced changes nothing.
            let isDue = state.withLock { state in
                guard state.recheck == due else { return false }
                state.recheck = nil
                return true
            }
            if isDue { refresh() }
        }
    }
}
