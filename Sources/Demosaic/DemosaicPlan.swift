package import RawImage

/// The parameters for demosaicing a mosaic, derived from the levels, neutral and noise profile in its metadata.
package struct DemosaicPlan: Sendable {
    /// Converts codes to white-balanced linear values.
    package let balance: BalancedLevels
    /// Offset added to linear values before their square root: it makes the noise of the root uniform in shadows and
    /// highlights, and preserves noise slightly below black.
    package let offset: Float
    /// The squared high-frequency detail that noise alone would cause, in the sum from which the interpolation
    /// direction is derived.
    package let noise: Float
    /// Whether green is refined (method `best`): sharper, but mistakes fine noise for detail.
    package let refines: Bool
    /// Whether values below black become 0 without raising the mean around them: for a linear photo, whose black level
    /// is 0.
    package var keepsBlackMeans = false
    /// Whether the camera has no colour filters: red, green and blue of a pixel are its own value.
    let isMonochrome: Bool

    /// Computes the parameters; throws when the levels or the neutral are invalid.
    package init(
        _ metadata: FrameMetadata, pattern: BayerPattern, method: Demosaic.Method = .automatic
    ) throws(GscapError) {
        balance = try BalancedLevels(metadata, pattern: pattern)
        isMonochrome = metadata.isMonochrome
        let profile = CodeNoise.mean(metadata)
        let gain = 1 / metadata.relativeSensitivity
        // Generalised Anscombe transform: if x has the variance shot · x + read, then the square root of x + read /
        // shot + 3/8 · shot has the constant variance shot / 4. All colours need the same offset, so that grey stays
        // grey.
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

    /// The range to which `offset` is limited: from about two codes of 12 bits to a tenth of white.
    private static let offsets = 0.0005...0.1
    /// The linear value at which noise is evaluated: mid grey.
    private static let middle = 0.18
    /// The expected sum of the squared detail filters over three pixels, for noise of variance 1.
    private static let detailGain = 174.0
    /// The noise variance of the square roots at mid grey below which refined green gave better images in tests.
    private static let cleanVariance = 2.4e-5
}
