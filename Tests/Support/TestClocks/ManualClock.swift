package import Dispatch
private import Synchronization
package import Waiting

/// A clock that stands still until a test advances it.
///
///     alarm set ──the clock is advanced to its time──► called on its queue ──returned──► the clock goes on
///
/// *Thread-safe.*
package final class ManualClock: TimeSource {
    private struct Entry {
        let due: WaitClock.Instant
        let queue: DispatchQueue
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = WaitClock.Instant(nanoseconds: 1_000_000_000)
        var entries: [Int: Entry] = [:]
        var count = 0

        /// Removes and returns the earliest entry that is due at `end`, and sets the clock to its time.
        mutating func next(until end: WaitClock.Instant) -> Entry? {
            let first = entries.filter { $0.value.due <= end }.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let (key, entry) = first else { return nil }
            entries[key] = nil
            now = max(now, entry.due)
            return entry
        }
    }

    private let state = Awaited(State())

    /// Creates a clock.
    package init() {}

    /// The clock for the code under test.
    package var clock: WaitClock { WaitClock(self) }

    package var now: WaitClock.Instant { state.withLock(\.now) }

    /// Calls `body`, whose objects use this clock.
    package func drive<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        try await WaitClock.$current.withValue(clock, operation: body)
    }

    /// Advances the clock. Calls what is due by then in the order of time, and waits for the end of each call.
    package func advance(by duration: Duration) async {
        let end = now + duration
        while let entry = state.withLock({ $0.next(until: end) }) {
            await withCheckedContinuation { continuation in
                entry.queue.async {
                    entry.body()
                    continuation.resume()
                }
            }
        }
        state.change { $0.now = max($0.now, end) }
    }

    /// Waits until at least this many alarms are set or threads wait, for a minute of the machine's time at most.
    /// Returns whether that happened.
    package func hasWaiters(_ count: Int = 1) async -> Bool {
        await holds { $0.entries.count >= count }
    }

    /// Waits until something is due after exactly this time, for a minute of the machine's time at most. Returns
    /// whether that happened.
    package func isAwaited(in duration: Duration) async -> Bool {
        await holds { state in state.entries.values.contains { $0.due == state.now + duration } }
    }

    private func holds(_ condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        await WaitClock.machine.result(on: DispatchQueue(label: "manual-clock"), within: .seconds(70)) { [state] in
            let limit = WaitClock.machine.now + .seconds(60)
            return state.wait(until: limit, by: .machine) { condition($0) ? true : nil } ?? false
        } ?? false
    }

    /// The number of alarms set and of threads that wait until a time.
    package var waiters: Int { state.withLock { $0.entries.count } }

    package func schedule(
        at due: WaitClock.Instant, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let key = state.change { state in
            let isOver = due <= state.now
            state.count += 1
            if !isOver { state.entries[state.count] = Entry(due: due, queue: queue, body: body) }
            return isOver ? nil : state.count
        }
        guard let key else {
            queue.async(execute: body)
            return {}
        }
        return { [state] in _ = state.change { $0.entries.removeValue(forKey: key) } }
    }

    package func wait(for semaphore: DispatchSemaphore, until deadline: WaitClock.Instant) -> Bool {
        let isOver = AtomicFlag()
        let cancel = schedule(at: deadline, on: .global()) {
            isOver.raise()
            semaphore.signal()
        }
        semaphore.wait()
        cancel()
        return !isOver.isRaised
    }
}
