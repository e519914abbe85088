internal import Develop
package import RawImage

/// The look of a photo: the one that rides on it, or else one made of its light.
package enum PhotoLook {
    /// The look of a linear photo.
    package static func recipe(
        linear values: Span<UInt16>, _ format: LinearFormat, _ metadata: FrameMetadata
    ) throws -> Recipe {
        try metadata.recipe ?? RecipeMaker().recipe(linear: values, format: format, metadata: metadata)
    }

    /// The look of a mosaic; the plain one for a mosaic too small to be looked at.
    package static func recipe(
        mosaic codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata
    ) throws -> Recipe {
        if let recipe = metadata.recipe { return recipe }
        guard format.width >= 2, format.height >= 2 else { return Recipe() }
        return try RecipeMaker().recipe(mosaic: codes, format: format, metadata: metadata)
    }
}
