// What lossless JPEG's encoding and decoding share.

/// Half of a − b, rounded down, modulo 65536.
@inline(__always) func halfDifference(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (Int32(a) &- Int32(b)) >> 1)
}

/// The mean of two samples, rounded down.
@inline(__always) func mean(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(a) &+ UInt32(b)) >> 1)
}

/// Not zero if a byte of `word` is 255; its lowest set bit is then the highest bit of the first such byte.
@inline(__always) func fullBytes(_ word: UInt64) -> UInt64 {
    (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080
}
