internal import Glibc
internal import RawImage

/// A 3-D colour lookup table in the form that the kernel reads.
struct CubeTable: Sendable {
    let side: Int
    /// The colours of the entries, as interleaved red, green and blue in the order of `ColorCube.colors`.
    let values: [Float]
    /// The matrix from the profile space (linear ProPhoto) to the cube's linear RGB; `fromCube` is its inverse.
    let toCube: Matrix3
    let fromCube: Matrix3
    /// The transfer function from linear values to cube coordinates; `decode` is its inverse. Nil for a linear cube.
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
