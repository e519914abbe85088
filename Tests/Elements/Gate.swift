import Dispatch
import Testing

/// Lets threads wait until it is open.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Far longer than anything takes, also on a busy machine: only a hang reaches it.
    private static let limit = DispatchTimeInterval.seconds(120)

    func open() { semaphore.signal() }

    /// Waits for the gate to open. After the limit it records an issue and goes on, so that a hang fails one test and
    /// does not hold up the others.
    func wait(sourceLocation: SourceLocation = #_sourceLocation) {
        if semaphore.wait(timeout: .now() + Self.limit) == .timedOut {
            Issue.record("the gate did not open within \(Self.limit)", sourceLocation: sourceLocation)
        }
        // It stays open.
        semaphore.signal()
    }
}
