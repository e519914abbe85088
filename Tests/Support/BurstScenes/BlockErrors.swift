/// The mean squared errors of a picture in blocks of 64×64 pixels; the last block of a row or column is moved inside
/// the picture.
package struct BlockErrors {
    package static let side = 64

    /// The errors of the blocks, row by row.
    package let values: [Double]
    package let columns: Int

    /// Computes the errors of values against the equally many values of `truth`.
    package init(_ values: [Float], truth: [Float], width: Int, height: Int) {
        let (tops, lefts) = (Self.starts(height), Self.starts(width))
        columns = lefts.count
        self.values = tops.flatMap { top in
            lefts.map { left in
                var sum = 0.0
                for row in top..<top + Self.side {
                    for position in row * width + left..<row * width + left + Self.side {
                        let error = Double(values[position] - truth[position])
                        sum += error * error
                    }
                }
                return sum / Double(Self.side * Self.side)
            }
        }
    }

    private static func starts(_ size: Int) -> [Int] {
        Array(stride(from: 0, to: size - side, by: side)) + [size - side]
    }
}
