/// Local tone mapping as gains that depend on position and brightness (DNG's ProfileGainTableMap and
/// ProfileGainTableMap2). A converter can apply, weaken or ignore them.
///
/// A grid of gain tables covers the image. A pixel's weighted brightness is the index into the tables; its position
/// decides between which tables to interpolate.
public struct GainTableMap: Sendable, Hashable, Codable {
    /// Number of rows of tables in the grid.
    public var rows: Int
    /// Number of columns of tables in the grid.
    public var columns: Int
    /// Vertical and horizontal distance between tables, as fractions of the image's height and width.
    public var spacing: RelativePoint
    /// Position of the top left table, as fractions of the image's height and width.
    public var origin: RelativePoint
    /// Number of gains in each table, ordered from dark to bright.
    public var tableLength: Int
    /// Weights of red, green, blue, and of the minimum and the maximum of the three, in the brightness (DNG's
    /// MapInputWeights).
    public var weights: [Float]
    /// Exponent applied to the brightness before the table lookup (ProfileGainTableMap2).
    public var gamma: Float
    /// All gains, table after table; the tables are ordered row by row.
    public var gains: [Float]

    /// A position or distance as fractions of the image's height and width.
    public struct RelativePoint: Sendable, Hashable, Codable {
        /// Vertical part, as a fraction of the image's height; positive is down.
        public var down: Double
        /// Horizontal part, as a fraction of the image's width; positive is right.
        public var across: Double

        /// Creates a position or distance from its vertical and horizontal parts.
        public init(down: Double, across: Double) {
            self.down = down
            self.across = across
        }
    }

    /// Creates a map; throws when a value is invalid. By default the image is divided into equal cells with a table at
    /// the centre of each.
    public init(
        rows: Int, columns: Int, tableLength: Int, weights: [Float], gains: [Float], gamma: Float = 1,
        spacing: RelativePoint? = nil, origin: RelativePoint? = nil
    ) throws(GscapError) {
        self.rows = rows
        self.columns = columns
        self.tableLength = tableLength
        self.weights = weights
        self.gamma = gamma
        self.gains = gains
        let (cellHeight, cellWidth) = (1 / Double(max(rows, 1)), 1 / Double(max(columns, 1)))
        self.spacing = spacing ?? RelativePoint(down: cellHeight, across: cellWidth)
        self.origin = origin ?? RelativePoint(down: cellHeight / 2, across: cellWidth / 2)
        if let problem { throw GscapError(.badRecipe, problem) }
    }

    /// The largest number of gains in a map, which take 64 MiB: a malformed file cannot exhaust memory.
    public static let maximumGainCount = 1 << 24

    /// Describes the first invalid value of the map; nil when all are valid.
    public var problem: String? {
        let sizes = 1...65_536
        guard sizes.contains(rows), sizes.contains(columns), sizes.contains(tableLength) else {
            return "a gain table map's rows, columns and table length are \(rows), \(columns) and \(tableLength); "
                + "each must be from 1 to 65536"
        }
        let (area, isLarge) = rows.multipliedReportingOverflow(by: columns)
        let (count, isTooLarge) = area.multipliedReportingOverflow(by: tableLength)
        guard !isLarge, !isTooLarge, count <= Self.maximumGainCount else {
            return "a gain table map of \(rows)×\(columns) tables of \(tableLength) gains is too large; "
                + "at most \(Self.maximumGainCount) gains are allowed"
        }
        guard gains.count == count else {
            return "a gain table map of \(rows)×\(columns) tables of \(tableLength) has \(gains.count) gains"
        }
        guard weights.count == 5, weights.allSatisfy(\.isFinite) else {
            return "a gain table map needs five finite weights, not \(weights)"
        }
        let positions = [spacing.down, spacing.across, origin.down, origin.across]
        guard positions.allSatisfy(\.isFinite), gamma.isFinite, gamma > 0 else {
            return "a gain table map's spacing or origin is not finite, or its gamma is not above 0"
        }
        guard gains.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
            return "a gain table map has a gain that is negative or not finite"
        }
        return nil
    }
}
