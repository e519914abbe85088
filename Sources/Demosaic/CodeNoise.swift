package import RawImage

/// The noise of the four places of a cell in codes: variance = `shot` · signal + `read`, with the signal in codes above
/// black.
@usableFromInline package struct CodeNoise: Sendable {
    @usableFromInline package var shot: SIMD4<Float>
    @usableFromInline package var read: SIMD4<Float>

    /// Where a frame does not tell: a middling sensor at ISO 400.
    package static let unknown = NoiseProfile(shot: 4e-4, read: 1e-6)

    /// The profiles that make sense; `unknown` where none does.
    package static func usable(_ metadata: FrameMetadata) -> [NoiseProfile] {
        // More than the whole range, or no number at all, is no noise.
        let known = metadata.noise.filter { (0...1).contains($0.shot) && (0...1).contains($0.read) }
        return known.isEmpty || known.count != metadata.noise.count ? [unknown] : known
    }

    /// The mean of the profiles of a frame.
    package static func mean(_ metadata: FrameMetadata) -> NoiseProfile {
        let profiles = usable(metadata)
        let count = Double(profiles.count)
        return NoiseProfile(
            shot: profiles.map(\.shot).reduce(0, +) / count, read: profiles.map(\.read).reduce(0, +) / count)
    }

    /// The noise of a frame whose signals were multiplied with `gain`.
    package init(_ metadata: FrameMetadata, _ pattern: BayerPattern, gain: Double) {
        let profiles = Self.usable(metadata)
        (shot, read) = (.zero, .zero)
        for (place, plane) in pattern.planes.enumerated() {
            let profile = profiles[min(plane, profiles.count - 1)]
            let range = metadata.whiteLevel - metadata.blackLevel[place]
            shot[place] = Float(profile.shot * range * gain)
            // Rounding to whole codes adds a twelfth.
            read[place] = Float((profile.read * range * range + 1.0 / 12) * gain * gain)
        }
    }

    /// The variance at a signal.
    @inlinable package func variance(at signal: SIMD4<Float>) -> SIMD4<Float> {
        shot * pointwiseMax(signal, .zero) + read
    }
}
