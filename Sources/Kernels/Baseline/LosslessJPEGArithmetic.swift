// What lossless JPEG's encoding and decoding share.

/// What the standard's predictor 1 to 7 expects between the samples to the left, above, and left of above.
@inline(__always) func prediction(_ left: UInt16, _ above: UInt16, _ diagonal: UInt16, predictor: Int) -> UInt16 {
    let (a, b, c) = (Int32(left), Int32(above), Int32(diagonal))
    return switch predictor {
    case 1: left
    case 2: above
    case 3: diagonal
    case 4: left &+ above &- diagonal
    case 5: left &+ UInt16(truncatingIfNeeded: (b &- c) >> 1)
    case 6: above &+ UInt16(truncatingIfNeeded: (a &- c) >> 1)
    default: UInt16(truncatingIfNeeded: (a &+ b) >> 1)
    }
}

/// Not zero if a byte of `word` is 255; its lowest set bit is then the highest bit of the first such byte.
@inline(__always) func fullBytes(_ word: UInt64) -> UInt64 {
    (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080
}
