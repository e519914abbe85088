// Helpers of both the encoder and the decoder of lossless JPEG (ITU-T T.81, process 14).

/// Returns the prediction by predictor 1 to 7 (T.81 table H.1) from the samples to the left, above, and diagonally
/// above left, modulo 65536.
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

/// Returns a word whose lowest set bit is the top bit of the lowest-order byte of `word` that is 255; 0 if no byte is
/// 255.
@inline(__always) func fullBytes(_ word: UInt64) -> UInt64 {
    (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080
}
