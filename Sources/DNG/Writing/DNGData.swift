internal import Glibc

/// A finished DNG file in memory.
///
/// *Thread-safe*: the bytes never change.
@safe public final class DNGData: @unchecked Sendable {
    // Sendable: the memory is only read after init and freed once, when the last reference goes.

    /// How many bytes the file has.
    public let count: Int
    /// The bytes, alive as long as this object; for those who pass them on to C without a copy.
    package let base: UnsafeMutableRawPointer

    /// Takes over `count` bytes that malloc gave.
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
