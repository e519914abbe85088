package import Dispatch
internal import Synchronization

/// The clock of all waits, watches, deadlines and retries: the machine's, or one that a test advances.
///
/// An object stores `WaitClock.current` when it is created, since its work may run on threads that belong to no task.
/// No other file calls the functions of the system that wait for a time; `Tools/check waits` verifies that.
package struct WaitClock: Sendable {
    /// The clock of the objects that the current task creates.
    @TaskLocal package static var current = machine

    /// The machine's clock, for what is shared by the whole process.
    package static let machine = WaitClock(MachineTime())

    private let source: any TimeSource

    /// Creates a clock that measures the time of `source`.
    package init(_ source: any TimeSource) { self.source = source }

    /// The time now.
    package var now: Instant { source.now }

    // MARK: - Calls at a time

    /// Calls `body` on `queue` after `delay`, unless the alarm is cancelled before.
    @discardableResult
    package func alarm(
        after delay: Duration, on queue: DispatchQueue = .global(), _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        alarm(at: now + delay, on: queue, body)
    }

    /// Calls `body` on `queue` at a time, unless the alarm is cancelled before.
    @discardableResult
    package func alarm(
        at due: Instant, on queue: DispatchQueue = .global(), _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        alarm(on: queue, due: { due }, body)
    }

    /// Calls `body` on `queue` when the time that `due` returns is reached, unless the alarm is cancelled before. At
    /// that time `due` is called again, because a step of the work may have postponed it; nil cancels the alarm.
    @discardableResult
    package func alarm(
        on queue: DispatchQueue = .global(), due: @escaping @Sendable () -> Instant?,
        _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        let alarm = Alarm(source, queue, due, body)
        alarm.set()
        return alarm
    }

    // MARK: - Waits of tasks

    /// Waits until the deadline, or until the task is cancelled; returns whether it was not.
    @discardableResult
    package func sleep(until deadline: Instant) async -> Bool {
        let (end, continuation) = AsyncStream<Never>.makeStream()
        let alarm = alarm(at: deadline) { continuation.finish() }
        for await _ in end {}
        alarm.cancel()
        return !Task.isCancelled
    }

    /// Waits for a time, or until the task is cancelled; returns whether it was not.
    @discardableResult
    package func sleep(for duration: Duration) async -> Bool { await sleep(until: now + duration) }

    /// Runs `body` on a serial queue and returns its result; nil if the time that `due` returns is reached before, and
    /// then `late` receives the result.
    package func result<R: Sendable>(
        on queue: DispatchQueue, due: @escaping @Sendable () -> Instant?, _ body: @escaping @Sendable () -> R,
        late: @escaping @Sendable (R) -> Void = { _ in }
    ) async -> R? {
        await withCheckedContinuation { continuation in
            let isOver = AtomicFlag()
            let found = Mutex<R?>(nil)
            let limit = alarm(due: due) { if isOver.raise() { continuation.resume(returning: nil) } }
            queue.async {
                let result = body()
                found.withLock { $0 = result }
            }
            // In a second block: by then the first one is released, with its references, such as that to a pipeline
            // whose end lets the caller shut GStreamer down.
            queue.async {
                limit.cancel()
                guard let result = found.withLock({ $0.take() }) else { return }
                if isOver.raise() { continuation.resume(returning: result) } else { late(result) }
            }
        }
    }

    /// Runs `body` on a serial queue and returns its result; nil if that takes longer than `limit`, and then `late`
    /// receives the result.
    package func result<R: Sendable>(
        on queue: DispatchQueue, within limit: Duration, _ body: @escaping @Sendable () -> R,
        late: @escaping @Sendable (R) -> Void = { _ in }
    ) async -> R? {
        let due = now + limit
        return await result(on: queue, due: { due }, body, late: late)
    }

    // MARK: - Waits of threads

    /// Blocks the thread until the semaphore is signalled, or until the deadline, if there is one; returns whether it
    /// was signalled.
    @discardableResult
    package func wait(for semaphore: DispatchSemaphore, until deadline: Instant?) -> Bool {
        guard let deadline else {
            semaphore.wait()
            return true
        }
        return source.wait(for: semaphore, until: deadline)
    }

    /// Blocks the thread for a time.
    package func block(for duration: Duration) { wait(for: DispatchSemaphore(value: 0), until: now + duration) }
}

