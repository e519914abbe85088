internal import Synchronization

/// Asks whether to stop, from any thread, and remembers a yes: work left half done must not be taken up again.
final class CancelLatch: Sendable {
    private let ask: @Sendable () -> Bool
    private let wasAnsweredYes = Atomic(false)

    init(_ ask: @escaping @Sendable () -> Bool) {
        self.ask = ask
    }

    /// Whether to stop.
    var isCancelled: Bool {
        if wasAnsweredYes.load(ordering: .relaxed) { return true }
        guard ask() else { return false }
        wasAnsweredYes.store(true, ordering: .relaxed)
        return true
    }

    /// Throws when the work is to stop.
    func check() throws(FusionError) {
        if isCancelled { throw FusionError(.cancelled, "the fusion was cancelled") }
    }
}
