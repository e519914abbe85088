internal import Glibc

// Arrays for whole images: page faults on fresh memory cost more time than computing the values, so these arrays
// request transparent huge pages and are first written on all cores.

/// The size of a transparent huge page on x86-64, 2 MiB.
let largePage = 1 << 21

/// Advises the kernel to back `memory` with huge pages. This is only an optimisation, so a failure is ignored.
package func preferLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    let page = Int(getpagesize())
    let start = unsafe memory.alignedUp(toMultipleOf: page)
    let count = unsafe (byteCount - (start - memory)) / page * page
    if count >= largePage { unsafe madvise(start, count, MADV_HUGEPAGE) }
}

extension Array where Element: BitwiseCopyable {
    /// Creates an array of `count` elements in huge pages; `fill` must initialise all of them.
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

    /// Creates an array of `count` elements in huge pages; `fill`, called on several cores at once, must initialise the
    /// range of elements that it receives.
    package init(
        large count: Int, cores: Int? = nil, inRanges fill: (Range<Int>, UnsafeMutablePointer<Element>) -> Void
    ) {
        self = unsafe Array(large: count) { base in
            // Safe: the ranges are disjoint, and all are written when concurrentBands returns.
            nonisolated(unsafe) let base = unsafe base
            concurrentBands(rows: count, of: 1 << 20, cores: cores) { range in unsafe fill(range, base) }
        }
    }

    /// Creates a copy of `source` in huge pages, on several cores at once.
    package init(largeCopyOf source: UnsafeBufferPointer<Element>, cores: Int? = nil) {
        // Safe: the source is only read, and the copy is complete when this initializer returns.
        nonisolated(unsafe) let start = source.baseAddress
        self = unsafe Array(large: source.count, cores: cores) { range, target in
            guard let start = unsafe start else { return }
            unsafe memcpy(
                target + range.lowerBound, start + range.lowerBound, range.count * MemoryLayout<Element>.stride)
        }
    }
}

extension Array where Element: FixedWidthInteger & BitwiseCopyable {
    /// Returns `count` zeros in huge pages.
    package static func largeZeros(_ count: Int, cores: Int? = nil) -> Array {
        unsafe Array(large: count, cores: cores) { range, target in
            unsafe memset(target + range.lowerBound, 0, range.count * MemoryLayout<Element>.stride)
        }
    }
}
