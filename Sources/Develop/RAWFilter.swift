public import DNG
public import RawImage

/// A raw photo on its way to a picture: what to change of its look, and the pictures that come of it.
///
/// It starts with the look that the file asks for. With all of the look taken off (`Look.none`, `boostAmount` 0) and a linear
/// output the picture is the scene's own light.
public struct RAWFilter: Sendable {
    /// Where the look comes from.
    public enum Look: String, Sendable, Hashable, CaseIterable {
        /// What the file says.
        case file
        /// Made anew from the photo's own light.
        case automatic = "auto"
        /// None: exposure and colours of the file, without curve, local gains and tables.
        case none
    }

    /// The look, which the properties here change.
    public var recipe: Recipe
    /// What is known of the photo.
    public var metadata: FrameMetadata { source.metadata }
    /// What the photo shows, where the file tells.
    public let mattes: [Matte]
    /// How far away things are, where the file tells.
    public let depthMap: DepthMap?
    /// Whether darkening toward the corners and distortion are undone.
    public var isLensCorrectionEnabled = true
    /// The pixels.
    let source: RawSource
    /// The part of them that the lens lit, and the part of that to show.
    let areas: (active: PixelRectangle, shown: PixelRectangle)
    let file: DNGFile?
    /// What is to be said of the file.
    let remarks: [String]
    private var fileExposure: Double

    /// A photo from a file, whose pixels are read at once.
    ///
    /// Throws when white or colours of the file make no sense, or the look that is asked for is the file's and makes none.
    public init(file: DNGFile, look: Look = .file) throws {
        guard let main = file.main else { throw DNGError(.noSuchImage, "there is no raw picture in it") }
        if let problem = file.colorProblem { throw DevelopError(.badPicture, "cannot develop: \(problem)") }
        if look == .file, let problem = file.lookProblem?.message ?? file.recipe.problem {
            throw DevelopError(
                .badPicture, "the file's look makes no sense: \(problem); ask for another look than the file's")
        }
        guard main.kind == .bayer else {
            try self.init(.linear(RawPhoto(try file.linearImage())), file.recipe, look, file)
            return
        }
        var mosaic = RawMosaic(try file.mosaic())
        if mosaic.metadata.problem == nil { mosaic.repair(inPlace: true) }
        try self.init(.mosaic(mosaic), file.recipe, look, file)
    }

    /// A photo in memory, with the look that it brings.
    public init(_ mosaic: Mosaic, recipe: Recipe = Recipe(), look: Look = .file) throws {
        try self.init(.mosaic(RawMosaic(mosaic)), recipe, look, nil)
    }

    /// A photo in memory, with the look that it brings.
    public init(_ photo: LinearImage, recipe: Recipe = Recipe(), look: Look = .file) throws {
        try self.init(.linear(RawPhoto(photo)), recipe, look, nil)
    }

    private init(_ source: RawSource, _ recipe: Recipe, _ look: Look, _ file: DNGFile?) throws {
        try source.check()
        if let problem = source.metadata.problem { throw DevelopError(.badPicture, "cannot develop: \(problem)") }
        guard source.metadata.calibrations.allSatisfy(\.isUsable) else {
            throw DevelopError(.badPicture, "cannot develop: a colour matrix of the camera cannot be inverted")
        }
        self.source = source
        self.file = file
        let whole = PixelRectangle(left: 0, top: 0, width: source.width, height: source.height)
        areas = (file?.shownAreas?.whole ?? whole, file?.shownAreas?.shown ?? whole)
        mattes = try file?.mattes() ?? []
        depthMap = try file?.depthMap()
        remarks = file?.remarks.map(\.message) ?? []
        switch look {
        case .file: self.recipe = recipe
        case .automatic: self.recipe = try Self.made(for: source, brightened: recipe.exposure)
        case .none:
            self.recipe = .plain
            guard recipe.problem == nil else { break }
            self.recipe.exposure = recipe.exposure
            self.recipe.sharpness = recipe.sharpness
        }
        fileExposure = self.recipe.exposure
    }

    /// The look made of the photo's light. How far the white of a linear one lies above the usual, a file tells by its own
    /// exposure alone.
    private static func made(for source: RawSource, brightened: Double) throws(DevelopError) -> Recipe {
        switch source {
        case .mosaic(let mosaic): return try RecipeMaker().recipe(for: DevelopError.checking(mosaic.owned))
        case .linear(let photo):
            var photo = try DevelopError.checking(photo.owned)
            guard photo.metadata.fusion == nil, brightened > 0, brightened <= 12 else {
                return try RecipeMaker().recipe(for: photo)
            }
            photo.metadata.fusion = FusionReport()
            photo.metadata.fusion?.headroom = brightened
            var recipe = try RecipeMaker().recipe(for: photo)
            recipe.exposure += brightened
            return recipe
        }
    }
}

