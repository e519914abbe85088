internal import KernelsBaseline
internal import KernelsV3

/// The differences of a row's samples to their prediction. Gives the bits that were seen set in any sample.
///
/// The first pixel is predicted from `above`, which is the row above or, on the first row, a pixel of mid grey; only
/// predictor 1 may be used there. `predictor` is the standard's number, 1 to 7.
package func predictionDifferences(
    _ row: UnsafePointer<UInt16>, _ above: UnsafePointer<UInt16>, _ target: UnsafeMutablePointer<UInt16>, _ count: Int,
    step: Int, predictor: Int
) -> UInt16 {
    hasWideVectors
        ? KernelsV3.predictionDifferences(row, above, target, count, step: step, predictor: predictor)
        : KernelsBaseline.predictionDifferences(row, above, target, count, step: step, predictor: predictor)
}

/// Continues a row from `present` to `count` samples with what `predictor` expects, so that the rest costs no bits.
///
/// `above` is as for `predictionDifferences`. The samples stay between 0 and `limit`, as any reader may demand.
package func continueRow(
    _ row: UnsafeMutablePointer<UInt16>, _ above: UnsafePointer<UInt16>, present: Int, _ count: Int, step: Int,
    predictor: Int, limit: UInt16
) {
    hasWideVectors
        ? KernelsV3.continueRow(row, above, present: present, count, step: step, predictor: predictor, limit: limit)
        : KernelsBaseline.continueRow(
            row, above, present: present, count, step: step, predictor: predictor, limit: limit)
}

/// Adds to `totals[k]`, k from 1 to 16, how many differences need k bits or more. The differences are lost.
///
/// Comparing all with one power of two after the other is quick because a vector does many at once; a histogram is not.
package func countMagnitudes(
    _ differences: UnsafeMutablePointer<UInt16>, _ count: Int, _ totals: UnsafeMutablePointer<Int>
) {
    hasWideVectors
        ? KernelsV3.countMagnitudes(differences, count, totals)
        : KernelsBaseline.countMagnitudes(differences, count, totals)
}

/// Fills in what is written for each difference of `category` bits: value << 6 | number of bits, at `center[difference]`.
package func fillCategory(_ center: UnsafeMutablePointer<UInt32>, category: Int, code: UInt32, length: UInt32) {
    hasWideVectors
        ? KernelsV3.fillCategory(center, category: category, code: code, length: length)
        : KernelsBaseline.fillCategory(center, category: category, code: code, length: length)
}

/// Writes the codes of differences, without stuffing, and gives the number of whole bytes written.
///
/// `center` is as `fillCategory` left it, no code longer than 26 bits. `pending` holds the bits that do not fill a byte,
/// and in its second element their number. `target` has room for 4 bytes a difference and 8 more.
package func packDifferences(
    _ differences: UnsafePointer<UInt16>, _ count: Int, _ center: UnsafePointer<UInt32>,
    _ pending: UnsafeMutablePointer<UInt64>, _ target: UnsafeMutablePointer<UInt8>
) -> Int {
    hasWideVectors
        ? KernelsV3.packDifferences(differences, count, center, pending, target)
        : KernelsBaseline.packDifferences(differences, count, center, pending, target)
}

/// Copies bytes with a zero after each 255, so that none looks like a marker. Gives the number of bytes written.
///
/// `target` has room for 2 bytes a byte and 8 more.
package func stuffBytes(_ source: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt8>) -> Int {
    hasWideVectors
        ? KernelsV3.stuffBytes(source, count, target)
        : KernelsBaseline.stuffBytes(source, count, target)
}
