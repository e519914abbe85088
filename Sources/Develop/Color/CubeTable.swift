internal import Glibc
internal import RawImage

/// A cube of colours as the kernel wants it.
struct CubeTable: Sendable {
    let side: Int
    /// The colours, their numbers one after the other.
    let values: [Float]
    /// The profile space to the cube's colours, and back.
    let toCube: Matrix3
    let fromCube: Matrix3
    /// Light to the place along an edge, and back; nil when they are alike.
    let encode: CurveTable?
    let decode: CurveTable?
    let extendsGamut: Bool

    init(_ cube: ColorCube) {
        side = cube.side
        values = cube.colors.flatMap { [$0.x, $0.y, $0.z] }
        let space = ColorSpace.of(cube: cube.primaries)
        toCube = ColorSpace.profile.matrix(to: space)
        fromCube = space.matrix(to: .profile)
        extendsGamut = cube.extendsGamut
        switch cube.encoding {
        case .linear: (encode, decode) = (nil, nil)
        case .sRGB:
            (encode, decode) = (CurveTable { DisplayCurve.encoded($0) }, CurveTable { DisplayCurve.decoded($0) })
        case .gamma18, .gamma22:
            let gamma = cube.encoding == .gamma18 ? 1.8 : 2.2
            (encode, decode) = (CurveTable { pow($0, 1 / gamma) }, CurveTable { pow($0, gamma) })
        case .rec2020:
            encode = CurveTable { $0 < 0.018 ? 4.5 * $0 : 1.099 * pow($0, 0.45) - 0.099 }
            decode = CurveTable { $0 < 0.081 ? $0 / 4.5 : pow(($0 + 0.099) / 1.099, 1 / 0.45) }
        }
    }
}
