/// A user-defined white balance, which replaces the camera's.
public enum WhiteBalance: Sendable, Hashable, Codable {
    /// The camera-native colour of white, at any scale (DNG's AsShotNeutral).
    case neutral(SIMD3<Double>)
    /// The white point's colour temperature in kelvin, and the tint, which makes the image more magenta when positive;
    /// 150 is a strong tint.
    case temperature(Double, tint: Double)
    /// The CIE 1931 chromaticity x and y of the white point.
    case chromaticity(x: Double, y: Double)

    /// The colour temperatures that a white balance may have, in kelvins.
    package static let temperatures = 1000.0...50_000.0
    /// The tints that a white balance may have. The largest are far from the colour of any lamp.
    package static let tints = -500.0...500.0
}
