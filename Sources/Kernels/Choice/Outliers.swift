internal import KernelsBaseline
internal import KernelsV3

/// Finds the pixels of a row that lie above all eight neighbours of their colour, or below, by more than noise allows: the
/// square of the distance exceeds `shot` times the neighbour's signal plus `read`.
///
/// Given are the rows two above, this one and two below; columns 2 to `count - 3` are looked at. Writes their columns, which
/// there must be room for `count` of, and gives how many there are.
package func findOutliers(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ count: Int,
    _ black: Float, _ shot: Float, _ read: Float, _ columns: UnsafeMutablePointer<Int32>
) -> Int {
    hasWideVectors
        ? KernelsV3.findOutliers(above, here, below, count, black, shot, read, columns)
        : KernelsBaseline.findOutliers(above, here, below, count, black, shot, read, columns)
}
