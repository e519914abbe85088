/// A 3×3 matrix of doubles, multiplied with column vectors.
public struct Matrix3: Sendable, Hashable {
    /// The three rows from top to bottom.
    public var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        get { (row0, row1, row2) }
        set { (row0, row1, row2) = newValue }
    }

    private var row0: SIMD3<Double>
    private var row1: SIMD3<Double>
    private var row2: SIMD3<Double>

    /// Creates a matrix from its three rows.
    public init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
        self.row0 = row0
        self.row1 = row1
        self.row2 = row2
    }

    /// Creates a diagonal matrix.
    public init(diagonal: SIMD3<Double>) {
        self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
    }

    /// Creates a matrix from nine values in row-major order; nil unless there are nine.
    public init?(_ values: [Double]) {
        guard values.count == 9 else { return nil }
        self.init(
            SIMD3(values[0], values[1], values[2]),
            SIMD3(values[3], values[4], values[5]),
            SIMD3(values[6], values[7], values[8]))
    }

    /// The identity matrix.
    public static let identity = Matrix3(diagonal: SIMD3(repeating: 1))

    /// The nine values in row-major order.
    public var values: [Double] {
        [row0, row1, row2].flatMap { [$0.x, $0.y, $0.z] }
    }

    /// The transposed matrix.
    public var transposed: Matrix3 {
        Matrix3(
            SIMD3(row0.x, row1.x, row2.x), SIMD3(row0.y, row1.y, row2.y), SIMD3(row0.z, row1.z, row2.z))
    }

    /// The determinant.
    public var determinant: Double {
        (row0 * Self.cross(row1, row2)).sum()
    }

    /// The inverse; nil when the matrix is singular or not finite.
    public var inverse: Matrix3? {
        let determinant = determinant
        guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
        let columns = Matrix3(Self.cross(row1, row2), Self.cross(row2, row0), Self.cross(row0, row1))
        return columns.transposed * (1 / determinant)
    }

    /// Multiplies a matrix with a column vector.
    public static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((matrix.row0 * vector).sum(), (matrix.row1 * vector).sum(), (matrix.row2 * vector).sum())
    }

    /// Multiplies two matrices; the result applies `right` first.
    public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        let columns = right.transposed
        return Matrix3(columns * left.row0, columns * left.row1, columns * left.row2)
    }

    /// Adds two matrices element by element.
    public static func + (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(left.row0 + right.row0, left.row1 + right.row1, left.row2 + right.row2)
    }

    /// Multiplies every element with a factor.
    public static func * (matrix: Matrix3, factor: Double) -> Matrix3 {
        Matrix3(matrix.row0 * factor, matrix.row1 * factor, matrix.row2 * factor)
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}
