/// A colour without its brightness: CIE 1931 x and y.
package struct Chromaticity: Sendable, Hashable {
    /// The share of X.
    package var x: Double
    /// The share of Y.
    package var y: Double

    /// A colour from its two shares.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The colour of an XYZ value; nil when that is none that a light can have.
    package init?(_ color: SIMD3<Double>) {
        let sum = color.sum()
        guard sum.isFinite, sum > 0 else { return nil }
        x = color.x / sum
        y = color.y / sum
        guard (0.05...0.9).contains(x), (0.05...0.9).contains(y), x + y < 1 else { return nil }
    }

    /// Horizon light, the white of a DNG's profile space.
    package static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
    /// Daylight, the white of sRGB.
    package static let d65 = Chromaticity(x: 0.3127, y: 0.3290)

    /// The XYZ of this colour with Y = 1.
    package var color: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }

    /// The correlated colour temperature in kelvin, by McCamy's cubic.
    package var temperature: Double {
        let slope = (x - 0.3320) / (0.1858 - y)
        return ((449 * slope + 3525) * slope + 6823.3) * slope + 5520.33
    }

    /// The matrix that makes XYZ seen under this white look alike under another, after Bradford.
    package func adaptation(to target: Chromaticity) -> Matrix3 {
        let cone = Matrix3(
            SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
        guard let inverse = cone.inverse else { return .identity }
        let from = cone * color
        let to = cone * target.color
        return inverse * Matrix3(diagonal: to / from) * cone
    }
}
