internal import Glibc
package import PixelMemory

// Arrays for whole images: page faults on fresh memory cost more time than computing the values, so these arrays
// request transparent huge pages and are first written on all cores.

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
    package init(largeCopyOf source: MemoryView<Element>, cores: Int? = nil) {
        self = Array(fillingLarge: source.bounds.count) { target in
            // The ranges are disjoint.
            concurrentBands(rows: source.bounds.count, of: 1 << 20, cores: cores) { range in
                (target + range.lowerBound).update(from: source + range.lowerBound, count: range.count)
            }
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
