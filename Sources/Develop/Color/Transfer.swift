internal import Glibc
internal import RawImage

extension PictureColor.Transfer {
    /// Encodes a linear value, in which 1 is diffuse white (for HLG a scene-linear value of 0...1), to a signal of
    /// 0...1; the linear transfer returns the value unchanged.
    func encoded(_ linear: Double) -> Double {
        switch self {
        case .linear: linear
        case .sRGB: DisplayCurve.encoded(min(linear, 1))
        case .rec709: linear < 0.018_053_97 ? 4.5 * linear : 1.099_296_83 * pow(min(linear, 1), 0.45) - 0.099_296_83
        case .pq:
            {
                let power = pow(max(linear, 0) * Self.diffuseWhite / 10_000, 2610.0 / 16_384)
                return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
            }()
        case .hlg:
            {
                // `linear` is scene-linear here: `sceneScale` has inverted the OOTF for a nominal 1000 cd/m² display.
                let scene = max(linear, 0)
                return scene <= 1.0 / 12
                    ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
            }()
        }
    }

    /// The largest linear value that can be encoded; 1 is diffuse white.
    var top: Double {
        switch self {
        case .sRGB, .rec709: 1
        case .pq: 10_000 / Self.diffuseWhite
        case .hlg: Self.nominalPeak / Self.diffuseWhite
        case .linear: .infinity
        }
    }

    /// Returns the factor from display-linear to HLG scene-linear values at a display luminance, which is given in
    /// multiples of diffuse white: the inverse of HLG's OOTF with gamma 1.2.
    static func sceneScale(brightness: Double) -> Double {
        let relative = max(brightness, 1e-4) * diffuseWhite / nominalPeak
        return diffuseWhite / nominalPeak * pow(relative, 1 / 1.2 - 1)
    }

    /// Luminance in cd/m² of diffuse white in HDR pictures (BT.2408).
    private static let diffuseWhite = 203.0
    /// Luminance in cd/m² of peak white on the nominal HLG display.
    private static let nominalPeak = 1000.0
}
