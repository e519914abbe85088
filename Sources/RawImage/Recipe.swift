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
}
