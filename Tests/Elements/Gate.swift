import Dispatch
import TestClocks
import Testing

/// A gate that blocks threads until another thread opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// The longest wait: far longer than any step takes, even on a busy machine, so that only a hang exceeds it.
    private static let limit = Duration.seconds(120)

    func open() { semaphore.signal() }

    var isOpen: Bool {
        guard semaphore.isSignalled(within: .zero) else { return false }
        semaphore.signal()
        return true
    }

    /// Waits until the gate is open. After the limit this records an issue and returns, so that a hang fails one test
    /// and does not block the others.
    func wait(sourceLocation: SourceLocation = #_sourceLocation) {
        if !semaphore.isSignalled(within: Self.limit) {
            Issue.record("the gate did not open within \(Self.limit)", sourceLocation: sourceLocation)
        }
        // The gate stays open for other waiting threads.
        semaphore.signal()
    }
}
