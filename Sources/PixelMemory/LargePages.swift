internal import Glibc

// Page faults on fresh memory cost more time than computing the values, so memory for whole images requests
// transparent huge pages.

/// The size in bytes of a transparent huge page on x86-64 and arm64, 2 MiB.
let largePage = 1 << 21

/// The size in bytes of a cache line, to which memory is aligned: a vector of 64 bytes in two lines takes almost
/// twice as long to load and store.
@usableFromInline let cacheLine = 64

/// Advises the operating system to back `memory` with huge pages. This is only an optimisation, so a failure is
/// ignored.
package func preferLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    let page = Int(getpagesize())
    let start = unsafe memory.alignedUp(toMultipleOf: page)
    let count = unsafe (byteCount - (start - memory)) / page * page
    if count >= largePage { unsafe madvise(start, count, MADV_HUGEPAGE) }
}
