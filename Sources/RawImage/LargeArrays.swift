internal import Glibc

// Memory for whole pictures is new for each, and getting it takes longer than one would think: a fresh page of the usual size
// costs more time than its numbers take to make. So it is asked for in large pages, and first touched on all cores.

/// The usual size of a large page.
let largePage = 1 << 21

/// Asks the system for large pages under memory that is about to be filled. A wish; where it is not granted all works the
/// same.
package func preferLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    let page = Int(getpagesize())
    let start = unsafe memory.alignedUp(toMultipleOf: page)
    let count = unsafe (byteCount - (start - memory)) / page * page
    if count >= largePage { unsafe madvise(start, count, MADV_HUGEPAGE) }
}

extension Array where Element: BitwiseCopyable {
    /// An array of numbers that `fill` writes, all of them.
    package init<Failure: Error>(
        large count: Int, _ fill: (UnsafeMutablePointer<Element>) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        self = unsafe Array(unsafeUninitializedCapacity: count) { buffer, filled in
            guard let base = buffer.baseAddress else { return }
            unsafe preferLargePages(base, byteCount: count * MemoryLayout<Element>.stride)
            do throws(Failure) {
                try unsafe fill(base)
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// An array of numbers that `fill` writes range by range, on several cores at once.
    package init(
        large count: Int, cores: Int? = nil, inRanges fill: (Range<Int>, UnsafeMutablePointer<Element>) -> Void
    ) {
        self = unsafe Array(large: count) { base in
            // Each range is written by one core alone, and all are when this returns.
            nonisolated(unsafe) let base = unsafe base
            concurrentBands(rows: count, of: 1 << 20, cores: cores) { range in unsafe fill(range, base) }
        }
    }

    /// A copy of numbers elsewhere.
    package init(largeCopyOf source: UnsafeBufferPointer<Element>, cores: Int? = nil) {
        // Nothing writes to them meanwhile.
        nonisolated(unsafe) let start = source.baseAddress
        self = unsafe Array(large: source.count, cores: cores) { range, target in
            guard let start = unsafe start else { return }
            unsafe memcpy(
                target + range.lowerBound, start + range.lowerBound, range.count * MemoryLayout<Element>.stride)
        }
    }
}

extension Array where Element: FixedWidthInteger & BitwiseCopyable {
    /// Zeros.
    package static func largeZeros(_ count: Int, cores: Int? = nil) -> Array {
        unsafe Array(large: count, cores: cores) { range, target in
            unsafe memset(target + range.lowerBound, 0, range.count * MemoryLayout<Element>.stride)
        }
    }
}
