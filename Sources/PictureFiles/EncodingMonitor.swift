internal import Dispatch
internal import RawImage
internal import Synchronization

/// Reports the progress of an encoding and polls for its cancellation. *Thread-safe.*
package final class EncodingMonitor: Sendable {
    private struct State {
        var done = 0
        var isCancelled = false
    }

    private let total: Int
    private let report: (@Sendable (Double) -> Bool)?
    private let state = Mutex(State())

    /// Creates a monitor over `total` steps of work.
    package init(steps total: Int, report: (@Sendable (Double) -> Bool)?) {
        self.total = max(1, total)
        self.report = report
    }

    /// Whether the encoding was cancelled.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Reports finished steps. Reports come one at a time and never decrease.
    package func finish(steps: Int) {
        guard let report else { return }
        state.withLock { state in
            state.done += steps
            if !state.isCancelled { state.isCancelled = !report(min(1, Double(state.done) / Double(total))) }
        }
    }

    /// Runs library work that cannot be interrupted, polling for cancellation every 50 ms. After a cancellation the
    /// work continues on its own thread and its result is discarded.
    package func runCancellably<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PictureFileError) -> Value
    ) throws(PictureFileError) -> Value {
        guard report != nil else { return try work() }
        let outcome = Outcome<Value>()
        DispatchQueue(label: "gscap.encoding").async { outcome.set(Result(catching: work)) }
        while true {
            if let result = outcome.wait(milliseconds: 50) { return try result.get() }
            finish(steps: 0)
            try check()
        }
    }

    /// Throws a `cancelled` error if the encoding was cancelled.
    package func check() throws(PictureFileError) {
        if isCancelled { throw PictureFileError(.cancelled, "the encoding was cancelled") }
    }
}

/// Encodes bands of `height` rows on all cores and returns the results in order; each row counts as a step of the
/// monitor.
package func encodedBands<Encoded: Sendable, Failure: Error>(
    rows: Int, of height: Int, monitor: EncodingMonitor? = nil, _ encode: (Range<Int>) throws(Failure) -> Encoded
) throws(Failure) -> [Encoded] {
    try encodedBands((0..<rows).parts(of: height)) { band throws(Failure) in
        if monitor?.isCancelled == true { return nil }
        let encoded = try encode(band)
        monitor?.finish(steps: band.count)
        return encoded
    }
}

/// Encodes bands of rows on all cores and returns the results in order.
package func encodedBands<Encoded: Sendable, Failure: Error>(
    _ bands: [Range<Int>], _ encode: (Range<Int>) throws(Failure) -> Encoded?
) throws(Failure) -> [Encoded] {
    let finished = Mutex([Encoded?](repeating: nil, count: bands.count))
    let failure = Mutex<Failure?>(nil)
    concurrently(bands.count) { index in
        do throws(Failure) {
            let encoded = try encode(bands[index])
            finished.withLock { $0[index] = encoded }
        } catch {
            failure.withLock { $0 = error }
        }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return finished.withLock { $0 }.compactMap(\.self)
}

/// The result of work on another thread.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, PictureFileError>?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    func set(_ result: Result<Value, PictureFileError>) {
        self.result.withLock { $0 = result }
        isReady.signal()
    }

    /// Waits for the result; nil if it is not available within the time.
    func wait(milliseconds: Int) -> Result<Value, PictureFileError>? {
        _ = isReady.wait(timeout: .now() + .milliseconds(milliseconds))
        return result.withLock { $0 }
    }
}
