public import RawImage

extension PreviewRenderer {
    /// Creates a preview renderer whose pictures look like those of `Renderer` without sharpening and noise reduction;
    /// nil if the recipe or the metadata require stages that only `Renderer` has: tables, a shadow bias, another white
    /// balance, or a lens correction.
    public init?(metadata: FrameMetadata, equivalentTo recipe: Recipe) throws(GscapError) {
        let lens = metadata.lens
        guard recipe.hueSatMaps.isEmpty, recipe.lookTable == nil, recipe.colorCube == nil, recipe.shadowBias == 0,
            recipe.whiteBalance == nil, lens.shading.isEmpty, lens.warp == nil
        else { return nil }
        var recipe = recipe
        recipe.toneCurve = recipe.toneCurve ?? DefaultToneCurve.toneCurve
        try self.init(metadata: metadata, recipe: recipe)
    }
}
