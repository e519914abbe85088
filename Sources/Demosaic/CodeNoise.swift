package import RawImage

/// The noise model of the four positions in the CFA cell, in units of codes: variance = `shot` · signal + `read`, where
/// the signal is in codes above black.
@usableFromInline package struct CodeNoise: Sendable {
    @usableFromInline package var shot: SIMD4<Float>
    @usableFromInline package var read: SIMD4<Float>

    /// Assumed noise profile of frames without a valid one: that of an average sensor at ISO 400.
    package static let unknown = NoiseProfile(shot: 4e-4, read: 1e-6)

    /// Returns the frame's noise profiles, one per colour plane or one for all; `unknown` alone when there are none or
    /// one of them is out of range.
    package static func usable(_ metadata: FrameMetadata) -> [NoiseProfile] {
        isKnown(metadata) ? metadata.noise : [unknown]
    }

    /// Whether the frame has noise profiles, all of them in range and with noise, which every sensor has.
    package static func isKnown(_ metadata: FrameMetadata) -> Bool {
        // A variance above 1 exceeds the range from black to white; NaN fails the test too.
        !metadata.noise.isEmpty
            && metadata.noise.allSatisfy {
                (0...1).contains($0.shot) && (0...1).contains($0.read) && $0.shot + $0.read > 0
            }
    }

    /// Returns the mean of the frame's noise profiles over the colour planes.
    package static func mean(_ metadata: FrameMetadata) -> NoiseProfile {
        let profiles = usable(metadata)
        let count = Double(profiles.count)
        return NoiseProfile(
            shot: profiles.map(\.shot).reduce(0, +) / count, read: profiles.map(\.read).reduce(0, +) / count)
    }

    /// Creates the noise model of a mosaic whose codes above black are multiplied by `gain`.
    package init(_ metadata: FrameMetadata, _ pattern: BayerPattern, gain: Double) {
        let profiles = Self.usable(metadata)
        (shot, read) = (.zero, .zero)
        for (position, plane) in pattern.planes.enumerated() {
            let profile = profiles[min(plane, profiles.count - 1)]
            let range = metadata.whiteLevel - metadata.blackLevel[position]
            shot[position] = Float(profile.shot * range * gain)
            // Rounding to integer codes adds a variance of 1/12.
            read[position] = Float((profile.read * range * range + 1.0 / 12) * gain * gain)
        }
    }

    /// Returns the variances in codes² for signals in codes above black; negative signals count as 0.
    @inlinable package func variance(at signal: SIMD4<Float>) -> SIMD4<Float> {
        shot * pointwiseMax(signal, .zero) + read
    }
}
