package import RawImage

/// What a camera's colours mean: the light of the scene, and the way to linear sRGB.
///
/// The reasoning is that of the DNG specification, chapter "Mapping Camera Color Space to CIE XYZ Space".
package struct CameraColor: Sendable, Hashable {
    /// The colour of the scene's white; that of sRGB when the camera is unknown.
    package let white: Chromaticity
    /// White-balanced camera colour to linear sRGB. The scene's white, (1, 1, 1), stays (1, 1, 1).
    package let toLinearSRGB: Matrix3
    /// Whether nothing usable is known of the camera.
    package let isGuessed: Bool
    /// White-balanced camera colour to the profile space, linear ProPhoto. White stays (1, 1, 1).
    package let toProfile: Matrix3

    /// The colour of a frame. Calibrations that make no sense are passed over; without any, balance is all there is.
    package init(_ metadata: FrameMetadata) {
        let calibrations = metadata.calibrations.filter(\.isUsable)
        let neutral = metadata.neutral / metadata.neutral.max()
        guard let found = Self.white(of: neutral, calibrations),
            let toXYZ = Self.toHorizonXYZ(neutral, white: found, calibrations),
            let matrix = (Self.linearSRGBFromXYZ * Chromaticity.d50.adaptation(to: .d65) * toXYZ).keepingWhite,
            let profile = (ColorSpace.profile.fromHorizonXYZ * toXYZ).keepingWhite
        else {
            white = .d65
            isGuessed = true
            toLinearSRGB = .identity
            toProfile = ColorSpace.of(.sRGB).matrix(to: .profile).keepingWhite ?? .identity
            return
        }
        white = found
        isGuessed = false
        toLinearSRGB = matrix
        toProfile = profile
    }

    /// The camera's response to a white of a colour, largest 1; nil when no camera could have it.
    package static func neutral(of white: Chromaticity, _ metadata: FrameMetadata) -> SIMD3<Double>? {
        let calibrations = metadata.calibrations.filter(\.isUsable)
        let response: SIMD3<Double>
        if let calibration = calibrations.mean(at: white) {
            response = calibration.colorMatrix * white.color
        } else {
            // Nobody measured the camera: its colours count as those of sRGB, and its own white as daylight.
            response = metadata.neutral * (linearSRGBFromXYZ * white.color)
        }
        let neutral = response / response.max()
        return (0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 1e-3 }) ? neutral : nil
    }

    /// The white whose own colour matrix takes it to the camera's neutral, found by repetition.
    private static func white(of neutral: SIMD3<Double>, _ calibrations: [ColorCalibration]) -> Chromaticity? {
        guard !calibrations.isEmpty else { return nil }
        var white = Chromaticity.d50
        for pass in 1...30 {
            guard let toXYZ = calibrations.mean(at: white)?.colorMatrix.inverse,
                let next = Chromaticity(toXYZ * neutral)
            else { return nil }
            let movement = abs(next.x - white.x) + abs(next.y - white.y)
            if movement < 1e-7 { return next }
            // What has not come to rest swings between two.
            white = pass < 30 ? next : Chromaticity(x: (white.x + next.x) / 2, y: (white.y + next.y) / 2)
        }
        return white
    }

    /// White-balanced camera colour to XYZ under D50.
    private static func toHorizonXYZ(
        _ neutral: SIMD3<Double>, white: Chromaticity, _ calibrations: [ColorCalibration]
    ) -> Matrix3? {
        guard let calibration = calibrations.mean(at: white) else { return nil }
        if let forward = calibration.forwardMatrix {
            // A forward matrix takes balanced colour of the model straight to XYZ under D50.
            let sums = forward * SIMD3(repeating: 1)
            guard (0..<3).allSatisfy({ sums[$0].isFinite && sums[$0] > 1e-3 }) else { return nil }
            let toXYZ = Matrix3(diagonal: Chromaticity.d50.color / sums) * forward
            return calibration.toModel(neutral).map { toXYZ * $0 }
        }
        guard let toXYZ = calibration.colorMatrix.inverse else { return nil }
        return white.adaptation(to: .d50) * toXYZ * Matrix3(diagonal: neutral)
    }

    /// XYZ under D65 to linear sRGB, from the primaries of IEC 61966-2-1.
    private static let linearSRGBFromXYZ = Matrix3(
        SIMD3(3.2404542, -1.5371385, -0.4985314),
        SIMD3(-0.9692660, 1.8760108, 0.0415560),
        SIMD3(0.0556434, -0.2040259, 1.0572252))
}

extension Matrix3 {
    /// The matrix with each row scaled so that white stays white; nil when that takes it out of all proportion.
    fileprivate var keepingWhite: Matrix3? {
        let sums = self * SIMD3(repeating: 1)
        let result = Matrix3(rows.0 / sums.x, rows.1 / sums.y, rows.2 / sums.z)
        let isSane = (0..<3).allSatisfy { sums[$0] > 0 } && result.values.allSatisfy { abs($0) < 64 }
        return isSane ? result : nil
    }
}

extension ColorCalibration {
    /// Whether the matrix can be turned round.
    var isUsable: Bool {
        colorMatrix.values.allSatisfy(\.isFinite) && colorMatrix.inverse != nil
    }

    /// White-balanced colour of this camera to that of its model; nil when no camera is so.
    fileprivate func toModel(_ neutral: SIMD3<Double>) -> Matrix3? {
        guard individual != .identity else { return .identity }
        guard let toModel = individual.inverse else { return nil }
        let white = toModel * neutral
        guard (0..<3).allSatisfy({ white[$0].isFinite && white[$0] > 1e-6 }) else { return nil }
        return Matrix3(diagonal: 1 / white) * toModel * Matrix3(diagonal: neutral)
    }
}
