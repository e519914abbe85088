// Pixels that stand out of a mosaic.

/// Marks the pixels of a row that lie above all eight neighbours of their colour, or below, by more than noise allows:
/// the square of the distance exceeds `shot` times the neighbour's signal plus `read`.
///
/// Given are the rows two above, this one and two below; columns 2 to `count - 3` are looked at. Marks are 1 or 0.
/// Gives how many there are.
package func markOutliers(
    _ above: UnsafePointer<UInt16>, _ here: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ count: Int,
    _ black: Float, _ shot: Float, _ read: Float, _ marks: UnsafeMutablePointer<UInt8>
) -> Int {
    var found: Int32 = 0
    for column in 2..<max(2, count &- 2) {
        let (left, right) = (column &- 2, column &+ 2)
        let highest = max(
            max(max(above[left], above[column]), max(above[right], here[left])),
            max(max(here[right], below[left]), max(below[column], below[right])))
        let lowest = min(
            min(min(above[left], above[column]), min(above[right], here[left])),
            min(min(here[right], below[left]), min(below[column], below[right])))
        let value = Float(Int32(here[column]))
        let (top, bottom) = (Float(Int32(highest)), Float(Int32(lowest)))
        let (over, under) = (max(value - top, 0), max(bottom - value, 0))
        let isOver = over * over > max(top - black, 0) * shot + read
        let isUnder = under * under > max(bottom - black, 0) * shot + read
        let mark: UInt8 = isOver || isUnder ? 1 : 0
        marks[column] = mark
        found &+= Int32(mark)
    }
    return Int(found)
}
