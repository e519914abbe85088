internal import Demosaic
public import RawImage

/// Makes finished pictures of raw ones: everything that a recipe and a frame's metadata ask for.
///
/// Steps follow each other as in Adobe's own converter, so that a DNG looks the same there: levels, broken pixels, lens
/// shading, demosaic, distortion, white, noise, the camera's colours, highlights rebuilt, in the wide profile space the maps
/// of hue and saturation, local gains, exposure and black, the look's table, the tone curve on the largest and smallest colour;
/// then the display's colours, the gamut, sharpening and the display's curve.
///
/// *Reentrant*: a renderer is a value, and its pictures may be made on several threads. Beside the raw picture and the
/// finished one, each core holds a few rows; where broken pixels are found, or shading or distortion is to be undone, there is a
/// copy of the raw picture as well.
public struct Renderer: Sendable {
    /// The part of the raw picture that the lens lit; local gains and distortion are told in shares of it. Nil for all.
    public var activeArea: PixelRectangle?

    /// The look, with what it left to be chosen.
    public let recipe: Recipe
    /// What the raw picture tells of itself, with the recipe's white.
    public let metadata: FrameMetadata
    /// What had to be passed over, in words.
    public let warnings: [String]

    private(set) var source: RawSource

    /// A renderer of a mosaic of at least 2×2.
    public init(mosaic: Mosaic, recipe: Recipe) throws(DevelopError) {
        try self.init(.mosaic(RawMosaic(mosaic)), recipe)
    }

    /// A renderer of a linear photo.
    public init(linear: LinearImage, recipe: Recipe) throws(DevelopError) {
        try self.init(.linear(RawPhoto(linear)), recipe)
    }

    init(_ source: RawSource, _ recipe: Recipe) throws(DevelopError) {
        try source.check()
        if let problem = recipe.problem { throw DevelopError(.badRecipe, problem) }
        if let problem = source.metadata.lens.problem { throw DevelopError(.badPicture, problem) }
        _ = try DevelopError.checking { () throws(RawImageError) in try Balance(linear: source.metadata) }
        self.recipe = recipe.settled(for: source)
        metadata = try source.metadata.balanced(recipe.whiteBalance)
        self.source = source
        self.source.metadata = metadata
        warnings = Self.warnings(metadata, recipe)
    }

    private static func warnings(_ metadata: FrameMetadata, _ recipe: Recipe) -> [String] {
        var warnings: [String] = []
        if CameraColor(metadata).isGuessed {
            warnings.append("the camera's colour matrices are missing or senseless: its colours count as those of sRGB")
        }
        if !recipe.hueSatMaps.isEmpty, recipe.hueSatMaps.count != 1,
            recipe.hueSatMaps.count != metadata.calibrations.count
        {
            warnings.append("there are other maps of hue and saturation than calibrations: the first is taken")
        }
        if metadata.noise.isEmpty { warnings.append("nothing is known of noise: none is taken away") }
        return warnings
    }
}