extension WaitClock {
    /// A time of a clock, in nanoseconds since the clock's start.
    package struct Instant: Comparable, Hashable, Sendable {
        /// The nanoseconds since the clock's start.
        package var nanoseconds: Int64

        /// Creates a time.
        package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

        /// Returns the time that is `duration` later, at most the latest time.
        package static func + (instant: Instant, duration: Duration) -> Instant {
            let (sum, overflows) = instant.nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
            return Instant(nanoseconds: overflows ? (duration < .zero ? .min : .max) : sum)
        }

        /// Returns the duration from the second time to the first.
        package static func - (one: Instant, other: Instant) -> Duration {
            .nanoseconds(one.nanoseconds) - .nanoseconds(other.nanoseconds)
        }

        /// Returns the order of two times.
        package static func < (one: Instant, other: Instant) -> Bool { one.nanoseconds < other.nanoseconds }
    }
}

extension Duration {
    /// The nanoseconds, at most those of 292 years.
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, exceeds) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflows || exceeds ? (seconds < 0 ? .min : .max) : sum
    }

    /// The seconds.
    package var inSeconds: Double { self / .seconds(1) }

    /// Returns a duration of `seconds`, at most 292 years; `Duration.seconds` would trap for a number that is no time.
    package static func clamped(seconds: Double) -> Duration {
        .nanoseconds(Int64(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min : .max))
    }
}

/// A source of the time, with the waits that depend on it.
package protocol TimeSource: Sendable {
    /// The time now.
    var now: WaitClock.Instant { get }

    /// Calls `body` once on `queue` at a time, or at once if it is over. Returns a function that cancels the call and
    /// releases `body`.
    func schedule(
        at due: WaitClock.Instant, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void

    /// Blocks the thread until the semaphore is signalled or the deadline is reached; returns whether it was signalled.
    func wait(for semaphore: DispatchSemaphore, until deadline: WaitClock.Instant) -> Bool
}

/// The machine's monotonic time.
private struct MachineTime: TimeSource {
    var now: WaitClock.Instant {
        WaitClock.Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    func schedule(
        at due: WaitClock.Instant, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // nonisolated(unsafe): Dispatch's functions may be called on any thread.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
        unsafe timer.schedule(deadline: DispatchTime(due))
        // The handler refers to the timer, which therefore lives until it is cancelled.
        unsafe timer.setEventHandler {
            unsafe timer.cancel()
            body()
        }
        unsafe timer.resume()
        return { unsafe timer.cancel() }
    }

    func wait(for semaphore: DispatchSemaphore, until deadline: WaitClock.Instant) -> Bool {
        semaphore.wait(timeout: DispatchTime(deadline)) == .success
    }
}

extension DispatchTime {
    fileprivate init(_ instant: WaitClock.Instant) {
        // For Dispatch, the number 0 is the present, and the largest one never comes.
        self =
            instant.nanoseconds == .max
            ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(max(1, instant.nanoseconds)))
    }
}

/// A planned call of a function.
///
///     set ──due──► postponed? ──no──► called
///      ▲  │             │yes
///      └──│─────────────┘
///         └──cancelled──► over
///
/// *Thread-safe.* Neither function is called under the lock.
package final class Alarm: Sendable {
    private struct Plan {
        var due: @Sendable () -> WaitClock.Instant?
        var body: @Sendable () -> Void
        var unset: (@Sendable () -> Void)?
    }

    private let source: any TimeSource
    private let queue: DispatchQueue
    /// The functions of the alarm; nil after the call, and after a cancellation.
    private let plan: Mutex<Plan?>

    fileprivate init(
        _ source: any TimeSource, _ queue: DispatchQueue, _ due: @escaping @Sendable () -> WaitClock.Instant?,
        _ body: @escaping @Sendable () -> Void
    ) {
        (self.source, self.queue) = (source, queue)
        plan = Mutex(Plan(due: due, body: body))
    }

    fileprivate func set() {
        guard let plan = plan.withLock({ $0 }) else { return }
        guard let due = plan.due() else { return cancel() }
        set(for: due)
    }

    private func set(for due: WaitClock.Instant) {
        // The timer refers to the alarm, which nobody else has to keep.
        let unset = source.schedule(at: due, on: queue) { self.ring() }
        let isCancelled = plan.withLock { plan in
            plan?.unset = unset
            return plan == nil
        }
        if isCancelled { unset() }
    }

    private func ring() {
        guard let due = plan.withLock({ $0 })?.due() else { return cancel() }
        if due > source.now { return set(for: due) }
        plan.withLock { $0.take() }?.body()
    }

    /// Cancels the call, unless it has begun, and releases the function.
    package func cancel() { plan.withLock { $0.take() }?.unset?() }
}
