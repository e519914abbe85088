/// Gains that differ over the picture and with the brightness there: local tone mapping that a converter can undo, weaken
/// or follow (DNG's ProfileGainTableMap).
///
/// A grid of tables lies over the picture. A pixel's weighted brightness chooses the place in the table, and its position the
/// tables to mix.
public struct GainTableMap: Sendable, Hashable, Codable {
    /// Rows and columns of the grid.
    public var rows: Int
    /// Columns of the grid.
    public var columns: Int
    /// Distance of tables down and across, as a share of the picture.
    public var spacing: Spot
    /// Where the first table lies, as a share of the picture.
    public var origin: Spot
    /// Gains in each table, from dark to bright.
    public var tableLength: Int
    /// How much red, green, blue, the least and the greatest of them count for the brightness.
    public var weights: [Float]
    /// The exponent that brightness is raised to before it chooses the gain.
    public var gamma: Float
    /// All gains: table by table, row by row.
    public var gains: [Float]

    /// A position or distance as a share of the picture's height and width.
    public struct Spot: Sendable, Hashable, Codable {
        /// Downward.
        public var down: Double
        /// To the right.
        public var across: Double

        /// A position or distance.
        public init(down: Double, across: Double) {
            self.down = down
            self.across = across
        }
    }

    /// A map whose tables stand in the middles of equal fields of the picture; throws when the gains do not fill it.
    public init(
        rows: Int, columns: Int, tableLength: Int, weights: [Float], gains: [Float], gamma: Float = 1,
        spacing: Spot? = nil, origin: Spot? = nil
    ) throws(RawImageError) {
        self.rows = rows
        self.columns = columns
        self.tableLength = tableLength
        self.weights = weights
        self.gamma = gamma
        self.gains = gains
        let (fieldHeight, fieldWidth) = (1 / Double(max(rows, 1)), 1 / Double(max(columns, 1)))
        self.spacing = spacing ?? Spot(down: fieldHeight, across: fieldWidth)
        self.origin = origin ?? Spot(down: fieldHeight / 2, across: fieldWidth / 2)
        if let problem { throw RawImageError(.badRecipe, problem) }
    }

    /// The most gains that a map may have; 64 MB of them.
    public static let mostGains = 1 << 24

    /// The rule that the values break, in words; nil when a renderer can work with them.
    public var problem: String? {
        let sides = 1...65_536
        guard sides.contains(rows), sides.contains(columns), sides.contains(tableLength) else {
            return "a gain table map of \(rows)×\(columns) tables of \(tableLength) gains cannot be"
        }
        let (area, isLarge) = rows.multipliedReportingOverflow(by: columns)
        let (count, isTooLarge) = area.multipliedReportingOverflow(by: tableLength)
        guard !isLarge, !isTooLarge, count <= Self.mostGains else {
            return "a gain table map of \(rows)×\(columns) tables of \(tableLength) gains is too large"
        }
        guard gains.count == count else {
            return "a gain table map of \(rows)×\(columns) tables of \(tableLength) has \(gains.count) gains"
        }
        guard weights.count == 5, weights.allSatisfy(\.isFinite) else {
            return "a gain table map has five finite weights, not \(weights)"
        }
        let places = [spacing.down, spacing.across, origin.down, origin.across]
        guard places.allSatisfy(\.isFinite), gamma.isFinite, gamma > 0 else {
            return "a gain table map's spacing, origin or gamma is not a usable number"
        }
        guard gains.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            return "a gain table map holds a gain that is not a number from 0 up"
        }
        return nil
    }
}
