internal import PixelMemory
internal import RawImage

/// The neighbours of each of the 36 positions of an X-Trans cell that the demosaicing of X-Trans mosaics uses.
struct XTransGrid: Sendable {
    /// A pixel near another: its distance in rows and columns, and its weight.
    struct Neighbor: Sendable {
        let row: Int
        let column: Int
        let weight: Float
    }

    /// The directions in which green is interpolated: across, down, and along both diagonals.
    static let directions = [(row: 0, column: 1), (row: 1, column: 0), (row: 1, column: 1), (row: 1, column: -1)]
    /// The largest distance of a neighbour in rows and columns.
    static let reach = 3

    /// The colour plane of each position.
    let planes: [Int]
    /// For each position and each of the four directions, the samples on the line whose weighted sum is green; empty
    /// for green positions.
    let greens: [[Neighbor]]
    /// For each position that is not green, the green samples among the eight pixels around it.
    let around: [[Neighbor]]
    /// For each colour (red, blue) and each position, the samples of that colour within two rows and columns.
    let colors: [[[Neighbor]]]
    /// For each position that is not green, all samples of its colour within three rows and columns, with itself.
    let alike: [[Neighbor]]

    init(_ pattern: XTransPattern) {
        let positions = (0..<36).map { (row: $0 / 6, column: $0 % 6) }
        planes = pattern.planes
        func plane(_ at: (row: Int, column: Int), _ row: Int, _ column: Int) -> Int {
            pattern.plane(row: at.row + row, column: at.column + column)
        }
        greens = positions.flatMap { at in
            plane(at, 0, 0) == 1
                ? Self.directions.map { _ in [] }
                : Self.directions.map { step in
                    Self.line { plane(at, $0 * step.row, $0 * step.column) }
                        .map { Neighbor(row: $0.step * step.row, column: $0.step * step.column, weight: $0.weight) }
                }
        }
        func window(_ reach: Int, _ body: (Int, Int) -> Neighbor?) -> [Neighbor] {
            (-reach...reach).flatMap { row in (-reach...reach).compactMap { body(row, $0) } }
        }
        colors = [0, 2].map { color in
            positions.map { at in
                window(2) { row, column in
                    let square = Float(row * row + column * column)
                    guard plane(at, row, column) == color else { return nil }
                    return Neighbor(row: row, column: column, weight: 1 / (square + 0.25))
                }
            }
        }
        around = positions.map { at in
            plane(at, 0, 0) == 1
                ? []
                : window(1) { row, column in
                    plane(at, row, column) == 1 ? Neighbor(row: row, column: column, weight: 1) : nil
                }
        }
        alike = positions.map { at in
            let own = plane(at, 0, 0)
            return own == 1
                ? []
                : window(Self.reach) { row, column in
                    plane(at, row, column) == own ? Neighbor(row: row, column: column, weight: 1) : nil
                }
        }
    }

    /// Returns the samples on a line through a pixel whose weighted sum is its green, with the weights. `plane` is the
    /// colour of the sample so many steps from the pixel.
    ///
    /// With green on both sides at one step, and at two, green is the value at the centre of the cubic through the
    /// four. Otherwise green at one step is changed by half the difference of the pixel from its own colour at two
    /// steps, which assumes equal changes of both colours; the green on the other side smooths it.
    private static func line(_ plane: (Int) -> Int) -> [(step: Int, weight: Float)] {
        /// Returns the nearest green on one side.
        func green(_ side: Int) -> Int? { [side, 2 * side, 3 * side].first { plane($0) == 1 } }
        guard let ahead = green(1), let behind = green(-1) else {
            return [(green(1) ?? green(-1) ?? 1, 1)]
        }
        typealias Line = [(step: Int, weight: Float)]
        if ahead == 1, behind == -1 {
            let (third, half): (Float, Float) = (1 / 3, 1 / 2)
            let isCubic = plane(2) == 1 && plane(-2) == 1
            let cubic: Line = [(1, 2 * third), (-1, 2 * third), (2, -third * half), (-2, -third * half)]
            if isCubic { return cubic }
            let isOwn = plane(2) == plane(0) && plane(-2) == plane(0)
            let mean: Line = [(1, half), (-1, half)]
            let change: Line = [(0, half), (2, -half * half), (-2, -half * half)]
            return isOwn ? mean + change : mean
        }
        let (near, far) = abs(ahead) < abs(behind) ? (ahead, behind) : (behind, ahead)
        let span = Float(abs(near) + abs(far))
        let linear = (near: Float(abs(far)) / span, far: Float(abs(near)) / span)
        guard abs(near) == 1, plane(2 * near) == plane(0) else { return [(near, linear.near), (far, linear.far)] }
        let share: Float = 0.7
        let nearWeight = share + (1 - share) * linear.near
        let line: Line = [(near, nearWeight), (far, (1 - share) * linear.far)]
        return line + [(0, share / 2), (2 * near, -share / 2)]
    }
}
