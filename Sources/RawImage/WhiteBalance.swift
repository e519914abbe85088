/// A user-defined white balance, which replaces the camera's.
public enum WhiteBalance: Sendable, Hashable, Codable {
    /// The camera-native colour of white, at any scale (DNG's AsShotNeutral).
    case neutral(SIMD3<Double>)
    /// The white point's colour temperature in kelvin, and the tint, which makes the image more magenta when positive;
    /// 150 is a strong tint.
    case temperature(Double, tint: Double)
    /// The CIE 1931 chromaticity x and y of the white point.
    case chromaticity(x: Double, y: Double)
}
