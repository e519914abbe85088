/// What counts as white, in place of what the camera chose.
public enum WhiteBalance: Sendable, Hashable, Codable {
    /// The camera's response to white, in any scale.
    case neutral(SIMD3<Double>)
    /// The light's temperature in kelvin, and its tint: above 0 the picture gets more magenta, 150 is a strong one.
    case temperature(Double, tint: Double)
    /// The light's CIE 1931 x and y.
    case chromaticity(x: Double, y: Double)
}
