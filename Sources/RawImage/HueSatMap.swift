/// A lookup table in HSV that shifts hue and scales saturation and value: a camera calibration (DNG's ProfileHueSatMap)
/// or a look (ProfileLookTable).
public struct HueSatMap: Sendable, Hashable, Codable {
    /// Number of hue divisions around the circle.
    public let hues: Int
    /// Number of saturation divisions, from grey to fully saturated.
    public let saturations: Int
    /// Number of value divisions, from dark to bright; 1 for a table that does not depend on value.
    public let values: Int
    /// Hue shift in degrees, saturation factor and value factor of each entry. Value varies slowest and saturation
    /// fastest.
    public let shifts: [SIMD3<Float>]
    /// Whether the value index is encoded with the sRGB transfer function rather than linear (ProfileHueSatMapEncoding,
    /// ProfileLookTableEncoding).
    public let isEncoded: Bool

    /// The largest number of entries in a map, so that a malformed file cannot exhaust memory.
    public static let maximumEntries = 1 << 20

    /// Creates a map; throws when the number of entries or an entry is invalid.
    public init(
        hues: Int, saturations: Int, values: Int, shifts: [SIMD3<Float>], isEncoded: Bool = false
    ) throws(GscapError) {
        let sides = 1...4096
        guard sides.contains(hues), (2...4096).contains(saturations), sides.contains(values),
            hues * saturations <= Self.maximumEntries, hues * saturations * values <= Self.maximumEntries
        else {
            throw GscapError(
                .badRecipe,
                "a hue and saturation map cannot have \(hues) hue, \(saturations) saturation and \(values) value "
                    + "divisions")
        }
        guard shifts.count == hues * saturations * values else {
            throw GscapError(
                .badRecipe,
                "a hue and saturation map with \(hues) hue, \(saturations) saturation and \(values) value divisions "
                    + "has \(shifts.count) entries")
        }
        let isSane = shifts.allSatisfy { shift in
            abs(shift.x) <= 720 && (0...64).contains(shift.y) && (0...64).contains(shift.z)
        }
        guard isSane else {
            throw GscapError(
                .badRecipe, "a hue and saturation map has a shift above 720 degrees or a factor outside 0…64")
        }
        self.hues = hues
        self.saturations = saturations
        self.values = values
        self.shifts = shifts
        self.isEncoded = isEncoded
    }

    /// Decodes a map; throws when its values are invalid.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            hues: stored.decode(Int.self, forKey: .hues), saturations: stored.decode(Int.self, forKey: .saturations),
            values: stored.decode(Int.self, forKey: .values),
            shifts: stored.decode([SIMD3<Float>].self, forKey: .shifts),
            isEncoded: stored.decode(Bool.self, forKey: .isEncoded))
    }

    /// Returns the weighted mean of maps, entry by entry; nil when they differ in their divisions. The weights must sum
    /// to 1.
    package static func mean(of maps: [HueSatMap], by weights: [Float]) -> HueSatMap? {
        guard let first = maps.first, maps.count == weights.count,
            maps.allSatisfy({
                $0.hues == first.hues && $0.saturations == first.saturations && $0.values == first.values
            })
        else { return nil }
        var mean = [SIMD3<Float>](repeating: .zero, count: first.shifts.count)
        for (map, weight) in zip(maps, weights) where weight > 0 {
            for entry in mean.indices { mean[entry] += map.shifts[entry] * weight }
        }
        return try? HueSatMap(
            hues: first.hues, saturations: first.saturations, values: first.values, shifts: mean,
            isEncoded: first.isEncoded)
    }
}
