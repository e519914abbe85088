package import RawImage

/// The colour conversion of a frame: the white point of the scene and the matrices from camera RGB to linear sRGB and
/// ProPhoto.
///
/// Follows the DNG specification, chapter "Mapping Camera Color Space to CIE XYZ Space".
package struct CameraColor: Sendable, Hashable {
    /// The chromaticity of the scene's white point; D65 if the camera is unknown.
    package let white: Chromaticity
    /// Matrix from white-balanced camera RGB to linear sRGB. It maps (1, 1, 1) to (1, 1, 1).
    package let toLinearSRGB: Matrix3
    /// Whether the metadata has no usable calibration, so that camera RGB is treated as linear sRGB.
    package let isGuessed: Bool
    /// Matrix from white-balanced camera RGB to the profile space, linear ProPhoto. It maps (1, 1, 1) to (1, 1, 1).
    package let toProfile: Matrix3

    /// Derives the conversion from a frame's metadata. Invalid calibrations are ignored; without any, only the white
    /// balance applies.
    package init(_ metadata: FrameMetadata) {
        // A camera without colour filters has no colours to convert.
        let calibrations = metadata.isMonochrome ? [] : metadata.calibrations.filter(\.isUsable)
        let neutral = metadata.neutral / metadata.neutral.max()
        guard let found = Self.white(of: neutral, calibrations),
            let toXYZ = Self.toD50XYZ(neutral, white: found, calibrations),
            let matrix = (Self.linearSRGBFromXYZ * Chromaticity.d50.adaptation(to: .d65) * toXYZ).keepingWhite,
            let profile = (ColorSpace.profile.fromD50XYZ * toXYZ).keepingWhite
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

    /// Returns the camera neutral for a white point, normalised to a maximum of 1; nil if a channel would be 0.001 or
    /// less.
    package static func neutral(of white: Chromaticity, _ metadata: FrameMetadata) -> SIMD3<Double>? {
        let calibrations = metadata.calibrations.filter(\.isUsable)
        let response: SIMD3<Double>
        if let calibration = calibrations.mean(at: white) {
            response = calibration.colorMatrix * white.color
        } else {
            // Without a calibration, camera RGB is treated as linear sRGB, and the camera's own neutral as D65.
            response = metadata.neutral * (linearSRGBFromXYZ * white.color)
        }
        let neutral = response / response.max()
        return (0..<3).allSatisfy({ neutral[$0].isFinite && neutral[$0] > 1e-3 }) ? neutral : nil
    }

    /// Finds the white point that corresponds to a camera neutral. The colour matrix depends on the white point
    /// through interpolation, so this iterates to a fixed point.
    private static func white(of neutral: SIMD3<Double>, _ calibrations: [ColorCalibration]) -> Chromaticity? {
        guard !calibrations.isEmpty else { return nil }
        var white = Chromaticity.d50
        for pass in 1...30 {
            guard let toXYZ = calibrations.mean(at: white)?.colorMatrix.inverse,
                let next = Chromaticity(toXYZ * neutral)
            else { return nil }
            let movement = abs(next.x - white.x) + abs(next.y - white.y)
            if movement < 1e-7 { return next }
            // If the iteration has not converged, it alternates between two values: use their mean.
            white = pass < 30 ? next : Chromaticity(x: (white.x + next.x) / 2, y: (white.y + next.y) / 2)
        }
        return white
    }

    /// Returns the matrix from white-balanced camera RGB to XYZ (D50).
    private static func toD50XYZ(
        _ neutral: SIMD3<Double>, white: Chromaticity, _ calibrations: [ColorCalibration]
    ) -> Matrix3? {
        guard let calibration = calibrations.mean(at: white) else { return nil }
        if let forward = calibration.forwardMatrix {
            // A ForwardMatrix maps white-balanced RGB of the reference camera directly to XYZ (D50).
            let sums = forward * SIMD3(repeating: 1)
            guard (0..<3).allSatisfy({ sums[$0].isFinite && sums[$0] > 1e-3 }) else { return nil }
            let toXYZ = Matrix3(diagonal: Chromaticity.d50.color / sums) * forward
            return calibration.toModel(neutral).map { toXYZ * $0 }
        }
        guard let toXYZ = calibration.colorMatrix.inverse else { return nil }
        return white.adaptation(to: .d50) * toXYZ * Matrix3(diagonal: neutral)
    }

    /// XYZ (D65) to linear sRGB, from the primaries of IEC 61966-2-1.
    private static let linearSRGBFromXYZ = Matrix3(
        SIMD3(3.2404542, -1.5371385, -0.4985314),
        SIMD3(-0.9692660, 1.8760108, 0.0415560),
        SIMD3(0.0556434, -0.2040259, 1.0572252))
}

extension Matrix3 {
    /// Scales each row so that (1, 1, 1) maps to itself; nil if a row's sum is not positive or a scaled element is 64
    /// or more.
    fileprivate var keepingWhite: Matrix3? {
        let sums = self * SIMD3(repeating: 1)
        let result = Matrix3(rows.0 / sums.x, rows.1 / sums.y, rows.2 / sums.z)
        let isSane = (0..<3).allSatisfy { sums[$0] > 0 } && result.values.allSatisfy { abs($0) < 64 }
        return isSane ? result : nil
    }
}

extension ColorCalibration {
    /// Whether the colour matrix is finite and invertible.
    var isUsable: Bool {
        colorMatrix.values.allSatisfy(\.isFinite) && colorMatrix.inverse != nil
    }

    /// Returns the matrix from this camera's white-balanced RGB to that of its reference camera (CameraCalibration);
    /// nil if CameraCalibration is singular or the neutral has no positive equivalent for the reference camera.
    fileprivate func toModel(_ neutral: SIMD3<Double>) -> Matrix3? {
        guard cameraCalibration != .identity else { return .identity }
        guard let toModel = cameraCalibration.inverse else { return nil }
        let white = toModel * neutral
        guard (0..<3).allSatisfy({ white[$0].isFinite && white[$0] > 1e-6 }) else { return nil }
        return Matrix3(diagonal: 1 / white) * toModel * Matrix3(diagonal: neutral)
    }
}
