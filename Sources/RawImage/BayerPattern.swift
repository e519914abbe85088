/// The order of colours in the 2×2 cell of a Bayer sensor, named by its first two rows.
public enum BayerPattern: String, Sendable, CaseIterable, Hashable {
    case rggb, bggr, grbg, gbrg

    /// The colour plane (0 red, 1 green, 2 blue) at each place of the cell in reading order.
    public var planes: [Int] {
        switch self {
        case .rggb: [0, 1, 1, 2]
        case .bggr: [2, 1, 1, 0]
        case .grbg: [1, 0, 2, 1]
        case .gbrg: [1, 2, 0, 1]
        }
    }

    /// The colour plane at a pixel.
    public func plane(row: Int, column: Int) -> Int {
        planes[(row & 1) << 1 | column & 1]
    }

    /// Where the red pixel sits in the cell.
    public var redOffset: (row: Int, column: Int) {
        switch self {
        case .rggb: (0, 0)
        case .grbg: (0, 1)
        case .gbrg: (1, 0)
        case .bggr: (1, 1)
        }
    }

    /// The pattern seen when the picture's origin moves by `rows` and `columns`.
    public func shifted(rows: Int, columns: Int) -> BayerPattern {
        let red = redOffset
        let row = (red.row + rows) & 1
        let column = (red.column + columns) & 1
        return Self.allCases.first { $0.redOffset == (row, column) } ?? self
    }
}
