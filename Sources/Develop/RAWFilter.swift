internal import Demosaic
public import RawImage

/// A raw photo with adjustable development settings, from which pictures are rendered.
///
/// The settings start with the look that the file carries. With the look removed (`Look.none`, `boostAmount` 0) and a
/// linear output, the picture holds scene-linear values.
public struct RAWFilter: Sendable {
    /// The look that the settings start with.
    public enum Look: String, Sendable, Hashable, CaseIterable {
        /// The look that the file carries.
        case file
        /// A new look derived from the photo itself by `RecipeMaker`.
        case automatic = "auto"
        /// No look: the file's exposure and sharpness only, without tone curve, local gains or colour tables.
        case none
    }

    /// The recipe that the properties below change.
    public var recipe: Recipe
    /// The frame metadata of the photo.
    public var metadata: FrameMetadata { source.metadata }
    /// The descriptive metadata of the photo, which files of its pictures contain.
    public var details: DescriptiveMetadata {
        get { source.metadata.details }
        set { source.metadata.details = newValue }
    }
    /// The Exif orientation, 1…8, which pictures have applied.
    public var orientation: Int {
        get { (1...8).contains(metadata.orientation) ? metadata.orientation : 1 }
        set { source.metadata.orientation = newValue }
    }
    /// The semantic masks in the file; empty without any.
    public let mattes: [Matte]
    /// The depth map in the file; nil without one.
    public let depthMap: DepthMap?
    /// Whether lens shading and distortion are corrected.
    public var isLensCorrectionEnabled = true
    /// The lens corrections: those of the file, until a profile replaces them. `applyLensProfile` sets it.
    public internal(set) var lensCorrection: LensCorrection
    /// The lens profile that has replaced the file's corrections; nil without one.
    public internal(set) var lensProfile: LensProfile?
    /// A look that is applied to rendered pictures, in sRGB; nil for none. Linear, PQ and HLG pictures cannot have one.
    public var cubeLook: CubeLook?
    /// The strength of `cubeLook`, 0...1.
    public var cubeLookAmount = 1.0
    /// The raw samples with their metadata.
    private(set) var source: RawSource
    /// The active area of the raw image and, within it, the default crop to show.
    let areas: (active: PixelRectangle, shown: PixelRectangle)
    /// The factors by which pictures are scaled from raw pixels to square ones, at least 1.
    let squareScale: (across: Double, down: Double)
    /// Warnings about the file.
    let remarks: [String]
    /// The damage of the photo's file that was accepted, and strips or tiles that the file lacks.
    public var damage: [String] { source.metadata.history.acceptedDamage }
    private var fileExposure: Double
    private let originalRecipe: Recipe

    /// Decodes the photo in a file, such as a `DNGFile`.
    ///
    /// Throws if the white balance or the colour matrices are invalid, or, with `look` `.file`, if the file's look is
    /// invalid.
    public init(file: some RawPhotoFile, look: Look = .file) throws {
        switch try file.rawPhoto(usingLook: look == .file) {
        case .mosaic(let photo):
            var mosaic = MosaicSource(consume photo)
            mosaic.estimateNoise()
            if mosaic.metadata.problem == nil { mosaic.repair(inPlace: true) }
            try self.init(.mosaic(mosaic), look, file.rawPhotoDetails)
        case .xTrans(let photo):
            try self.init(.linear(LinearSource(XTransDemosaic.linear(photo))), look, file.rawPhotoDetails)
        case .linear(let photo): try self.init(.linear(LinearSource(photo)), look, file.rawPhotoDetails)
        }
    }

    /// Creates a photo from a mosaic in memory. `recipe` is the look for `look` `.file`.
    public init(_ mosaic: Mosaic, recipe: Recipe = Recipe(), look: Look = .file) throws {
        var source = MosaicSource(mosaic)
        source.estimateNoise()
        try self.init(.mosaic(source), look) { RawPhotoDetails(recipe: recipe) }
    }

    /// Creates a photo from a linear image in memory. `recipe` is the look for `look` `.file`.
    public init(_ photo: LinearImage, recipe: Recipe = Recipe(), look: Look = .file) throws {
        try self.init(.linear(LinearSource(photo)), look) { RawPhotoDetails(recipe: recipe) }
    }

