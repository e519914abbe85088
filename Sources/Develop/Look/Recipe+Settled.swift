internal import RawImage

extension Recipe {
    /// Returns the recipe with unset noise reduction amounts resolved. A fused photo is denoised too, so that it is
    /// never noisier than one of its frames. A linear image of another program defaults to none: that program already
    /// decided how much noise to leave, and other converters show that noise too.
    func settled(for source: RawSource) -> Recipe {
        let defaults: (luminance: Double, color: Double) =
            if let report = source.metadata.fusion, !report.isOfTeleAlone {
                report.noiseReduction
            } else {
                source.isMosaic ? (0.5, 1) : (0, 0)
            }
        var recipe = self
        recipe.luminanceNoiseReduction = luminanceNoiseReduction ?? defaults.luminance
        recipe.colorNoiseReduction = colorNoiseReduction ?? defaults.color
        return recipe
    }
}

extension FusionReport {
    /// The noise reduction amounts that remove the noise which fusion left.
    ///
    /// Averaging leaves noise as fine as a frame's but weaker, so less luminance detail has to go with it: 0.5, the
    /// amount of a frame, for one effective frame, towards 0.35 for many. Super-resolution has already denoised the
    /// photo, unless that was switched off, and leaves mostly colour noise.
    fileprivate var noiseReduction: (luminance: Double, color: Double) {
        let merged = (luminance: 0.35 + 0.15 / max(1, effectiveFrames), color: 1.0)
        if superResolvedFraction == nil { return merged }
        let denoised = (luminance: 0.1, color: 0.8)
        let left = superResolvedNoise
        return (
            left * merged.luminance + (1 - left) * denoised.luminance,
            left * merged.color + (1 - left) * denoised.color
        )
    }
}
