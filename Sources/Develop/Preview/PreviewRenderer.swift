internal import Demosaic
internal import Glibc
public import RawImage

/// Renders frames to display pictures quickly, for live views: black level, white balance, camera matrix, exposure,
/// local gains, tone curve and sRGB encoding.
///
/// Of a recipe it applies exposure, local gains and tone curve, the curve to each channel separately; without a tone
/// curve only the sRGB transfer function applies. Everything that depends on metadata and recipe is computed once, in
/// the initialiser: create another instance when `serves` returns false. Channels are clipped where the first of them
/// saturates at the scene's white, so highlights stay neutral.
public struct PreviewRenderer: Sendable {
    /// The metadata of the frames.
    public let metadata: FrameMetadata
    /// The look, of which only exposure, local gains and tone curve are applied.
    public let recipe: Recipe

    /// Matrix from white-balanced camera RGB to linear sRGB, including positive exposure.
    let matrix: Matrix3
    /// Matrix from white-balanced camera RGB to the profile space, in which local gains are indexed, including
    /// positive exposure.
    let toProfile: Matrix3
    let gains: PreviewGains?
    let curve: PreviewCurve

    /// Creates a preview renderer for frames with the same levels, colours and headroom.
    public init(metadata: FrameMetadata, recipe: Recipe = Recipe()) throws(GscapError) {
        if let problem = recipe.problem { throw GscapError(.badRecipe, problem) }
        _ = try GscapError.checking { () throws(GscapError) in try BalancedLevels(linear: metadata) }
        self.metadata = metadata
        self.recipe = recipe
        let exposure = recipe.exposure + (metadata.fusion?.headroom ?? 0)
        // Positive exposure is a gain on linear values. Negative exposure is applied by the tone curve, if there is
        // one, which preserves white.
        let brightening = recipe.toneCurve == nil ? exposure : max(0, exposure)
        let color = CameraColor(metadata)
        matrix = color.toLinearSRGB * exp2(brightening)
        toProfile = color.toProfile * exp2(brightening)
        curve = PreviewCurve.of(recipe, exposure: exposure)
        let amount = recipe.boost * recipe.localToneMapAmount
        gains =
            amount == 0
            ? nil
            : recipe.gainTableMap.flatMap {
                PreviewGains($0, amount: amount, scale: exp2(exposure - brightening))
            }
    }

    /// Whether this instance renders frames with `other` metadata and `recipe` correctly: the recipes must be equal,
    /// and the metadata must agree in levels, headroom and colours.
    public func serves(_ other: FrameMetadata, recipe: Recipe) -> Bool {
        recipe == self.recipe && other.blackLevel == metadata.blackLevel && other.whiteLevel == metadata.whiteLevel
            && other.isMonochrome == metadata.isMonochrome && other.neutral == metadata.neutral
            && other.calibrations == metadata.calibrations
            && (other.fusion?.headroom ?? 0) == (metadata.fusion?.headroom ?? 0)
    }

    /// Returns the black levels and gains of a mosaic's CFA positions, from metadata that the initialiser has
    /// validated.
    func balance(_ pattern: BayerPattern) throws(GscapError) -> BalancedLevels {
        try GscapError.checking { () throws(GscapError) in try BalancedLevels(metadata, pattern: pattern) }
    }
}
