package import RawImage

/// The colour response of the simulated camera: the matrices for two calibration illuminants, and their interpolation
/// for the current one.
///
/// White-balanced camera colours are linear combinations of linear sRGB. These define the forward matrices exactly, and
/// the colour matrices by Bradford chromatic adaptation. Matrices are interpolated linearly in inverse temperature, as
/// DNG prescribes, so that a raw converter that does the same reproduces the scene's colours.
package struct CameraModel: Sendable {
    /// Colour calibrations for standard light A and D65.
    package let calibrations: [ColorCalibration]
    /// Camera-native colour of the scene's white, with 1 as the largest component.
    package let neutral: SIMD3<Double>
    /// Converts linear sRGB of the scene, where white is (1, 1, 1), to camera-native colour, where white is `neutral`.
    package let fromScene: Matrix3

    /// Creates the model for an illuminant of `temperature` kelvin.
    package init(temperature: Double) {
        let warm = IlluminantMatrices(
            illuminant: .standardA, temperature: 2856, filters: Self.filtersA, neutral: Self.neutralA)
        let cool = IlluminantMatrices(
            illuminant: .d65, temperature: 6504, filters: Self.filtersD65, neutral: Self.neutralD65)
        calibrations = [warm.calibration, cool.calibration]
        let weight = min(max((1 / temperature - 1 / 6504) / (1 / 2856 - 1 / 6504), 0), 1)
        let colorMatrix = warm.colorMatrix * weight + cool.colorMatrix * (1 - weight)
        let forward = warm.forwardMatrix * weight + cool.forwardMatrix * (1 - weight)
        let white = colorMatrix * IlluminantColor.white(temperature: temperature)
        neutral = white * (1 / white.max())
        fromScene = Matrix3(diagonal: neutral) * (forward.inverse ?? .identity) * IlluminantColor.sRGBToD50
    }

    /// The model of a sensor without colour filters, all of whose pixels measure the luminance.
    package static let monochrome = CameraModel(luminance: SIMD3(0.2126, 0.7152, 0.0722))

    private init(luminance: SIMD3<Double>) {
        (calibrations, neutral) = ([], SIMD3(repeating: 1))
        fromScene = Matrix3(luminance, luminance, luminance)
    }

    /// Converts linear sRGB to white-balanced camera colour, under standard light A (`filtersA`) and D65
    /// (`filtersD65`); each row sums to 1.
    private static let filtersA = Matrix3(
        SIMD3(0.70, 0.24, 0.06), SIMD3(0.15, 0.70, 0.15), SIMD3(0.04, 0.28, 0.68))
    private static let filtersD65 = Matrix3(
        SIMD3(0.66, 0.26, 0.08), SIMD3(0.12, 0.72, 0.16), SIMD3(0.03, 0.24, 0.73))
    /// The camera's red, green and blue for a white object under standard light A (`neutralA`) and D65 (`neutralD65`).
    private static let neutralA = SIMD3(0.84, 1, 0.37)
    private static let neutralD65 = SIMD3(0.49, 1, 0.64)
}

/// The camera's colour matrices for one illuminant.
private struct IlluminantMatrices {
    let illuminant: Illuminant
    let colorMatrix: Matrix3
    let forwardMatrix: Matrix3

    init(illuminant: Illuminant, temperature: Double, filters: Matrix3, neutral: SIMD3<Double>) {
        self.illuminant = illuminant
        forwardMatrix = IlluminantColor.sRGBToD50 * (filters.inverse ?? .identity)
        colorMatrix =
            Matrix3(diagonal: neutral) * filters * (IlluminantColor.sRGBToD50.inverse ?? .identity)
            * IlluminantColor.adaptationToD50(from: IlluminantColor.white(temperature: temperature))
    }

    var calibration: ColorCalibration {
        ColorCalibration(illuminant: illuminant, colorMatrix: colorMatrix, forwardMatrix: forwardMatrix)
    }
}
