internal import RawImage

/// Where a flow jumps: at the outlines of near things.
///
/// There each lens sees a strip that the other does not, and a point's shift may be that of the wrong side. A shift
/// that is wrong along a straight edge deviates too little to be seen in the pixels. So the tele is not used there.
struct TeleOutlines {
    /// The differences of shifts in pixels up to which the tele is used, and from which it is not.
    private static let (full, none): (Float, Float) = (0.5, 1.5)
    /// The reach of an outline, in grid points of the flow.
    private static let reach = 2

    private let (columns, rows): (Int, Int)
    private let factors: [Float]

    init(_ flow: TeleFlow) {
        (columns, rows) = (flow.columns, flow.rows)
        var factors = Array(repeating: Float(1), count: flow.columns * flow.rows)
        for index in factors.indices {
            let (column, row) = (index % flow.columns, index / flow.columns)
            let right = column + 1 < flow.columns ? Self.factor(flow.shifts[index + 1] - flow.shifts[index]) : 1
            let below = row + 1 < flow.rows ? Self.factor(flow.shifts[index + flow.columns] - flow.shifts[index]) : 1
            let least = min(right, below)
            guard least < 1 else { continue }
            for y in max(0, row - Self.reach)...min(flow.rows - 1, row + Self.reach) {
                for x in max(0, column - Self.reach)...min(flow.columns - 1, column + Self.reach) {
                    factors[y * flow.columns + x] = min(factors[y * flow.columns + x], least)
                }
            }
        }
        self.factors = factors
    }

    /// Returns the factor for two neighbours whose shifts differ by this.
    private static func factor(_ change: SIMD2<Float>) -> Float {
        let size = (change * change).sum().squareRoot()
        return min(max((none - size) / (none - full), 0), 1)
    }

    /// Returns the factor at a pixel of the field, 0…1, interpolated between the grid points.
    func factor(_ column: Int, _ row: Int) -> Float {
        let (x, y) = (column / TeleFlow.step, row / TeleFlow.step)
        let right = Float(column % TeleFlow.step) / Float(TeleFlow.step)
        let down = Float(row % TeleFlow.step) / Float(TeleFlow.step)
        let first = y * columns + x
        let upper = factors[first] * (1 - right) + factors[first + 1] * right
        let lower = factors[first + columns] * (1 - right) + factors[first + columns + 1] * right
        return upper * (1 - down) + lower * down
    }
}
