package import PictureCodecs
internal import RawImage
internal import Waiting

extension EncodingMonitor {
    /// Runs `work`, a library call that cannot be interrupted, and reports progress every 50 ms, because only the
    /// answer to a report cancels an encoding. After a cancellation the work continues on its own thread and its result
    /// is discarded.
    package func runCancellably<Value: Sendable>(
        _ work: @escaping @Sendable () throws(GscapError) -> Value
    ) throws(GscapError) -> Value {
        guard canCancel else { return try work() }
        let clock = WaitClock.machine
        let outcome = Awaited<Result<Value, GscapError>?>(nil)
        startBeside {
            let result = Result(catching: work)
            outcome.change { $0 = result }
        }
        while true {
            let result = outcome.wait(until: clock.now + .milliseconds(50), by: clock) { $0 }
            if let result { return try result.get() }
            finish(steps: 0)
            try check()
        }
    }

    /// Throws a `cancelled` error if the progress callback cancelled the encoding.
    func check() throws(GscapError) {
        if isCancelled { throw GscapError.cancellation }
    }
}
