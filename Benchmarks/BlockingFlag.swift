internal import Dispatch
internal import GStreamer
internal import Synchronization

/// Blocks a thread until another thread reports that the work ended, or its error.
final class BlockingFlag: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let failure = Mutex<GStreamerError?>(nil)

    func raise(_ error: GStreamerError?) {
        failure.withLock { $0 = $0 ?? error }
        semaphore.signal()
    }

    func wait() throws {
        semaphore.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
