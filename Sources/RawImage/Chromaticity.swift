/// A CIE 1931 chromaticity: the x and y of a colour, without its luminance.
package struct Chromaticity: Sendable, Hashable {
    /// CIE 1931 x: X / (X + Y + Z).
    package var x: Double
    /// CIE 1931 y: Y / (X + Y + Z).
    package var y: Double

    /// Creates a chromaticity from CIE 1931 x and y, without a check.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Creates the chromaticity of an XYZ value; nil unless x and y are in 0.05…0.9, as those of any light source are.
    package init?(_ color: SIMD3<Double>) {
        let sum = color.sum()
        guard sum.isFinite, sum > 0 else { return nil }
        x = color.x / sum
        y = color.y / sum
        guard (0.05...0.9).contains(x), (0.05...0.9).contains(y), x + y < 1 else { return nil }
    }

    /// The CIE illuminant D50 (horizon light), the white point of DNG's profile connection space.
    package static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
    /// The CIE illuminant D65 (daylight), the white point of sRGB.
    package static let d65 = Chromaticity(x: 0.3127, y: 0.3290)

    /// CIE XYZ of this chromaticity at Y = 1.
    package var color: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }

    /// The correlated colour temperature in kelvin, by McCamy's cubic approximation.
    package var temperature: Double {
        let slope = (x - 0.3320) / (0.1858 - y)
        return ((449 * slope + 3525) * slope + 6823.3) * slope + 5520.33
    }

    /// Returns the Bradford chromatic adaptation matrix, which converts XYZ under this white point to XYZ under
    /// `target`.
    package func adaptation(to target: Chromaticity) -> Matrix3 {
        let cone = Matrix3(
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
        guard let inverse = cone.inverse else { return .identity }
        let from = cone * color
        let to = cone * target.color
        return inverse * Matrix3(diagonal: to / from) * cone
    }
}
