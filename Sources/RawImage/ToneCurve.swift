/// A curve from linear light to displayed light, both 0…1, through points that a converter joins smoothly.
public struct ToneCurve: Sendable, Hashable, Codable {
    /// Where the curve passes, from (0, 0) to (1, 1), inputs rising.
    public let points: [SIMD2<Float>]

    /// A curve through points; throws when they are not one.
    public init(points: [SIMD2<Float>]) throws(RawImageError) {
        guard (2...8192).contains(points.count), points.first == SIMD2(0, 0), points.last == SIMD2(1, 1) else {
            throw RawImageError(
                .badRecipe, "a tone curve has 2 to 8192 points, the first (0, 0) and the last (1, 1)")
        }
        guard zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x }), points.allSatisfy({ (0...1).contains($0.y) })
        else {
            throw RawImageError(.badRecipe, "a tone curve's inputs must rise, and its outputs lie in 0…1")
        }
        self.points = points
    }

    /// A curve that was encoded; throws when it is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(points: values.decode([SIMD2<Float>].self, forKey: .points))
    }
}
