/// How colours move by their hue, saturation and value: a profile's correction of a camera (DNG's ProfileHueSatMap) or its
/// look (ProfileLookTable).
public struct HueSatMap: Sendable, Hashable, Codable {
    /// Places around the circle of hues.
    public let hues: Int
    /// Places from grey to full colour.
    public let saturations: Int
    /// Places from dark to bright; 1 when brightness does not matter.
    public let values: Int
    /// At each place the shift of hue in degrees, and the factors of saturation and of value: value by value, hue by hue,
    /// saturation by saturation.
    public let shifts: [SIMD3<Float>]
    /// Whether values are those of the curve of sRGB rather than linear.
    public let isEncoded: Bool

    /// The most places that a map may have.
    public static let mostPlaces = 1 << 20

    /// A map; throws when the shifts do not fill it or make no sense.
    public init(
        hues: Int, saturations: Int, values: Int, shifts: [SIMD3<Float>], isEncoded: Bool = false
    ) throws(RawImageError) {
        let sides = 1...4096
        guard sides.contains(hues), (2...4096).contains(saturations), sides.contains(values),
            hues * saturations <= Self.mostPlaces, hues * saturations * values <= Self.mostPlaces
        else {
            throw RawImageError(
                .badRecipe, "a map of \(hues) hues, \(saturations) saturations, \(values) values cannot be")
        }
        guard shifts.count == hues * saturations * values else {
            throw RawImageError(
                .badRecipe,
                "a map of \(hues) hues, \(saturations) saturations, \(values) values has \(shifts.count) shifts")
        }
        let isSane = shifts.allSatisfy { shift in
            abs(shift.x) <= 720 && (0...64).contains(shift.y) && (0...64).contains(shift.z)
        }
        guard isSane else {
            throw RawImageError(.badRecipe, "a map of hues and saturations holds a shift that no colour can make")
        }
        self.hues = hues
        self.saturations = saturations
        self.values = values
        self.shifts = shifts
        self.isEncoded = isEncoded
    }

    /// A map that was encoded; throws when it is none.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            hues: stored.decode(Int.self, forKey: .hues), saturations: stored.decode(Int.self, forKey: .saturations),
            values: stored.decode(Int.self, forKey: .values),
            shifts: stored.decode([SIMD3<Float>].self, forKey: .shifts),
            isEncoded: stored.decode(Bool.self, forKey: .isEncoded))
    }

    /// The mean of maps by shares that add up to 1; nil when they are not of one shape.
    package static func mean(of maps: [HueSatMap], by shares: [Float]) -> HueSatMap? {
        guard let first = maps.first, maps.count == shares.count,
            maps.allSatisfy({
                $0.hues == first.hues && $0.saturations == first.saturations && $0.values == first.values
            })
        else { return nil }
        var mean = [SIMD3<Float>](repeating: .zero, count: first.shifts.count)
        for (map, share) in zip(maps, shares) where share > 0 {
            for place in mean.indices { mean[place] += map.shifts[place] * share }
        }
        return try? HueSatMap(
            hues: first.hues, saturations: first.saturations, values: first.values, shifts: mean,
            isEncoded: first.isEncoded)
    }
}
