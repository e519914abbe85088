package import RawImage

/// How a mosaic is to be demosaiced, by what its metadata tells of levels, white and noise.
package struct DemosaicPlan: Sendable {
    /// How codes become light.
    package let balance: Balance
    /// What is added to light before its root is taken: with it the root's noise is the same in shadow and light, and
    /// noise a little below black is kept.
    package let offset: Float
    /// Squared detail, as the demosaic sums it up, that noise alone makes.
    package let noise: Float
    /// Whether green is refined, which takes fine noise for detail.
    package let refines: Bool

    /// The plan for a mosaic.
    package init(
        _ metadata: FrameMetadata, pattern: BayerPattern, method: Demosaic.Method = .automatic
    ) throws(RawImageError) {
        balance = try Balance(metadata, pattern: pattern)
        let profile = CodeNoise.mean(metadata)
        let gain = 1 / metadata.relativeSensitivity
        // Of a light with the variance shot · light + read, the root of light + read / shot + 3/8 shot has the variance
        // shot / 4. Colours must share one offset, or grey would not be grey.
        let ratio = profile.shot > 0 ? profile.read / profile.shot + 0.375 * profile.shot : profile.read.squareRoot()
        offset = Float(min(max(ratio * gain.max(), Self.offsets.lowerBound), Self.offsets.upperBound))
        let variance = profile.variance(at: Self.middle) / (4 * (Self.middle + ratio)) * gain.sum() / 3
        noise = Float(max(2 * Self.detailGain * variance, 1e-9))
        refines =
            switch method {
            case .fast: false
            case .best: true
            case .automatic: variance < Self.cleanVariance
            }
    }

    /// Offsets that are some codes of 12 bits, and still small beside white.
    private static let offsets = 0.0005...0.1
    /// Light that is neither dark nor bright.
    private static let middle = 0.18
    /// What the filters of detail make of a variance of 1, summed over three pixels.
    private static let detailGain = 174.0
    /// The variance of a root of light up to which the refined kind gave better pictures.
    private static let cleanVariance = 2.4e-5
}
