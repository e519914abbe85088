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

/// Reads a row of pixels, each a sample of 1 to 4 components, which is their number `step`.
///
/// The first pixel is predicted from `above`, which is the row above or, where that may not be used, a pixel of mid grey; only
/// predictor 1 may be used there. `tables` has one table for each component. Gives the position behind the row, or −1 if
/// the bits are no code.
package func decodeRow(
    _ bytes: UnsafePointer<UInt8>, _ position: Int, _ tables: UnsafePointer<UnsafePointer<UInt32>>,
    _ above: UnsafePointer<UInt16>, _ row: UnsafeMutablePointer<UInt16>, pixels: Int, step: Int, predictor: Int
) -> Int {
    hasWideVectors
        ? KernelsV3.decodeRow(
            bytes, position, tables, above, row, pixels: pixels, step: step, predictor: predictor)
        : KernelsBaseline.decodeRow(
            bytes, position, tables, above, row, pixels: pixels, step: step, predictor: predictor)
}

/// Multiplies samples by a power of two: the standard's point transform.
package func scaleRow(_ row: UnsafeMutablePointer<UInt16>, _ count: Int, bits: UInt16) {
    hasWideVectors
        ? KernelsV3.scaleRow(row, count, bits: bits)
        : KernelsBaseline.scaleRow(row, count, bits: bits)
}
