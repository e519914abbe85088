extension SceneSamples {
    /// The average signal, in which the brightest quarter of the samples counts only as much as its darkest sample, so
    /// that lamps and clipped highlights do not change the result.
    var averageSignal: Double {
        let sorted = signals.sorted()
        guard !sorted.isEmpty else { return 0 }
        let highest = sorted[min(sorted.count - 1, sorted.count * 3 / 4)]
        return sorted.reduce(0.0) { $0 + Double(min($1, highest)) } / Double(sorted.count)
    }

    /// The fraction of the samples whose signal is below two standard deviations of the noise at black.
    var blackFraction: Double {
        let limit = Float(2 * noise.read.squareRoot())
        return Double(signals.count { $0 < limit }) / Double(max(1, signals.count))
    }

    /// Returns the fraction of the samples that differ from those of an earlier frame by more than noise, after the
    /// brightness of the two is matched. Samples that are clipped in either frame are left out; nil if fewer than an
    /// eighth remain, or the grids differ.
    func changedFraction(since earlier: SceneSamples) -> Double? {
        guard columns == earlier.columns, rows == earlier.rows else { return nil }
        let common = signals.indices.filter { !isClipped[$0] && !earlier.isClipped[$0] }
        guard common.count >= max(1, signals.count / 8) else { return nil }
        let gain = gain(since: earlier, common)
        let changed = common.count { differs(at: $0, from: earlier, gain) }
        return Double(changed) / Double(common.count)
    }

    /// Returns whether a sample differs from that of an earlier frame times `gain` by more than four standard
    /// deviations of the noise and 1 % of the signal, which allows for a slightly uneven change of the light.
    private func differs(at index: Int, from earlier: SceneSamples, _ gain: Double) -> Bool {
        let before = Double(earlier.signals[index])
        let after = Double(signals[index])
        let variance = noise.variance(at: after) + gain * gain * earlier.noise.variance(at: before)
        let tolerance = 4 * variance.squareRoot() + 0.01 * max(abs(after), abs(gain * before))
        return abs(after - gain * before) > tolerance
    }

    /// Returns the factor by which the picture is brighter than an earlier one: the median over the samples that are
    /// well above the noise, which a moving subject does not change; if there are few such samples, that of the sums.
    private func gain(since earlier: SceneSamples, _ common: [Int]) -> Double {
        var ratios: [Float] = []
        ratios.reserveCapacity(common.count)
        for index in common {
            let before = Double(earlier.signals[index])
            guard before > 10 * earlier.noise.variance(at: before).squareRoot() else { continue }
            ratios.append(signals[index] / earlier.signals[index])
        }
        if ratios.count >= 32 { return Double(max(0, ratios.sorted()[ratios.count / 2])) }
        let before = common.reduce(0.0) { $0 + Double(earlier.signals[$1]) }
        let after = common.reduce(0.0) { $0 + Double(signals[$1]) }
        return before > 0 ? max(0, after / before) : 1
    }
}
