/// Mean square errors of a picture's blocks of 64×64; the last of a row or column lies within the picture, too.
struct BlockErrors {
    static let side = 64

    /// In reading order.
    let values: [Double]
    let columns: Int

    /// The errors of values against a truth of as many.
    init(_ values: [Float], truth: [Float], width: Int, height: Int) {
        let (tops, lefts) = (Self.starts(height), Self.starts(width))
        columns = lefts.count
        self.values = tops.flatMap { top in
            lefts.map { left in
                var sum = 0.0
                for row in top..<top + Self.side {
                    for place in row * width + left..<row * width + left + Self.side {
                        let error = Double(values[place] - truth[place])
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
