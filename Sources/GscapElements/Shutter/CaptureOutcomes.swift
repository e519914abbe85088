internal import Synchronization
package import Waiting

/// The photos that elements have made or failed to make for the captures under way in this process, by ticket.
///
/// The shutter opens an entry when it pushes a burst and closes it when the burst's photos have passed every branch; in
/// between the elements behind it record what they did. *Thread-safe.*
package enum CaptureOutcomes {
    private struct Outcome {
        var photos = 0
        var failures = 0
        var firstFailure: String?
        /// When the last message of the capture was posted, or the entry was opened.
        var lastReport: WaitClock.Instant
        let clock: WaitClock
    }

    private struct State {
        var outcomes: [UInt64: Outcome] = [:]
        /// The captures that a stop or flush ended, the last ones, oldest first. Elements that it interrupts may report
        /// the failure of a photo soon after it.
        var closed: [UInt64] = []
        /// The number of threads that post a message of a capture.
        var posting: [UInt64: Int] = [:]
        /// For captures that have ended, the functions to call when no thread posts a message of them any more.
        var ends: [UInt64: @Sendable () -> Void] = [:]
    }

    private static let state = Mutex(State())
    private static let closedCount = 64

    /// When an element last reported a step of a capture under way; nil for an unknown capture.
    package static func lastReport(of id: UInt64) -> WaitClock.Instant? {
        state.withLock { $0.outcomes[id]?.lastReport }
    }

    /// Opens the entry of a capture whose limits are measured by `clock`.
    package static func open(_ id: UInt64, _ clock: WaitClock = .current) {
        state.withLock { state in
            state.outcomes[id] = Outcome(lastReport: clock.now, clock: clock)
            state.closed.removeAll { $0 == id }
        }
    }

    /// Records that a photo was made: by an encoder, or by a sink that takes pixels without an encoder. Calls `post`,
    /// which posts a message about it, as `report` does.
    package static func recordPhoto(of id: UInt64, _ post: () -> Void = {}) {
        report(on: id, { $0.photos += 1 }, post)
    }

    /// Records that a photo failed. Calls `post`, which posts a message about it, as `report` does.
    static func record(failure: String, of id: UInt64, _ post: () -> Void) {
        report(
            on: id,
            { outcome in
                outcome.failures += 1
                outcome.firstFailure = outcome.firstFailure ?? failure
            }, post)
    }

    /// Calls `post`, which posts a message of a capture, unless a stop or flush has ended the capture: `done` is its
    /// last message.
    static func report(on id: UInt64, _ post: () -> Void) { report(on: id, { _ in }, post) }

    private static func report(on id: UInt64, _ change: (inout Outcome) -> Void, _ post: () -> Void) {
        let isOpen = state.withLock { state in
            if state.closed.contains(id) { return false }
            if var outcome = state.outcomes[id] {
                change(&outcome)
                outcome.lastReport = outcome.clock.now
                state.outcomes[id] = outcome
            }
            state.posting[id, default: 0] += 1
            return true
        }
        guard isOpen else { return }
        post()
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            let others = (state.posting[id] ?? 1) - 1
            state.posting[id] = others > 0 ? others : nil
            return others > 0 ? nil : state.ends.removeValue(forKey: id)
        }
        end?()
    }

    /// Calls `end`, which posts `done`, when no thread posts a message of the closed capture any more: now, or on the
    /// last of these threads.
    static func afterReports(on id: UInt64, _ end: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            if state.posting[id] == nil { return true }
            state.ends[id] = end
            return false
        }
        if isNow { end() }
    }

    /// Calls what `afterReports` still holds back. A shutter that stops calls this: the elements behind it have
    /// stopped, except a thread whose message makes an application stop the pipeline, which would wait for itself.
    static func endAll() {
        let ends = state.withLock { state in
            defer { state.ends = [:] }
            return state.ends.values.map(\.self)
        }
        for end in ends { end() }
    }

    /// Closes the entry of a capture and returns how the capture ended. Photos of encoders that record nothing, such as
    /// GStreamer's own, count as made, unless a stop or flush, `interruption`, may have dropped their frames.
    @discardableResult
    package static func close(
        _ id: UInt64, interruption: String?
    ) -> (result: CaptureResult, reason: String) {
        let found = state.withLock { state -> Outcome? in
            guard let outcome = state.outcomes.removeValue(forKey: id) else { return nil }
            if interruption != nil { state.closed = state.closed.suffix(closedCount - 1) + [id] }
            return outcome
        }
        guard let outcome = found else { return (.succeeded, "") }
        if let interruption, outcome.photos == 0 { return (.cancelled, outcome.firstFailure ?? interruption) }
        if let interruption, outcome.failures == 0 { return (.partial, interruption) }
        if outcome.failures == 0 { return (.succeeded, "") }
        return (outcome.photos > 0 ? .partial : .failed, outcome.firstFailure ?? "")
    }
}
