internal import Dispatch
internal import RawImage
internal import Synchronization

/// Tells how far an encoding is and hears whether it is still wanted. *Thread-safe.*
package final class EncodingWatch: Sendable {
    private struct State {
        var done = 0
        var isCancelled = false
    }

    private let total: Int
    private let report: (@Sendable (Double) -> Bool)?
    private let state = Mutex(State())

    /// A watch over work of so many steps.
    package init(steps total: Int, report: (@Sendable (Double) -> Bool)?) {
        self.total = max(1, total)
        self.report = report
    }

    /// Whether nobody wants the result any more.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Tells that steps were done. Reports come one at a time and never fall.
    package func finish(steps: Int) {
        guard let report else { return }
        state.withLock { state in
            state.done += steps
            if !state.isCancelled { state.isCancelled = !report(min(1, Double(state.done) / Double(total))) }
        }
    }

    /// Runs a library's work, which tells nothing of itself and cannot be stopped, and goes on asking meanwhile whether it is
    /// still wanted. Nobody waits for work that is not.
    package func attend<Made: Sendable>(
        _ work: @escaping @Sendable () throws(PictureFileError) -> Made
    ) throws(PictureFileError) -> Made {
        guard report != nil else { return try work() }
        let outcome = Outcome<Made>()
        DispatchQueue(label: "gscap.encoding").async { outcome.set(Result(catching: work)) }
        while true {
            if let result = outcome.wait(milliseconds: 50) { return try result.get() }
            finish(steps: 0)
            try check()
        }
    }

    /// Throws when nobody wants the result any more.
    package func check() throws(PictureFileError) {
        if isCancelled { throw PictureFileError(.cancelled, "the encoding was cancelled") }
    }
}

/// Codes bands of rows on all cores and returns what became of each, in order; a row is a step of the watch.
package func codedBands<Coded: Sendable, Failure: Error>(
    rows: Int, of height: Int, watch: EncodingWatch? = nil, _ code: (Range<Int>) throws(Failure) -> Coded
) throws(Failure) -> [Coded] {
    try codedBands((0..<rows).parts(of: height)) { band throws(Failure) in
        if watch?.isCancelled == true { return nil }
        let coded = try code(band)
        watch?.finish(steps: band.count)
        return coded
    }
}

/// Codes some bands on all cores and returns what became of each, in order.
package func codedBands<Coded: Sendable, Failure: Error>(
    _ bands: [Range<Int>], _ code: (Range<Int>) throws(Failure) -> Coded?
) throws(Failure) -> [Coded] {
    let finished = Mutex([Coded?](repeating: nil, count: bands.count))
    let failure = Mutex<Failure?>(nil)
    concurrently(bands.count) { index in
        do throws(Failure) {
            let coded = try code(bands[index])
            finished.withLock { $0[index] = coded }
        } catch {
            failure.withLock { $0 = error }
        }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return finished.withLock { $0 }.compactMap(\.self)
}

/// What becomes of work on another thread.
private final class Outcome<Made: Sendable>: Sendable {
    private let result = Mutex<Result<Made, PictureFileError>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ result: Result<Made, PictureFileError>) {
        self.result.withLock { $0 = result }
        isThere.signal()
    }

    /// The result once it is there; nil when it is not within this time.
    func wait(milliseconds: Int) -> Result<Made, PictureFileError>? {
        _ = isThere.wait(timeout: .now() + .milliseconds(milliseconds))
        return result.withLock { $0 }
    }
}
