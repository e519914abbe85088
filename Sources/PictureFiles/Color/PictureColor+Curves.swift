internal import Glibc
internal import RawImage

extension PictureColor.Transfer {
    /// The luminance of diffuse white in cd/m² (BT.2408).
    static let diffuseWhite = 203.0

    /// Converts an encoded value in 0…1 to a linear value, with 1 at diffuse white.
    func linearValue(_ value: Double) -> Double {
        switch self {
        case .sRGB: value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        case .rec709: value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45)
        case .linear: value
        case .pq: Self.pqLuminance(value) / Self.diffuseWhite
        case .hlg: pow(Self.hlgSceneLight(value), 1.2) * Self.hlgPeak / Self.diffuseWhite
        }
    }

    /// The linear value of the largest encoded value, in multiples of diffuse white.
    var peak: Double { linearValue(1) }

    /// The peak luminance of the reference display of HLG, in cd/m².
    private static let hlgPeak = 1000.0

    /// Converts a PQ value (SMPTE ST 2084) to cd/m².
    private static func pqLuminance(_ value: Double) -> Double {
        let root = pow(max(0, value), 1 / 78.84375)
        return 10_000 * pow(max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
    }

    /// Converts an HLG value (ARIB STD-B67) to scene light, 0…1.
    private static func hlgSceneLight(_ value: Double) -> Double {
        value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}

extension PictureColor {
    /// The ColourPrimaries code of ITU-T H.273, as used by HEIF, AVIF, PNG and ICC.
    var primariesCode: UInt8 {
        switch primaries {
        case .sRGB: 1
        case .displayP3: 12
        case .rec2020: 9
        }
    }

    /// The TransferCharacteristics code of ITU-T H.273.
    var transferCode: UInt8 {
        switch transfer {
        case .sRGB: 13
        case .rec709: primaries == .rec2020 ? 14 : 1
        case .linear: 8
        case .pq: 16
        case .hlg: 18
        }
    }

    /// The codes of H.273: primaries, transfer characteristics, matrix coefficients 0 (RGB), and the full-range flag.
    var codePoints: [UInt8] { [primariesCode, transferCode, 0, 1] }

    /// The name of the colour space for people.
    var name: String {
        let primaries = [Primaries.sRGB: "sRGB", .displayP3: "Display P3", .rec2020: "Rec. 2020"][primaries] ?? ""
        switch transfer {
        case .sRGB: return primaries == "Rec. 2020" ? primaries + " with the curve of sRGB" : primaries
        case .rec709: return primaries == "Rec. 2020" ? primaries : primaries + " with the curve of Rec. 709"
        case .linear: return "linear " + primaries
        case .pq: return primaries + " PQ"
        case .hlg: return primaries + " HLG"
        }
    }
}

extension PictureColor.Primaries {
    /// The CIE x, y chromaticities of red, green, blue and white.
    var chromaticities: [SIMD2<Double>] {
        let white = SIMD2(0.3127, 0.3290)
        switch self {
        case .sRGB: return [SIMD2(0.64, 0.33), SIMD2(0.30, 0.60), SIMD2(0.15, 0.06), white]
        case .displayP3: return [SIMD2(0.68, 0.32), SIMD2(0.265, 0.69), SIMD2(0.15, 0.06), white]
        case .rec2020: return [SIMD2(0.708, 0.292), SIMD2(0.170, 0.797), SIMD2(0.131, 0.046), white]
        }
    }

    /// The matrix from linear red, green and blue to CIE XYZ; white has Y = 1.
    var toXYZ: Matrix3 {
        let points = chromaticities.map { SIMD3($0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y) }
        let columns = Matrix3(points[0], points[1], points[2]).transposed
        // The primaries are linearly independent, so the inverse exists.
        let scale = (columns.inverse ?? .identity) * points[3]
        return columns * Matrix3(diagonal: scale)
    }

    /// The luminance weights of red, green and blue.
    var luminance: SIMD3<Double> { toXYZ.rows.1 }

    /// Returns the matrix that converts linear red, green and blue of these primaries to those of `other`.
    func matrix(to other: Self) -> Matrix3 {
        self == other ? .identity : (other.toXYZ.inverse ?? .identity) * toXYZ
    }
}
