/// The look wanted of a developed picture.
public struct Recipe: Sendable, Hashable {
    /// Brightening of the linear light in EV; 0 leaves the sensor's white at the display's white.
    public var exposure: Double

    /// A look; without arguments the plain one.
    public init(exposure: Double = 0) {
        self.exposure = exposure
    }
}
