/// The CFA phase of a Bayer sensor: the colours of its 2×2 cell in reading order, starting at the image origin.
public enum BayerPattern: String, Sendable, CaseIterable, Hashable {
    case rggb, bggr, grbg, gbrg

    /// The colour planes (0 red, 1 green, 2 blue) of the four positions in the 2×2 cell, in reading order.
    public var planes: [Int] {
        switch self {
        case .rggb: [0, 1, 1, 2]
        case .bggr: [2, 1, 1, 0]
        case .grbg: [1, 0, 2, 1]
        case .gbrg: [1, 2, 0, 1]
        }
    }

    /// Returns the colour plane (0 red, 1 green, 2 blue) of the pixel at `row` and `column`.
    public func plane(row: Int, column: Int) -> Int {
        planes[(row & 1) << 1 | column & 1]
    }

    /// The row and column (0 or 1) of the red pixel within the 2×2 cell.
    public var redOffset: (row: Int, column: Int) {
        switch self {
        case .rggb: (0, 0)
        case .grbg: (0, 1)
        case .gbrg: (1, 0)
        case .bggr: (1, 1)
        }
    }

    /// Returns the pattern as it starts at an image origin moved down by `rows` and right by `columns`, such as that of
    /// a crop.
    public func shifted(rows: Int, columns: Int) -> BayerPattern {
        let red = redOffset
        let row = (red.row + rows) & 1
        let column = (red.column + columns) & 1
        return Self.allCases.first { $0.redOffset == (row, column) } ?? self
    }
}
