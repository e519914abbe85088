/// A recipe: the parameters for rendering linear values as a display image.
///
/// The pipeline computes one for each photo and stores it in the DNG; the renderer applies it.
public struct Recipe: Sendable, Hashable, Codable {
    /// Exposure compensation in EV; at 0 the sensor's white level maps to display white.
    public var exposure: Double
    /// Amount of sharpening relative to the default of 1 (DNG's BaselineSharpness), 0…16.
    public var sharpness: Double
    /// Local tone mapping, as a map of gain tables; nil for none.
    public var gainTableMap: GainTableMap?
    /// The global tone curve; nil for the renderer's own.
    public var toneCurve: ToneCurve?
    /// Name of the camera profile (DNG's ProfileName); empty for none.
    public var name: String
    /// The white balance; nil for that in the frame's metadata.
    public var whiteBalance: WhiteBalance?
    /// Colour corrections in HSV (DNG's ProfileHueSatMap), one for each of the camera's calibrations; empty for none.
    public var hueSatMaps: [HueSatMap] = []
    /// Colour table of the look in HSV (DNG's ProfileLookTable); nil for none.
    public var lookTable: HueSatMap?
    /// RGB lookup table applied after the tone curve (DNG's RGBTables); nil for none.
    public var colorCube: ColorCube?
    /// Linear value that is subtracted as black; 0 for none, and 0.005 by default in raw converters.
    public var shadowBias = 0.0
    /// Strength of the tone curve and of local tone mapping, 0…1; at 0 `lookTable` and `colorCube` are not applied
    /// either.
    public var boost = 1.0
    /// Strength of local tone mapping alone, 0…1; multiplied with `boost`.
    public var localToneMapAmount = 1.0
    /// The fraction, 0…1, of the highlights above diffuse white that HDR images show.
    public var extendedRangeAmount = 1.0
    /// Strength of luminance noise reduction, 0…1, relative to the frame's noise profile. nil for the default: 0.5 for
    /// mosaics, and 0 for linear photos, which are assumed to be denoised already.
    public var luminanceNoiseReduction: Double?
    /// Strength of chroma noise reduction, 0…1; nil for the default: 1 for mosaics and 0 for linear photos.
    public var colorNoiseReduction: Double?
    /// Whether colours outside the display gamut are desaturated at constant luminance rather than clipped.
    public var mapsGamut = true

    /// Creates a recipe; the other parameters have their default values.
    public init(
        exposure: Double = 0, sharpness: Double = 1, gainTableMap: GainTableMap? = nil, toneCurve: ToneCurve? = nil,
        name: String = ""
    ) {
        self.exposure = exposure
        self.sharpness = sharpness
        self.gainTableMap = gainTableMap
        self.toneCurve = toneCurve
        self.name = name
    }

    /// A neutral recipe: linear values with the display's transfer function only, without tone curve, tables or local
    /// tone mapping.
    public static var plain: Recipe {
        var recipe = Recipe()
        recipe.boost = 0
        return recipe
    }

    /// Describes the first value out of range; nil when all are valid.
    public var problem: String? {
        guard exposure.isFinite, abs(exposure) <= 16 else {
            return "an exposure of \(exposure) EV is not between -16 and 16"
        }
        guard (0...16).contains(sharpness) else { return "a sharpness of \(sharpness) is not between 0 and 16" }
        guard (-0.5...0.5).contains(shadowBias) else {
            return "a shadow bias of \(shadowBias) is not between -0.5 and 0.5"
        }
        let amounts = [
            ("boost", boost), ("local tone map amount", localToneMapAmount),
            ("extended range amount", extendedRangeAmount),
            ("luminance noise reduction", luminanceNoiseReduction ?? 0),
            ("color noise reduction", colorNoiseReduction ?? 0),
        ]
        if let (name, amount) = amounts.first(where: { !(0...1).contains($0.1) }) {
            return "the \(name) \(amount) is not between 0 and 1"
        }
        switch whiteBalance {
        case nil: break
        case .neutral(let neutral):
            guard (0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 0 }) else {
                return "the neutral \(neutral.x) \(neutral.y) \(neutral.z) has a component that is not above 0"
            }
        case .temperature(let kelvin, let tint):
            guard WhiteBalance.temperatures.contains(kelvin), WhiteBalance.tints.contains(tint) else {
                return "a white balance of \(kelvin) K and tint \(tint) is not between 1000 and 50000 K, -500 and 500"
            }
        case .chromaticity(let x, let y):
            guard (0.05...0.9).contains(x), (0.05...0.9).contains(y), x + y < 1 else {
                return "the white point x \(x), y \(y) is not the chromaticity of a light source: "
                    + "x and y must be between 0.05 and 0.9, and their sum below 1"
            }
        }
        return gainTableMap?.problem
    }
}
