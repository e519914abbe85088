/// The look of a picture: how linear light becomes the picture that is shown.
///
/// It is made for each photo, written into its DNG, and obeyed by the renderer.
public struct Recipe: Sendable, Hashable, Codable {
    /// Brightening of the linear light in EV; 0 leaves the sensor's white at the display's white.
    public var exposure: Double
    /// How much sharpening the picture bears, 1 for a usual camera.
    public var sharpness: Double
    /// Gains that differ over the picture; nil for none.
    public var gainTableMap: GainTableMap?
    /// The curve that ends it; nil leaves the curve to the converter.
    public var toneCurve: ToneCurve?
    /// What converters call the look; empty for a look without a name.
    public var name: String
    /// What counts as white; nil for what the frame's metadata say.
    public var whiteBalance: WhiteBalance?
    /// Corrections of the camera's colours, one for each of its calibrations; empty for none.
    public var hueSatMaps: [HueSatMap] = []
    /// The look of colours; nil for none.
    public var lookTable: HueSatMap?
    /// What is made of the colours that the tone curve leaves; nil for nothing.
    public var colorCube: ColorCube?
    /// The light that is taken off to make black black; 0 for none. Converters' own choice is 0.005.
    public var shadowBias = 0.0
    /// How much of the tone curve and of the local gains is applied, 0…1.
    public var boost = 1.0
    /// How much of the local gains is applied, 0…1.
    public var localToneMapAmount = 1.0
    /// How much of what is brighter than white HDR pictures show, 0…1.
    public var extendedRangeAmount = 1.0
    /// How much of the noise of brightness is taken away, 0…1, by what the frame's metadata say of noise; nil for what is usual:
    /// a half of a mosaic's, and nothing of a linear photo's, whose maker has seen to it.
    public var luminanceNoiseReduction: Double?
    /// How much of the noise of colour is taken away, 0…1; nil for what is usual: all of a mosaic's, and nothing of a linear
    /// photo's.
    public var colorNoiseReduction: Double?
    /// Whether colours that the display cannot show become paler ones of the same brightness, rather than being cut.
    public var mapsGamut = true

    /// A look; without arguments the plain one.
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

    /// No look: the light as it is, with the display's own curve.
    public static var plain: Recipe {
        var recipe = Recipe()
        recipe.boost = 0
        return recipe
    }

    /// The rule that the values break, in words; nil when a renderer can work with them.
    public var problem: String? {
        guard exposure.isFinite, abs(exposure) <= 16 else {
            return "an exposure of \(exposure) EV is not between -16 and 16"
        }
        guard (0...16).contains(sharpness) else { return "a sharpness of \(sharpness) is not between 0 and 16" }
        guard (-0.5...0.5).contains(shadowBias) else {
            return "a shadow bias of \(shadowBias) is not between -0.5 and 0.5"
        }
        let shares = [
            ("boost", boost), ("local tone map amount", localToneMapAmount), ("range amount", extendedRangeAmount),
            ("luminance noise reduction", luminanceNoiseReduction ?? 0),
            ("color noise reduction", colorNoiseReduction ?? 0),
        ]
        if let (name, share) = shares.first(where: { !(0...1).contains($0.1) }) {
            return "a \(name) of \(share) is not between 0 and 1"
        }
        switch whiteBalance {
        case nil: break
        case .neutral(let neutral):
            guard (0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 0 }) else {
                return "a white of \(neutral) has a component that is not above 0"
            }
        case .temperature(let kelvin, let tint):
            guard (1000...50_000).contains(kelvin), (-500...500).contains(tint) else {
                return "a light of \(kelvin) K, tint \(tint), is not between 1000 and 50000 K, -500 and 500"
            }
        case .chromaticity(let x, let y):
            guard (0.05...0.9).contains(x), (0.05...0.9).contains(y), x + y < 1 else {
                return "no light has the chromaticity \(x), \(y)"
            }
        }
        return gainTableMap?.problem
    }
}
