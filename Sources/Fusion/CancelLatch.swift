internal import Synchronization

/// Polls a cancellation callback from any thread and latches the first "yes": a half-finished tile must never be
/// resumed, even if the callback later returns false.
final class CancelLatch: Sendable {
    private let poll: @Sendable () -> Bool
    private let hasFired = Atomic(false)

    init(_ poll: @escaping @Sendable () -> Bool) {
        self.poll = poll
    }

    /// Whether the fusion must stop; once true, always true.
    var isCancelled: Bool {
        if hasFired.load(ordering: .relaxed) { return true }
        guard poll() else { return false }
        hasFired.store(true, ordering: .relaxed)
        return true
    }

    /// Throws a `cancelled` error if the fusion must stop.
    func check() throws(GscapError) {
        if isCancelled { throw GscapError(.cancelled, "the fusion was cancelled") }
    }
}
