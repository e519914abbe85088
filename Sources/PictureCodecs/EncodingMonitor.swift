internal import RawImage
internal import Synchronization

/// Reports the progress of an encoding to a callback, which cancels the encoding by returning false. *Thread-safe.*
package final class EncodingMonitor: Sendable {
    private struct State {
        var done = 0
        var isCancelled = false
    }

    private let total: Int
    private let report: (@Sendable (Double) -> Bool)?
    private let state = Mutex(State())

    /// Creates a monitor of `total` steps of work; `report` receives the finished fraction, 0…1, and returns false to
    /// cancel.
    package init(steps total: Int, report: (@Sendable (Double) -> Bool)?) {
        self.total = max(1, total)
        self.report = report
    }

    /// Whether the encoding has a progress callback, which may cancel it.
    package var canCancel: Bool { report != nil }

    /// Whether the progress callback cancelled the encoding.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Counts `steps` more steps as finished and reports the finished fraction. The calls of the callback do not
    /// overlap, and the fraction never decreases.
    package func finish(steps: Int) {
        guard let report else { return }
        state.withLock { state in
            state.done += steps
            if !state.isCancelled { state.isCancelled = !report(min(1, Double(state.done) / Double(total))) }
        }
    }
}

/// Calls `encode` for each band of `height` rows, on all cores, and returns the results in the order of the bands. Each
/// row is a step of `monitor`; bands after a cancellation are omitted.
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

/// Calls `encode` for each band, a range of rows, on all cores, and returns the results in the order of the bands
/// without the nil ones.
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
