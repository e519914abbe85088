internal import Glibc

/// A finished file in memory.
///
/// *Thread-safe*: the bytes never change.
@safe public final class TIFFData: @unchecked Sendable {
    // Sendable: the memory is immutable after init and freed once, by deinit.

    /// The file's size in bytes.
    public let count: Int
    /// The address of the first byte, valid during this object's lifetime; for passing the bytes to C without a copy.
    package let base: UnsafeMutableRawPointer

    /// Takes ownership of `count` bytes allocated by malloc.
    init(takingMalloced base: UnsafeMutableRawPointer, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    deinit {
        unsafe free(base)
    }

    /// Calls `body` with all bytes.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe UnsafeRawBufferPointer(start: base, count: count).bytes)
    }
}
