internal import KernelsBaseline
internal import KernelsV3

/// Marks the pixels of a row that lie above all eight neighbours of their colour, or below, by more than noise allows:
/// the square of the distance exceeds `shot` times the neighbour's signal plus `read`.
///
/// Given are the rows two above, this one and two below; columns 2 to `count - 3` are looked at. Marks are 1 or 0.
/// Gives how many there are.
package func markOutliers(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ count: Int,
    _ black: Float, _ shot: Float, _ read: Float, _ marks: UnsafeMutablePointer<UInt8>
) -> Int {
    hasWideVectors
        ? KernelsV3.markOutliers(above, here, below, count, black, shot, read, marks)
        : KernelsBaseline.markOutliers(above, here, below, count, black, shot, read, marks)
}
