internal import Dispatch

/// Runs work over bands of rows on several cores at once.
///
/// Bands are `height` rows each but for the last; `height` should be even for mosaics. `body` must be safe to run
/// for different bands at the same time. Returns when all are done.
public func concurrentBands(rows: Int, of height: Int, cores: Int? = nil, _ body: (Range<Int>) -> Void) {
    let bands = (rows + height - 1) / height
    if bands <= 1 || cores == 1 {
        for band in 0..<bands { body(band * height..<min(rows, (band + 1) * height)) }
        return
    }
    withoutActuallyEscaping(body) { body in
        // Every call ends before concurrentPerform returns, and the caller promised that calls may overlap.
        nonisolated(unsafe) let body = body
        DispatchQueue.concurrentPerform(iterations: bands) { band in
            unsafe body(band * height..<min(rows, (band + 1) * height))
        }
    }
}
