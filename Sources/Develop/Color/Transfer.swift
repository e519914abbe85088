internal import Glibc
internal import RawImage

extension PictureColor.Transfer {
    /// The number that stands for light, in which 1 is the white of paper.
    func encoded(_ light: Double) -> Double {
        switch self {
        case .linear: light
        case .sRGB: DisplayCurve.encoded(min(light, 1))
        case .rec709: light < 0.018_053_97 ? 4.5 * light : 1.099_296_83 * pow(min(light, 1), 0.45) - 0.099_296_83
        case .pq:
            {
                let power = pow(max(light, 0) * Self.paperWhite / 10_000, 2610.0 / 16_384)
                return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
            }()
        case .hlg:
            {
                // Light of the scene, which a screen of 1000 cd/m² brings to the wanted one.
                let scene = max(light, 0)
                return scene <= 1.0 / 12
                    ? (3 * scene).squareRoot() : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
            }()
        }
    }

    /// The most light that can be told.
    var top: Double {
        switch self {
        case .sRGB, .rec709: 1
        case .pq: 10_000 / Self.paperWhite
        case .hlg: Self.middleScreen / Self.paperWhite
        case .linear: .infinity
        }
    }

    /// What a picture's light is multiplied by, by its brightness, to become the light of HLG's scene: its screens make
    /// bright colours brighter.
    static func sceneScale(brightness: Double) -> Double {
        let share = max(brightness, 1e-4) * paperWhite / middleScreen
        return paperWhite / middleScreen * pow(share, 1 / 1.2 - 1)
    }

    /// In cd/m²: of paper in HDR pictures, and of the white of a middle HDR screen.
    private static let paperWhite = 203.0
    private static let middleScreen = 1000.0
}
