import Dispatch

/// Lets threads wait until it is open.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() {
        semaphore.wait()
        // It stays open.
        semaphore.signal()
    }
}
