internal import Develop
package import RawImage

/// The look of a photo: the recipe in its metadata, or else one computed from its samples.
package enum PhotoLook {
    /// Returns the recipe of a linear photo.
    package static func recipe(
        linear values: Span<UInt16>, _ format: LinearFormat, _ metadata: FrameMetadata
    ) throws -> Recipe {
        try metadata.recipe ?? RecipeMaker().recipe(linear: values, format: format, metadata: metadata)
    }

    /// Returns the recipe of a mosaic; the default recipe if the mosaic is smaller than one 2×2 CFA cell.
    package static func recipe(
        mosaic codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws -> Recipe {
        if let recipe = metadata.recipe { return recipe }
        guard format.width >= 2, format.height >= 2 else { return Recipe() }
        return try RecipeMaker().recipe(mosaic: codes, format: format, metadata: metadata)
    }
}
