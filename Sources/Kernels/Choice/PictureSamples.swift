internal import KernelsBaseline
internal import KernelsV3

/// Bytes of words, each the nearest.
package func bytes(ofWords words: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    hasWideVectors
        ? KernelsV3.bytes(ofWords: words, count: count, into: bytes)
        : KernelsBaseline.bytes(ofWords: words, count: count, into: bytes)
}

/// Bytes of halves of 0…1; what is beyond is held there.
package func bytes(ofHalves halves: UnsafePointer<UInt16>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
    hasWideVectors
        ? KernelsV3.bytes(ofHalves: halves, count: count, into: bytes)
        : KernelsBaseline.bytes(ofHalves: halves, count: count, into: bytes)
}

/// Codes of 0…`maximum` of bytes.
package func codes(
    ofBytes bytes: UnsafePointer<UInt8>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.codes(ofBytes: bytes, count: count, maximum: maximum, into: codes)
        : KernelsBaseline.codes(ofBytes: bytes, count: count, maximum: maximum, into: codes)
}

/// Codes of 0…`maximum` of words.
package func codes(
    ofWords words: UnsafePointer<UInt16>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.codes(ofWords: words, count: count, maximum: maximum, into: codes)
        : KernelsBaseline.codes(ofWords: words, count: count, maximum: maximum, into: codes)
}

/// Codes of 0…`maximum` of halves of 0…1; what is beyond is held there.
package func codes(
    ofHalves halves: UnsafePointer<UInt16>, count: Int, maximum: Float, into codes: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.codes(ofHalves: halves, count: count, maximum: maximum, into: codes)
        : KernelsBaseline.codes(ofHalves: halves, count: count, maximum: maximum, into: codes)
}

/// The numbers that halves are.
package func floats(ofHalves halves: UnsafePointer<UInt16>, count: Int, into floats: UnsafeMutablePointer<Float>) {
    hasWideVectors
        ? KernelsV3.floats(ofHalves: halves, count: count, into: floats)
        : KernelsBaseline.floats(ofHalves: halves, count: count, into: floats)
}
