internal import KernelsBaseline
internal import KernelsV3

/// Copies entropy-coded bytes without the stuffed zeros, up to a marker or the end.
///
/// `target` has room for 8 bytes more than `count`. Gives the bytes read, which end before the marker, and those written.
package func unstuffBytes(_ source: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) -> (
    read: Int, written: Int
) {
    hasWideVectors
        ? KernelsV3.unstuffBytes(source, count, target)
        : KernelsBaseline.unstuffBytes(source, count, target)
}

/// Reads a row whose samples are each predicted by their left neighbour, predictor 1.
///
/// The first pixel's prediction is in `above`. `tables` has one table for each of the `step` components, 1 to 4. Gives the
/// position behind the row, or −1 if the bits are no code.
package func decodeRow(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, pixels: Int, step: Int
) -> Int {
    hasWideVectors
        ? KernelsV3.decodeRow(bytes, position, tables, above, row, pixels: pixels, step: step)
        : KernelsBaseline.decodeRow(bytes, position, tables, above, row, pixels: pixels, step: step)
}

/// Reads the differences of a row, for `addPredictions`, but for the first pixel, which is complete.
package func decodeDifferences(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, pixels: Int, step: Int
) -> Int {
    hasWideVectors
        ? KernelsV3.decodeDifferences(bytes, position, tables, above, row, pixels: pixels, step: step)
        : KernelsBaseline.decodeDifferences(bytes, position, tables, above, row, pixels: pixels, step: step)
}

/// Turns a row of differences into samples; its first pixel is complete. `predictor` is 2 to 7.
package func addPredictions(
    _ row: UnsafeMutablePointer<UInt16>, _ above: UnsafePointer<UInt16>, _ count: Int, step: Int, predictor: Int
) {
    hasWideVectors
        ? KernelsV3.addPredictions(row, above, count, step: step, predictor: predictor)
        : KernelsBaseline.addPredictions(row, above, count, step: step, predictor: predictor)
}

/// Multiplies samples by a power of two: the standard's point transform.
package func scaleRow(_ row: UnsafeMutablePointer<UInt16>, _ count: Int, bits: UInt16) {
    hasWideVectors
        ? KernelsV3.scaleRow(row, count, bits: bits)
        : KernelsBaseline.scaleRow(row, count, bits: bits)
}
