internal import Demosaic
internal import Glibc
public import RawImage

/// Makes display pictures of raw frames: black level, white balance, camera matrix, exposure, local gains, sRGB curve.
///
/// Its way is short, for live views: of the recipe it obeys exposure, local gains and tone curve, colour by colour; a recipe
/// without a curve gets that of sRGB alone. All that depends on metadata and recipe is worked out once, here; make a new developer when `serves` says no. The
/// light of each colour ends where the first of them saturates under the scene's white, so that highlights are white.
public struct Developer: Sendable {
    /// The metadata it was made for.
    public let metadata: FrameMetadata
    /// The look it gives.
    public let recipe: Recipe

    /// White-balanced camera colour to the display's linear light.
    let matrix: Matrix3
    /// White-balanced camera colour to the profile space, in which local gains look at it, and from there to the display.
    let toProfile: Matrix3
    let gains: PreviewGains?
    let curve: PreviewCurve

    /// A developer for frames of one camera under one light.
    public init(metadata: FrameMetadata, recipe: Recipe = Recipe()) throws(DevelopError) {
        if let problem = recipe.problem { throw DevelopError(.badRecipe, problem) }
        _ = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: metadata) }
        self.metadata = metadata
        self.recipe = recipe
        let exposure = recipe.exposure + (metadata.fusion?.headroom ?? 0)
        // A picture that is to become darker keeps its white where there is a curve to darken it.
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

    /// Whether frames with other metadata and a recipe come out right too: only levels, headroom and colour matter.
    public func serves(_ other: FrameMetadata, recipe: Recipe) -> Bool {
        recipe == self.recipe && other.blackLevel == metadata.blackLevel && other.whiteLevel == metadata.whiteLevel
            && other.neutral == metadata.neutral && other.calibrations == metadata.calibrations
            && (other.fusion?.headroom ?? 0) == (metadata.fusion?.headroom ?? 0)
    }

    /// The balance of a mosaic's places; its metadata was checked when the developer was made.
    func balance(_ pattern: BayerPattern) throws(DevelopError) -> Balance {
        try DevelopError.checking { () throws(RawImageError) in try Balance(metadata, pattern: pattern) }
    }
}
