internal import Glibc
internal import RawImage

extension FusionReport {
    /// Records the remaining noise variance of the tiles as effective numbers of frames.
    mutating func note(_ variances: [Float], _ grid: TileGrid?) {
        guard let grid, !variances.isEmpty else { return }
        effectiveFrames = Double(variances.count) / Double(variances.reduce(0, +))
        let sorted = variances.sorted()
        leastEffectiveFrames = 1 / Double(sorted[sorted.count * 95 / 100])
        expectedNoiseGain = 10 * log10(effectiveFrames)
        effectiveFramesMap = EffectiveFramesMap(variances, grid)
    }
}
