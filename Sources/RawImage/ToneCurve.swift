/// A tone curve from linear scene values to linear display values, both 0…1, as control points of a smooth
/// interpolation (DNG's ProfileToneCurve).
public struct ToneCurve: Sendable, Hashable, Codable {
    /// The control points (input, output) from (0, 0) to (1, 1), inputs strictly increasing.
    public let points: [SIMD2<Float>]

    /// Creates a tone curve; throws when the points are invalid.
    public init(points: [SIMD2<Float>]) throws(GscapError) {
        guard (2...8192).contains(points.count), points.first == SIMD2(0, 0), points.last == SIMD2(1, 1) else {
            throw GscapError(
                .badRecipe, "a tone curve needs 2 to 8192 points, the first (0, 0) and the last (1, 1)")
        }
        guard zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x }), points.allSatisfy({ (0...1).contains($0.y) })
        else {
            throw GscapError(.badRecipe, "a tone curve's inputs must increase, and its outputs be between 0 and 1")
        }
        self.points = points
    }

    /// Decodes a tone curve; throws when its points are invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(points: values.decode([SIMD2<Float>].self, forKey: .points))
    }
}