// MARK: - What can be changed

extension RAWFilter {
    /// How much brighter than the look has it, in EV.
    public var exposure: Double {
        get { recipe.exposure - fileExposure }
        set { recipe.exposure = fileExposure + newValue }
    }

    /// The brightening that the look has by itself, in EV.
    public var baselineExposure: Double {
        get { fileExposure }
        set {
            let added = exposure
            fileExposure = newValue
            recipe.exposure = newValue + added
        }
    }

    /// The temperature of the light that counts as white, in kelvin.
    public var neutralTemperature: Double {
        get { white.temperature }
        set { setNeutral(temperature: newValue, tint: white.tint) }
    }

    /// How far that light leans from the green (below 0) to the magenta.
    public var neutralTint: Double {
        get { white.tint }
        set { setNeutral(temperature: white.temperature, tint: newValue) }
    }

    /// CIE 1931 x and y of the light that counts as white.
    public var neutralChromaticity: (x: Double, y: Double) {
        get {
            let white = chromaticity
            return (white.x, white.y)
        }
        set { setNeutral(x: newValue.x, y: newValue.y) }
    }

    /// How much of the sharpening that the photo bears is done, 0…1; a half is usual.
    public var sharpnessAmount: Double {
        get { recipe.sharpness / 2 }
        set { recipe.sharpness = newValue * 2 }
    }

    /// How much of the local gains is applied, 0…1.
    public var localToneMapAmount: Double {
        get { recipe.localToneMapAmount }
        set { recipe.localToneMapAmount = newValue }
    }

    /// How much of curve and local gains is applied, 0…1.
    public var boostAmount: Double {
        get { recipe.boost }
        set { recipe.boost = newValue }
    }

    /// The light that is taken off to make black black.
    public var shadowBias: Double {
        get { recipe.shadowBias }
        set { recipe.shadowBias = newValue }
    }

    /// Whether colours that the output cannot show become paler ones, rather than being cut.
    public var isGamutMappingEnabled: Bool {
        get { recipe.mapsGamut }
        set { recipe.mapsGamut = newValue }
    }

    /// How much of what is brighter than white HDR pictures show, 0…1.
    public var extendedDynamicRangeAmount: Double {
        get { recipe.extendedRangeAmount }
        set { recipe.extendedRangeAmount = newValue }
    }

    /// How much of the noise of brightness is taken off, 0…1.
    public var luminanceNoiseReductionAmount: Double {
        get { recipe.settled(for: source).luminanceNoiseReduction ?? 0 }
        set { recipe.luminanceNoiseReduction = newValue }
    }

    /// How much of the noise of colour is taken off, 0…1.
    public var colorNoiseReductionAmount: Double {
        get { recipe.settled(for: source).colorNoiseReduction ?? 0 }
        set { recipe.colorNoiseReduction = newValue }
    }
}

// MARK: - White

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

    /// Makes a light white.
    public mutating func setNeutral(temperature: Double, tint: Double) {
        recipe.whiteBalance = .temperature(temperature, tint: tint)
    }

    /// Makes a light white, by its CIE 1931 x and y.
    public mutating func setNeutral(x: Double, y: Double) {
        recipe.whiteBalance = .chromaticity(x: x, y: y)
    }
}

extension RAWFilter {
    /// Makes white what lies at and around a pixel of the upright photo; throws when that is clipped or dark.
    public mutating func setNeutral(column: Int, row: Int) throws(DevelopError) {
        let (column, row) = try raw(column: column, row: row)
        // More pixels have less noise together; of a large picture they are still one place.
        let reach = max(5, min(source.width, source.height) / 120)
        let area = PixelRectangle(
            left: column - reach, top: row - reach, width: 2 * reach + 1, height: 2 * reach + 1)
        let neutral =
            switch source {
            case .mosaic(let mosaic): NeutralEstimate.mean(of: try DevelopError.checking(mosaic.owned), in: area)
            case .linear(let photo): NeutralEstimate.mean(of: try DevelopError.checking(photo.owned), in: area)
            }
        guard let neutral else {
            throw DevelopError(
                .badRecipe,
                "what lies at \(column), \(row) is clipped, dark, or not in the picture: choose a grey place")
        }
        recipe.whiteBalance = .neutral(neutral)
    }

    /// Makes white the light that the photo itself shows; throws when all of it is clipped or dark.
    public mutating func setAutomaticWhiteBalance() throws(DevelopError) {
        let neutral =
            switch source {
            case .mosaic(let mosaic): NeutralEstimate.light(of: try DevelopError.checking(mosaic.owned))
            case .linear(let photo): NeutralEstimate.light(of: try DevelopError.checking(photo.owned))
            }
        guard let neutral else {
            throw DevelopError(.badRecipe, "the photo is all clipped or dark: its light cannot be told")
        }
        recipe.whiteBalance = .neutral(neutral)
    }
}
