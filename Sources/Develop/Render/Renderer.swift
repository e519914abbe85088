internal import Demosaic
public import RawImage

/// Renders raw images to pictures, applying everything that a recipe and the frame's metadata specify.
///
/// The stages follow the order of Adobe's DNG SDK, so that a DNG looks the same there: black and white levels,
/// defective pixels, lens shading, demosaicing, distortion, white balance, noise reduction, highlight reconstruction,
/// camera colour matrix; then, in linear ProPhoto, the hue/saturation maps, local gains, exposure and shadow ramp,
/// the look table, and the tone curve on each pixel's largest and smallest channel; then the output colour space,
/// gamut mapping, sharpening and the transfer function.
///
/// *Reentrant*: a renderer is a value and several threads may use it. Besides the raw image and the picture, each
/// core holds a few rows. Repairing defective pixels, correcting shading and correcting distortion each need a copy
/// of the raw image.
public struct Renderer: Sendable {
    /// The active area of the raw image, to which gain maps and the distortion model are relative; nil for the whole
    /// image.
    public var activeArea: PixelRectangle?

    /// The recipe, with its unset amounts resolved to the defaults for the kind of raw image.
    public let recipe: Recipe
    /// The frame metadata, with the recipe's white balance applied.
    public let metadata: FrameMetadata
    /// Messages about missing or inconsistent metadata and what is used instead.
    public let warnings: [String]

    private(set) var source: RawSource

    /// Creates a renderer for a mosaic of at least 2×2 pixels.
    public init(mosaic: Mosaic, recipe: Recipe) throws(GscapError) {
        try self.init(.mosaic(MosaicSource(mosaic)), recipe)
    }

    /// Creates a renderer for a linear image.
    public init(linear: LinearImage, recipe: Recipe) throws(GscapError) {
        try self.init(.linear(LinearSource(linear)), recipe)
    }

    init(_ source: RawSource, _ recipe: Recipe) throws(GscapError) {
        try source.check()
        var source = source
        if case .mosaic(var mosaic) = source {
            mosaic.estimateNoise()
            source = .mosaic(mosaic)
        }
        if let problem = recipe.problem { throw GscapError(.badRecipe, problem) }
        if let problem = source.metadata.lens.problem { throw GscapError(.badPicture, problem) }
        _ = try GscapError.checking { () throws(GscapError) in try BalancedLevels(linear: source.metadata) }
        self.recipe = recipe.settled(for: source)
        metadata = try source.metadata.balanced(recipe.whiteBalance)
        self.source = source
        self.source.metadata = metadata
        warnings = Self.warnings(metadata, recipe, statedNoiseRatio: source.statedNoiseRatio)
    }

    private static func warnings(
        _ metadata: FrameMetadata, _ recipe: Recipe, statedNoiseRatio: Double?
    ) -> [String] {
        var warnings: [String] = []
        if CameraColor(metadata).isGuessed, !metadata.isMonochrome {
            warnings.append("the camera's colour matrices are missing or invalid: its colours are treated as sRGB")
        }
        if !recipe.hueSatMaps.isEmpty, recipe.hueSatMaps.count != 1,
            recipe.hueSatMaps.count != metadata.calibrations.count
        {
            warnings.append(
                "the hue and saturation maps do not match the calibrations in number: only the first map is used")
        }
        if let statedNoiseRatio {
            let times = (10 / max(statedNoiseRatio, 1e-3)).rounded() / 10
            warnings.append(
                "the picture has \(times) times less noise variance than its NoiseProfile states, so an estimate from "
                    + "the picture replaces it")
        } else if metadata.isNoiseEstimated {
            warnings.append("the noise profile is an estimate from the picture")
        } else if metadata.noise.isEmpty {
            warnings.append("there is no noise profile: that of a usual sensor at ISO 400 is assumed")
        }
        return warnings
    }
}
