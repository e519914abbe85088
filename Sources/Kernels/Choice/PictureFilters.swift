internal import KernelsBaseline
internal import KernelsV3

/// PNG's first filter: how far bytes are from those of the pixel before, `step` bytes back. Returns the sum of the sizes.
package func filterSub(
    _ row: UnsafePointer<UInt8>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt8>
) -> Int {
    hasWideVectors
        ? KernelsV3.filterSub(row, step: step, count: count, into: result)
        : KernelsBaseline.filterSub(row, step: step, count: count, into: result)
}

/// PNG's second filter: how far bytes are from those above. Returns the sum of the sizes.
package func filterUp(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, count: Int, into result: UnsafeMutablePointer<UInt8>
) -> Int {
    hasWideVectors
        ? KernelsV3.filterUp(row, above: above, count: count, into: result)
        : KernelsBaseline.filterUp(row, above: above, count: count, into: result)
}

/// PNG's fourth filter: how far bytes are from that of the left, upper and upper left one that fits best (Paeth). Returns the
/// sum of the sizes.
package func filterPaeth(
    _ row: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>, step: Int, count: Int,
    into result: UnsafeMutablePointer<UInt8>
) -> Int {
    hasWideVectors
        ? KernelsV3.filterPaeth(row, above: above, step: step, count: count, into: result)
        : KernelsBaseline.filterPaeth(row, above: above, step: step, count: count, into: result)
}

/// TIFF's predictor of bytes: how far each is from that `step` before.
package func differences(
    ofBytes row: UnsafePointer<UInt8>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    hasWideVectors
        ? KernelsV3.differences(ofBytes: row, step: step, count: count, into: result)
        : KernelsBaseline.differences(ofBytes: row, step: step, count: count, into: result)
}

/// TIFF's predictor of words.
package func differences(
    ofWords row: UnsafePointer<UInt16>, step: Int, count: Int, into result: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.differences(ofWords: row, step: step, count: count, into: result)
        : KernelsBaseline.differences(ofWords: row, step: step, count: count, into: result)
}

/// The high bytes of words, and behind them the low ones.
package func splitHighFirst(
    _ words: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    hasWideVectors
        ? KernelsV3.splitHighFirst(words, count: count, into: result)
        : KernelsBaseline.splitHighFirst(words, count: count, into: result)
}

/// The bytes at even places, behind them those at odd ones, each as its distance from the one before: OpenEXR's.
package func splitAndDiffer(
    _ words: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt8>
) {
    hasWideVectors
        ? KernelsV3.splitAndDiffer(words, count: count, into: result)
        : KernelsBaseline.splitAndDiffer(words, count: count, into: result)
}

/// One of three planes of pixels.
package func plane(
    _ place: Int, of pixels: UnsafePointer<UInt16>, count: Int, into result: UnsafeMutablePointer<UInt16>
) {
    hasWideVectors
        ? KernelsV3.plane(place, of: pixels, count: count, into: result)
        : KernelsBaseline.plane(place, of: pixels, count: count, into: result)
}
