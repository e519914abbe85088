internal import Dispatch

/// Runs work over bands of rows on several cores at once.
///
/// Bands are `height` rows each but for the last; `height` should be even for mosaics. `body` must be safe to run
/// for different bands at the same time. Returns when all are done.
public func concurrentBands(rows: Int, of height: Int, cores: Int? = nil, _ body: (Range<Int>) -> Void) {
    concurrently((rows + height - 1) / height, cores: cores) { band in
        body(band * height..<min(rows, (band + 1) * height))
    }
}

/// Runs work on several cores at once, that of each number below `count`; on this thread alone if `cores` is 1.
package func concurrently(_ count: Int, cores: Int? = nil, _ body: (Int) -> Void) {
    if count <= 1 || cores == 1 {
        for index in 0..<count { body(index) }
        return
    }
    withoutActuallyEscaping(body) { body in
        // Every call ends before concurrentPerform returns, and the caller promised that calls may overlap.
        nonisolated(unsafe) let body = body
        DispatchQueue.concurrentPerform(iterations: count) { index in unsafe body(index) }
    }
}

/// Bands for work that is best done in large ones, of whole units of rows. They get smaller towards the end, so that all cores
/// end together even if one is slower than the others or begins later.
package func shrinkingBands(rows: Int, unit: Int, cores: Int? = nil) -> [Range<Int>] {
    let cores = max(1, cores ?? Processors.count)
    var bands: [Range<Int>] = []
    var row = 0
    while row < rows {
        // Two thirds of what is left, in equal shares.
        let share = Double(rows - row) / (1.5 * Double(cores))
        let height = max(1, Int((share / Double(unit)).rounded())) * unit
        for _ in 0..<cores where row < rows {
            bands.append(row..<min(rows, row + height))
            row += height
        }
    }
    return bands
}

extension Range<Int> {
    /// The range in parts of a length, but for the last.
    package func parts(of length: Int) -> [Range<Int>] {
        stride(from: lowerBound, to: upperBound, by: length).map { $0..<Swift.min($0 + length, upperBound) }
    }
}
