internal import Glibc
public import RawImage

/// Makes the look of a photo from its own light: exposure, local gains, tone curve, sharpening.
///
/// It brightens what is dark, but leaves night night and snow white; lifts shadows as far as their noise allows; holds
/// skies and what fusion saved of the highlights; and ends in one gentle curve. The same photo gives the same recipe.
public struct RecipeMaker: Sendable {
    /// How much is done: 0 for the plain picture, 1 for the usual look.
    public let strength: Double

    /// A maker of looks; a strength beyond 0…2 is cut.
    public init(strength: Double = 1) {
        self.strength = strength.isFinite ? max(0, min(2, strength)) : 1
    }

    /// The name of the look.
    public static let name = "gscap"

    /// The look of a linear photo.
    public func recipe(for photo: LinearImage) throws(DevelopError) -> Recipe {
        try recipe(linear: photo.values.span, format: photo.format, metadata: photo.metadata)
    }

    /// The look of a mosaic.
    public func recipe(for mosaic: Mosaic) throws(DevelopError) -> Recipe {
        try recipe(mosaic: mosaic.codes.span, format: mosaic.format, metadata: mosaic.metadata)
    }

    /// The look of a linear photo's values.
    public func recipe(
        linear values: Span<UInt16>, format: LinearFormat, metadata: FrameMetadata
    ) throws(DevelopError) -> Recipe {
        recipe(of: try SceneSample(linear: values, format: format, metadata: metadata), metadata)
    }

    /// The look of a mosaic's codes, at least 2×2.
    public func recipe(
        mosaic codes: Span<UInt16>, format: MosaicFormat, metadata: FrameMetadata
    ) throws(DevelopError) -> Recipe {
        recipe(of: try SceneSample(mosaic: codes, format: format, metadata: metadata), metadata)
    }

    /// The look of a scene, with some gains to a table.
    package func recipe(
        of sample: SceneSample, _ metadata: FrameMetadata, tableLength: Int = LocalGains.usualLength
    ) -> Recipe {
        let light = SceneLight(sample)
        let noise = SceneNoise(metadata)
        let plan = ExposurePlan(light, noise: noise, headroom: Self.headroom(of: metadata), strength: strength)
        let range = Float(plan.exposure + plan.headroom)
        let peak = range + (light.peaks.max() ?? 0)
        let gains = LocalGains(
            tones: LocalTones(light), curve: baseCurve(light, noise, range: range), range: max(0, range), peak: peak,
            length: tableLength)
        return Recipe(
            exposure: plan.exposure, sharpness: noise.sharpness(range: range), gainTableMap: gains.map(),
            toneCurve: FilmCurve(strength: strength).curve, name: Self.name)
    }

    /// EV that the photo's white lies above the usual, as far as it can be believed.
    static func headroom(of metadata: FrameMetadata) -> Double {
        let headroom = metadata.fusion?.headroom ?? 0
        return headroom.isFinite ? max(0, min(12, headroom)) : 0
    }

    /// How shadows and highlights are to be moved: not at all where the display shows them as they are.
    private func baseCurve(_ light: SceneLight, _ noise: SceneNoise, range: Float) -> BaseCurve {
        let strength = Float(strength)
        let bright = SceneLight.percentile(0.98, of: light.levels) + range
        let above = max(0, bright - BaseCurve.middle)
        // What is white stays white: the brightest come back to it, and no farther.
        let highlights = above > 0 ? min(0.62, max(0, bright) * (above + 1) / (above * above)) : 0
        // Dark corners need little; a ground that a large sky has left dark much.
        let corners = (-4.8 - SceneLight.percentile(0.05, of: light.levels) - range) / 5
        let sky = Float(light.levels.count { $0 + range > BaseCurve.middle - 1 }) / Float(max(1, light.levels.count))
        let ground =
            (BaseCurve.middle - 1 - SceneLight.percentile(0.3, of: light.levels) - range) / 2
            * max(0, min(1, (sky - 0.1) / 0.25))
        // What is dark as a whole is to stay so.
        let brightness = max(0.35, min(1, (light.key(floor: -10, noise) + range + 8) / 4))
        let shadows = max(0, min(0.42, corners), min(0.58, ground)) * brightness
        // Where shadows are lifted noise is seen first: it may not become as strong there as exposure may make it.
        let lift = max(0, min(1.8, noise.mostGain - range - 0.7))
        return BaseCurve(
            shadowShare: min(0.7, shadows * strength), mostLift: lift * min(1.25, strength),
            highlightShare: min(0.7, highlights * strength))
    }
}
