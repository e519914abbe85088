internal import RawImage

extension Recipe {
    /// Returns the recipe with unset noise reduction amounts resolved. A linear image and a fused mosaic default to
    /// none: the program that made them already decided how much noise to leave, and other converters show that noise
    /// too.
    func settled(for source: RawSource) -> Recipe {
        let defaults =
            switch source {
            case .mosaic(let mosaic) where !mosaic.isFused: (luminance: 0.5, color: 1.0)
            case .mosaic, .linear: (luminance: 0.0, color: 0.0)
            }
        var recipe = self
        recipe.luminanceNoiseReduction = luminanceNoiseReduction ?? defaults.luminance
        recipe.colorNoiseReduction = colorNoiseReduction ?? defaults.color
        return recipe
    }
}
