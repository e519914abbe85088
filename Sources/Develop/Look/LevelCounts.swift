/// The numbers of pixels by level, counted once for all percentiles of a scene.
struct LevelCounts {
    private let counts: [Int]
    private let total: Int

    private static let bins = 1024
    private static let scale = Float(bins - 1) / -SceneLevels.darkest

    /// Counts levels in EV relative to the sensor's white; levels above 0 count as 0.
    init(_ levels: [Float]) {
        let (bins, scale, darkest) = (Self.bins, Self.scale, SceneLevels.darkest)
        var counts = [Int](repeating: 0, count: bins)
        for level in levels { counts[Int(max(0, min(Float(bins - 1), (level - darkest) * scale)))] += 1 }
        (self.counts, total) = (counts, levels.count)
    }

    /// Returns the level below which a fraction of the levels lies, rounded down to steps of 0.014 EV; 0 if the
    /// fraction is 1 or more.
    func percentile(_ fraction: Double) -> Float {
        var remaining = Int(fraction * Double(total))
        for (bin, count) in counts.enumerated() {
            remaining -= count
            if remaining < 0 { return SceneLevels.darkest + Float(bin) / Self.scale }
        }
        return 0
    }
}