    private init(_ source: RawSource, _ look: Look, _ details: () throws -> RawPhotoDetails) throws {
        try source.check()
        if let problem = source.metadata.problem { throw GscapError(.badPicture, "cannot develop: \(problem)") }
        guard source.metadata.calibrations.allSatisfy(\.isUsable) else {
            throw GscapError(.badPicture, "cannot develop: a colour matrix of the camera cannot be inverted")
        }
        let details = try details()
        let recipe = details.recipe
        self.source = source
        if let tags = details.inheritableTags { self.source.metadata.sourceTags = tags }
        lensCorrection = source.metadata.lens
        let whole = PixelRectangle(left: 0, top: 0, width: source.width, height: source.height)
        areas = (details.areas?.whole ?? whole, details.areas?.shown ?? whole)
        squareScale = details.squareScale
        mattes = details.mattes
        depthMap = details.depthMap
        remarks = details.remarks + source.metadata.history.acceptedDamage.map { "accepted damage: \($0)" }
        switch look {
        case .file: self.recipe = recipe
        case .automatic: self.recipe = try Self.automaticLook(for: source, baselineExposure: recipe.exposure)
        case .none:
            self.recipe = .plain
            guard recipe.problem == nil else { break }
            self.recipe.exposure = recipe.exposure
            self.recipe.sharpness = recipe.sharpness
        }
        fileExposure = self.recipe.exposure
        originalRecipe = self.recipe
    }

    /// The photo with the settings that it had after creation.
    var unchanged: RAWFilter {
        var filter = self
        filter.recipe = originalRecipe
        filter.fileExposure = originalRecipe.exposure
        filter.isLensCorrectionEnabled = true
        return filter
    }

    /// Returns a look derived from the photo.
    ///
    /// A linear image from another program carries its headroom above diffuse white only as BaselineExposure
    /// (`baselineExposure`): the recipe is made with that headroom and then brightened by it.
    private static func automaticLook(
        for source: RawSource, baselineExposure: Double
    ) throws(GscapError) -> Recipe {
        switch source {
        case .mosaic(let mosaic): return try RecipeMaker().recipe(for: GscapError.checking(mosaic.owned))
        case .linear(let photo):
            var photo = try GscapError.checking(photo.owned)
            guard photo.metadata.fusion == nil, baselineExposure > 0, baselineExposure <= 12 else {
                return try RecipeMaker().recipe(for: photo)
            }
            photo.metadata.fusion = FusionReport()
            photo.metadata.fusion?.headroom = baselineExposure
            var recipe = try RecipeMaker().recipe(for: photo)
            recipe.exposure += baselineExposure
            return recipe
        }
    }
}

// MARK: - Development settings

extension RAWFilter {
    /// Exposure adjustment in EV on top of `baselineExposure`.
    public var exposure: Double {
        get { recipe.exposure - fileExposure }
        set { recipe.exposure = fileExposure + newValue }
    }

    /// The exposure of the look itself in EV, before adjustment by `exposure`.
    public var baselineExposure: Double {
        get { fileExposure }
        set {
            let adjustment = exposure
            fileExposure = newValue
            recipe.exposure = newValue + adjustment
        }
    }

    /// The correlated colour temperature of the white point, in kelvin.
    public var neutralTemperature: Double {
        get { white.temperature }
        set { setNeutral(temperature: newValue, tint: white.tint) }
    }

    /// The tint of the white point off the black-body locus: negative is green, positive is magenta.
    public var neutralTint: Double {
        get { white.tint }
        set { setNeutral(temperature: white.temperature, tint: newValue) }
    }

    /// The CIE 1931 xy chromaticity of the white point.
    public var neutralChromaticity: (x: Double, y: Double) {
        get {
            let white = chromaticity
            return (white.x, white.y)
        }
        set { setNeutral(x: newValue.x, y: newValue.y) }
    }

    /// Sharpening strength, 0...1; 0.5 is the usual amount.
    public var sharpnessAmount: Double {
        get { recipe.sharpness / 2 }
        set { recipe.sharpness = newValue * 2 }
    }

    /// Strength of the local tone mapping (gain table map), 0...1.
    public var localToneMapAmount: Double {
        get { recipe.localToneMapAmount }
        set { recipe.localToneMapAmount = newValue }
    }

