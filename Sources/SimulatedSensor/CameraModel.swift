package import RawImage

/// The colour of the simulated camera: how its filters mix the scene's red, green and blue under two lights.
///
/// White-balanced camera colours are mixtures of linear sRGB. From them follow the forward matrices exactly, and the
/// colour matrices by von Kries' adaptation in Bradford's space. Between the lights matrices are interpolated by
/// inverse temperature, as DNG prescribes, so that a converter that does the same finds the scene's colours.
package struct CameraModel: Sendable {
    /// Colour under standard light A and D65.
    package let calibrations: [ColorCalibration]
    /// The camera's answer to white, largest component 1.
    package let neutral: SIMD3<Double>
    /// Linear sRGB of the scene, white being (1, 1, 1), to camera colour, white being `neutral`.
    package let fromScene: Matrix3

    /// The camera under a light of `temperature` kelvins.
    package init(temperature: Double) {
        let warm = Light(illuminant: .standardA, temperature: 2856, filters: Self.filtersA, neutral: Self.neutralA)
        let cool = Light(illuminant: .d65, temperature: 6504, filters: Self.filtersD65, neutral: Self.neutralD65)
        calibrations = [warm.calibration, cool.calibration]
        let share = min(max((1 / temperature - 1 / 6504) / (1 / 2856 - 1 / 6504), 0), 1)
        let colorMatrix = warm.colorMatrix * share + cool.colorMatrix * (1 - share)
        let forward = warm.forwardMatrix * share + cool.forwardMatrix * (1 - share)
        let white = colorMatrix * LightColor.white(temperature: temperature)
        neutral = white * (1 / white.max())
        fromScene = Matrix3(diagonal: neutral) * (forward.inverse ?? .identity) * LightColor.sRGBToD50
    }

    private static let filtersA = Matrix3(
        SIMD3(0.70, 0.24, 0.06), SIMD3(0.15, 0.70, 0.15), SIMD3(0.04, 0.28, 0.68))
    private static let filtersD65 = Matrix3(
        SIMD3(0.66, 0.26, 0.08), SIMD3(0.12, 0.72, 0.16), SIMD3(0.03, 0.24, 0.73))
    private static let neutralA = SIMD3(0.84, 1, 0.37)
    private static let neutralD65 = SIMD3(0.49, 1, 0.64)
}

/// The camera's matrices under one light.
private struct Light {
    let illuminant: Illuminant
    let colorMatrix: Matrix3
    let forwardMatrix: Matrix3

    init(illuminant: Illuminant, temperature: Double, filters: Matrix3, neutral: SIMD3<Double>) {
        self.illuminant = illuminant
        forwardMatrix = LightColor.sRGBToD50 * (filters.inverse ?? .identity)
        colorMatrix =
            Matrix3(diagonal: neutral) * filters * (LightColor.sRGBToD50.inverse ?? .identity)
            * LightColor.adaptationToD50(from: LightColor.white(temperature: temperature))
    }

    var calibration: ColorCalibration {
        ColorCalibration(illuminant: illuminant, colorMatrix: colorMatrix, forwardMatrix: forwardMatrix)
    }
}

extension Matrix3 {
    fileprivate static func + (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(left.rows.0 + right.rows.0, left.rows.1 + right.rows.1, left.rows.2 + right.rows.2)
    }
}
