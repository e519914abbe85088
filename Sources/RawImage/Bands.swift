internal import Dispatch

/// Runs `body` over bands of rows on several cores at once, and returns when all bands are done.
///
/// Each band has `height` rows, the last one possibly fewer. For mosaics `height` should be even, so that every band
/// starts at the same CFA phase. `body` must be safe to run concurrently for different bands. `cores: 1` runs on the
/// calling thread; any other value uses all cores, at the calling thread's priority (`PhotoPriority`).
public func concurrentBands(rows: Int, of height: Int, cores: Int? = nil, _ body: (Range<Int>) -> Void) {
    concurrently((rows + height - 1) / height, cores: cores) { band in
        body(band * height..<min(rows, (band + 1) * height))
    }
}

/// Calls `body` with every index in `0..<count` on several cores at once; on the calling thread if `cores` is 1.
package func concurrently(_ count: Int, cores: Int? = nil, _ body: (Int) -> Void) {
    if count <= 1 || cores == 1 {
        for index in 0..<count { body(index) }
        return
    }
    withoutActuallyEscaping(body) { body in
        // Safe: every call ends before this returns, and callers guarantee that calls may overlap.
        nonisolated(unsafe) let body = body
        if let threads = PhotoThreads.current {
            threads.performBands(count) { index in unsafe body(index) }
        } else {
            DispatchQueue.concurrentPerform(iterations: count) { index in unsafe body(index) }
        }
    }
}

/// Splits `rows` rows into bands that shrink towards the end, each a multiple of `unit` rows except the last.
///
/// Large bands keep the overhead low; the small last ones let all cores finish together even if one is slower or
/// starts later (guided self-scheduling).
package func shrinkingBands(rows: Int, unit: Int, cores: Int? = nil) -> [Range<Int>] {
    let cores = max(1, cores ?? Processors.count)
    var bands: [Range<Int>] = []
    var row = 0
    while row < rows {
        // The height of the next bands, one per core: together they take two thirds of the remaining rows.
        let rowsPerCore = Double(rows - row) / (1.5 * Double(cores))
        let height = max(1, Int((rowsPerCore / Double(unit)).rounded())) * unit
        for _ in 0..<cores where row < rows {
            bands.append(row..<min(rows, row + height))
            row += height
        }
    }
    return bands
}

extension Range<Int> {
    /// Splits the range into consecutive parts of `length` elements; the last part may be shorter.
    package func parts(of length: Int) -> [Range<Int>] {
        stride(from: lowerBound, to: upperBound, by: length).map { $0..<Swift.min($0 + length, upperBound) }
    }
}