    /// Strength of the tone curve and local tone mapping together, 0...1.
    public var boostAmount: Double {
        get { recipe.boost }
        set { recipe.boost = newValue }
    }

    /// The linear value that is mapped to black, relative to white.
    public var shadowBias: Double {
        get { recipe.shadowBias }
        set { recipe.shadowBias = newValue }
    }

    /// Whether colours outside the output gamut are desaturated to fit, instead of being clipped.
    public var isGamutMappingEnabled: Bool {
        get { recipe.mapsGamut }
        set { recipe.mapsGamut = newValue }
    }

    /// Strength of the highlights above diffuse white in HDR pictures, 0...1.
    public var extendedDynamicRangeAmount: Double {
        get { recipe.extendedRangeAmount }
        set { recipe.extendedRangeAmount = newValue }
    }

    /// Strength of luminance noise reduction, 0...1.
    public var luminanceNoiseReductionAmount: Double {
        get { recipe.settled(for: source).luminanceNoiseReduction ?? 0 }
        set { recipe.luminanceNoiseReduction = newValue }
    }

    /// Strength of colour noise reduction, 0...1.
    public var colorNoiseReductionAmount: Double {
        get { recipe.settled(for: source).colorNoiseReduction ?? 0 }
        set { recipe.colorNoiseReduction = newValue }
    }
}

// MARK: - White balance

extension RAWFilter {
    private var chromaticity: Chromaticity {
        switch recipe.whiteBalance {
        case .chromaticity(let x, let y): return Chromaticity(x: x, y: y)
        case .temperature(let kelvin, let tint): return Chromaticity(temperature: kelvin, tint: tint)
        case .neutral, nil:
            let balanced = (try? metadata.balanced(recipe.whiteBalance)) ?? metadata
            return CameraColor(balanced).white
        }
    }

    private var white: (temperature: Double, tint: Double) {
        if case .temperature(let kelvin, let tint) = recipe.whiteBalance { return (kelvin, tint) }
        return chromaticity.temperatureAndTint
    }

    /// Sets the white point by correlated colour temperature in kelvin and tint.
    public mutating func setNeutral(temperature: Double, tint: Double) {
        recipe.whiteBalance = .temperature(temperature, tint: tint)
    }

    /// Sets the white point by CIE 1931 xy chromaticity.
    public mutating func setNeutral(x: Double, y: Double) {
        recipe.whiteBalance = .chromaticity(x: x, y: y)
    }
}

extension RAWFilter {
    /// Sets the white balance so that the area around a pixel of the upright photo becomes neutral grey.
    ///
    /// Throws if the area is clipped, dark or outside the photo.
    public mutating func setNeutral(column: Int, row: Int) throws(GscapError) {
        let center = try raw(column: column, row: row)
        // A larger area averages noise; 1/120 of the shorter side still covers only one spot of a large photo.
        let reach = max(5, min(source.width, source.height) / 120)
        let area = PixelRectangle(
            left: center.column - reach, top: center.row - reach, width: 2 * reach + 1, height: 2 * reach + 1)
        let neutral =
            switch source {
            case .mosaic(let mosaic): NeutralEstimate.mean(of: try GscapError.checking(mosaic.owned), in: area)
            case .linear(let photo): NeutralEstimate.mean(of: try GscapError.checking(photo.owned), in: area)
            }
        guard let neutral else {
            throw GscapError(
                .badRecipe,
                "cannot take the white balance at \(column), \(row), which is clipped or dark: choose a grey area")
        }
        recipe.whiteBalance = .neutral(neutral)
    }

    /// Sets the white balance from the photo's own colours; throws if all of the photo is clipped or dark.
    public mutating func setAutomaticWhiteBalance() throws(GscapError) {
        let neutral =
            switch source {
            case .mosaic(let mosaic): NeutralEstimate.illuminant(of: try GscapError.checking(mosaic.owned))
            case .linear(let photo): NeutralEstimate.illuminant(of: try GscapError.checking(photo.owned))
            }
        guard let neutral else {
            throw GscapError(.badRecipe, "cannot estimate the white balance: the whole photo is clipped or dark")
        }
        recipe.whiteBalance = .neutral(neutral)
    }
}
