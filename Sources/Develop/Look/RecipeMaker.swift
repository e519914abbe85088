internal import Glibc
public import RawImage

/// Derives a look from a photo: exposure, local gains, tone curve and sharpening.
///
/// It brightens dark scenes but leaves night dark and snow white; it lifts shadows as far as noise allows, and
/// compresses highlights, including those that fusion recovered. The same photo always gives the same recipe.
public struct RecipeMaker: Sendable {
    /// The strength of the look: 0 for none, 1 for the usual look, up to 2.
    public let strength: Double

    /// Creates a recipe maker; `strength` is clamped to 0...2.
    public init(strength: Double = 1) {
        self.strength = strength.isFinite ? max(0, min(2, strength)) : 1
    }

    /// The name of the look in recipes and DNG profiles.
    public static let name = "gscap"

    /// Returns the look for a linear image.
    public func recipe(for photo: LinearImage) throws(GscapError) -> Recipe {
        try recipe(linear: photo.values.span, format: photo.format, metadata: photo.metadata)
    }

    /// Returns the look for a mosaic.
    public func recipe(for mosaic: Mosaic) throws(GscapError) -> Recipe {
        try recipe(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
    }

    /// Returns the look for a linear image held in the caller's memory.
    public func recipe(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata
    ) throws(GscapError) -> Recipe {
        recipe(of: try SceneSample(linear: values, format: format, metadata: metadata), metadata)
    }

    /// Returns the look for a mosaic of at least 2×2 pixels held in the caller's memory.
    public func recipe(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(GscapError) -> Recipe {
        recipe(of: try SceneSample(mosaic: codes, format: format, metadata: metadata), metadata)
    }

    /// Returns the look for a scene sample, with `tableLength` gains per table.
    package func recipe(
        of sample: SceneSample, _ metadata: FrameMetadata, tableLength: Int = LocalGains.usualLength
    ) -> Recipe {
        let scene = SceneLevels(sample)
        let noise = SceneNoise(metadata)
        let plan = ExposurePlan(
            scene, noise: noise, headroom: Self.headroom(of: metadata),
            bias: metadata.exposureBias ?? 0, strength: strength)
        let range = Float(plan.exposure + plan.headroom)
        let peak = range + (scene.peaks.max() ?? 0)
        let gains = LocalGains(
            grid: BilateralGrid(scene), curve: baseCurve(scene, noise, plan), range: max(0, range), peak: peak,
            length: tableLength)
        return Recipe(
            exposure: plan.exposure, sharpness: noise.sharpness(range: range), gainTableMap: gains.map(),
            toneCurve: FilmCurve(strength: strength).curve, name: Self.name)
    }

    /// Returns the EV from diffuse white up to the photo's white, as recorded by fusion and clamped to 0...12; 0 for a
    /// photo that was not fused.
    static func headroom(of metadata: FrameMetadata) -> Double {
        let headroom = metadata.fusion?.headroom ?? 0
        return headroom.isFinite ? max(0, min(12, headroom)) : 0
    }

    /// Returns the curve of the local gains, which changes nothing if the display can show the scene's range as it
    /// is.
    private func baseCurve(_ scene: SceneLevels, _ noise: SceneNoise, _ plan: ExposurePlan) -> BaseCurve {
        let (strength, range) = (Float(strength), Float(plan.exposure + plan.headroom))
        let bright = scene.percentile(0.98) + range
        let above = max(0, bright - BaseCurve.middle)
        // At strength 1 the brightest areas (98th percentile) are lowered to the display's white, or less far if that
        // would need a highlight amount above 0.62.
        let highlights = above > 0 ? min(0.62, max(0, bright) * (above + 1) / (above * above)) : 0
        // How much to lift shadows: little for dark corners (5th percentile), much for a foreground or room (30th
        // percentile) that a large sky or bright window left underexposed.
        let corners = (-4.8 - scene.percentile(0.05) - range) / 5
        let sky = Float(scene.levels.count { $0 + range > BaseCurve.middle - 1 }) / Float(max(1, scene.levels.count))
        let foreground =
            (BaseCurve.middle - 1 - scene.percentile(0.3) - range) / 2
            * max(0, min(1, (sky - 0.06) / 0.16))
        // In a scene that is dark as a whole, shadows are lifted less, so that it stays dark.
        let brightness = max(0.35, min(1, (scene.key(floor: -10, noise) + range + 8) / 4))
        let shadows = max(0, min(0.42, corners), min(0.9, foreground)) * brightness
        // Noise shows first in lifted shadows, so at strength 1 the lift ends 0.7 EV below the gain that noise allows.
        let lift = max(0, min(2.8, noise.mostGain - range - 0.7))
        // A plain surface has no detail, only noise; darkening adds contrast of its own.
        let detail = max(0, min(1, scene.percentile(0.98) - scene.percentile(0.02) - 0.5))
        let contrast = 0.15 * detail * Float(noise.clarity(range: range)) * max(0, 1 - plan.darkening)
        return BaseCurve(
            shadowAmount: min(0.95, shadows * strength), mostLift: lift * min(1.25, strength),
            highlightAmount: min(0.7, highlights * strength), contrast: contrast * strength,
            darkening: plan.darkening)
    }
}
