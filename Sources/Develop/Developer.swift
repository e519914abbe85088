internal import Fusion
internal import Glibc
public import RawImage

/// Makes display pictures of raw frames: black level, white balance, camera matrix, exposure, sRGB curve.
///
/// All that depends on metadata and recipe is worked out once, here; make a new developer when `serves` says no. The
/// light of each colour ends where the first of them saturates under the scene's white, so that highlights are white.
public struct Developer: Sendable {
    /// The metadata it was made for.
    public let metadata: FrameMetadata
    /// The look it gives.
    public let recipe: Recipe

    /// White-balanced camera colour to the display's linear light.
    let matrix: Matrix3

    /// A developer for frames of one camera under one light.
    public init(metadata: FrameMetadata, recipe: Recipe = Recipe()) throws(DevelopError) {
        guard recipe.exposure.isFinite, abs(recipe.exposure) <= 16 else {
            throw DevelopError(.badRecipe, "an exposure of \(recipe.exposure) EV is not between -16 and 16")
        }
        _ = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: metadata) }
        self.metadata = metadata
        self.recipe = recipe
        matrix = CameraColor(metadata).toLinearSRGB * exp2(recipe.exposure + (metadata.fusion?.headroom ?? 0))
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
