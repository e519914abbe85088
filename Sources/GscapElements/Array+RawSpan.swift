extension Array where Element == UInt8 {
    /// Calls `body` with the bytes. In place of `span.bytes`, which Swift 6.3 requires to be marked unsafe, while Swift
    /// 6.2 warns of the mark.
    package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe span.withUnsafeBytes { bytes throws(E) in try unsafe body(RawSpan(_unsafeBytes: bytes)) }
    }
}
