internal import Dispatch
package import PictureCodecs
internal import RawImage
internal import Synchronization

extension EncodingMonitor {
    /// Runs `work`, a library call that cannot be interrupted, and polls for cancellation every 50 ms. After a
    /// cancellation the work continues on its own thread and its result is discarded.
    package func runCancellably<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PictureFileError) -> Value
    ) throws(PictureFileError) -> Value {
        guard canCancel else { return try work() }
        let outcome = Outcome<Value>()
        startBeside { outcome.set(Result(catching: work)) }
        while true {
            if let result = outcome.wait(milliseconds: 50) { return try result.get() }
            finish(steps: 0)
            try check()
        }
    }

    /// Throws a `cancelled` error if the progress callback cancelled the encoding.
    func check() throws(PictureFileError) {
        if isCancelled { throw PictureFileError(.cancellation) }
    }
}

/// The result of work on another thread.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, PictureFileError>?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    func set(_ result: Result<Value, PictureFileError>) {
        self.result.withLock { $0 = result }
        isReady.signal()
    }

    /// Waits at most `milliseconds` for the work; returns its result, or nil if it has not finished.
    func wait(milliseconds: Int) -> Result<Value, PictureFileError>? {
        _ = isReady.wait(timeout: .now() + .milliseconds(milliseconds))
        return result.withLock { $0 }
    }
}
