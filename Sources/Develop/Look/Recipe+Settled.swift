internal import RawImage

extension Recipe {
    /// The look with what it leaves to the kind of picture chosen: a linear photo's noise is what its maker wanted to leave, and
    /// other converters show it.
    func settled(for source: RawSource) -> Recipe {
        let usual =
            switch source {
            case .mosaic: (luminance: 0.5, color: 1.0)
            case .linear: (luminance: 0.0, color: 0.0)
            }
        var recipe = self
        recipe.luminanceNoiseReduction = luminanceNoiseReduction ?? usual.luminance
        recipe.colorNoiseReduction = colorNoiseReduction ?? usual.color
        return recipe
    }
}
