internal import RawImage

/// An RGB colour space, defined by the chromaticities of its primaries and white point.
struct ColorSpace {
    private let primaries: [Chromaticity]
    private let white: Chromaticity

    /// The working space of looks: ProPhoto RGB, for which DNG's tables and curves are defined.
    static let profile = ColorSpace(
        primaries: [
            Chromaticity(x: 0.7347, y: 0.2653), Chromaticity(x: 0.1596, y: 0.8404), Chromaticity(x: 0.0366, y: 0.0001),
        ], white: .d50)

    /// Returns the colour space of a colour cube.
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

    /// Returns the colour space of a rendered picture.
    static func of(_ primaries: PictureColor.Primaries) -> ColorSpace {
        let coordinates: [(Double, Double)] =
            switch primaries {
            case .sRGB: [(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)]
            case .displayP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
            case .rec2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
            }
        return ColorSpace(primaries: coordinates.map { Chromaticity(x: $0.0, y: $0.1) }, white: .d65)
    }

    /// Matrix from linear RGB to XYZ relative to the space's white point.
    var toXYZ: Matrix3 {
        let columns = primaries.map(\.color)
        let matrix = Matrix3(columns[0], columns[1], columns[2]).transposed
        let scales = (matrix.inverse ?? .identity) * white.color
        return matrix * Matrix3(diagonal: scales)
    }

    /// Returns the matrix from linear RGB of this space to another, with chromatic adaptation between their white
    /// points.
    func matrix(to other: ColorSpace) -> Matrix3 {
        (other.toXYZ.inverse ?? .identity) * white.adaptation(to: other.white) * toXYZ
    }

    /// Matrix from XYZ (D50) to linear RGB of the space.
    var fromD50XYZ: Matrix3 {
        (toXYZ.inverse ?? .identity) * Chromaticity.d50.adaptation(to: white)
    }
}
