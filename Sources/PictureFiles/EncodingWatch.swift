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

    /// Throws when nobody wants the result any more.
    package func check() throws(PictureFileError) {
        if isCancelled { throw PictureFileError(.cancelled, "the encoding was cancelled") }
    }
}

/// Codes bands of rows on all cores and returns what became of each, in order; a row is a step of the watch.
package func codedBands<Coded: Sendable, Failure: Error>(
    rows: Int, of height: Int, watch: EncodingWatch? = nil, _ code: (Range<Int>) throws(Failure) -> Coded
) throws(Failure) -> [Coded] {
    let finished = Mutex([Coded?](repeating: nil, count: (rows + height - 1) / height))
    let failure = Mutex<Failure?>(nil)
    concurrentBands(rows: rows, of: height) { band in
        if watch?.isCancelled == true { return }
        do throws(Failure) {
            let coded = try code(band)
            finished.withLock { $0[band.lowerBound / height] = coded }
            watch?.finish(steps: band.count)
        } catch {
            failure.withLock { $0 = error }
        }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return finished.withLock { $0 }.compactMap(\.self)
}
