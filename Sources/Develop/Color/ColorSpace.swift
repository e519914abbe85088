internal import RawImage

/// A space of red, green and blue, by the colours of its primaries and its white.
struct ColorSpace {
    private let primaries: [Chromaticity]
    private let white: Chromaticity

    /// The wide space in which looks are made: ProPhoto's, which DNG's tables and curves are for.
    static let profile = ColorSpace(
        primaries: [
            Chromaticity(x: 0.7347, y: 0.2653), Chromaticity(x: 0.1596, y: 0.8404), Chromaticity(x: 0.0366, y: 0.0001),
        ], white: .d50)

    /// The space of a table of colours.
    static func of(cube primaries: ColorCube.Primaries) -> ColorSpace {
        switch primaries {
        case .sRGB: .of(.sRGB)
        case .displayP3: .of(.displayP3)
        case .rec2020: .of(.rec2020)
        case .proPhoto: .profile
        case .adobeRGB:
            ColorSpace(
                primaries: [
                    Chromaticity(x: 0.64, y: 0.33), Chromaticity(x: 0.21, y: 0.71), Chromaticity(x: 0.15, y: 0.06),
                ], white: .d65)
        }
    }

    /// The space of a finished picture.
    static func of(_ primaries: PictureColor.Primaries) -> ColorSpace {
        let places: [(Double, Double)] =
            switch primaries {
            case .sRGB: [(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)]
            case .displayP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
            case .rec2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
            }
        return ColorSpace(primaries: places.map { Chromaticity(x: $0.0, y: $0.1) }, white: .d65)
    }

    /// Linear colours of the space to XYZ under its white.
    var toXYZ: Matrix3 {
        let columns = primaries.map(\.color)
        let matrix = Matrix3(columns[0], columns[1], columns[2]).transposed
        let strengths = (matrix.inverse ?? .identity) * white.color
        return matrix * Matrix3(diagonal: strengths)
    }

    /// Linear colours of the space to those of another, white to white.
    func matrix(to other: ColorSpace) -> Matrix3 {
        (other.toXYZ.inverse ?? .identity) * white.adaptation(to: other.white) * toXYZ
    }

    /// XYZ under horizon light to the space's linear colours.
    var fromHorizonXYZ: Matrix3 {
        (toXYZ.inverse ?? .identity) * Chromaticity.d50.adaptation(to: white)
    }
}
