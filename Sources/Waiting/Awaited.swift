internal import Dispatch
internal import Synchronization

/// A value behind a lock for whose changes threads can wait.
///
/// *Thread-safe.* The functions that it calls run under the lock.
package final class Awaited<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// Signalled at the next change; one for each thread that waits.
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Mutex<State>

    /// Creates a value.
    package init(_ value: Value) { state = Mutex(State(value: value)) }

    /// Returns what `body` returns for the value. Nobody may wait for what `body` changes.
    package func withLock<R: Sendable>(_ body: (inout Value) -> R) -> R { state.withLock { body(&$0.value) } }

    /// Changes the value, and wakes the threads that wait for a change; returns what `body` returns.
    @discardableResult
    package func change<R: Sendable>(_ body: (inout Value) -> R) -> R {
        let (result, waiting) = state.withLock { state in
            let result = body(&state.value)
            defer { state.waiting = [] }
            return (result, state.waiting)
        }
        for semaphore in waiting { semaphore.signal() }
        return result
    }

    /// Waits until `body` returns a result for the value, or until the deadline, if there is one; returns the result.
    package func wait<R: Sendable>(
        until deadline: WaitClock.Instant?, by clock: WaitClock, _ body: (inout Value) -> R?
    ) -> R? {
        if let found = withLock(body) { return found }
        let semaphore = DispatchSemaphore(value: 0)
        while true {
            let found = state.withLock { state in
                let result = body(&state.value)
                if result == nil { state.waiting.append(semaphore) }
                return result
            }
            if let found { return found }
            if clock.wait(for: semaphore, until: deadline) { continue }
            return state.withLock { state in
                state.waiting.removeAll { $0 === semaphore }
                return body(&state.value)
            }
        }
    }
}

/// An atomic Boolean flag for several threads. Its accesses do not order other memory accesses.
package final class AtomicFlag: Sendable {
    private let state = Atomic(false)

    /// Creates a flag that is clear.
    package init() {}

    /// Whether the flag is set.
    package var isRaised: Bool { state.load(ordering: .relaxed) }

    /// Sets the flag; returns whether it was clear before.
    @discardableResult
    package func raise() -> Bool { !state.exchange(true, ordering: .relaxed) }

    /// Clears the flag; returns whether it was set before.
    @discardableResult
    package func lower() -> Bool { state.exchange(false, ordering: .relaxed) }
}
