internal import Demosaic
internal import RawImage

/// The noise profile of a merged bracket.
///
/// The true variance rises in steps with the signal: one frame after the other clips and no longer contributes. A DNG
/// NoiseProfile has only two parameters, so they are fitted, with the least relative error, at ten signals: the
/// reference's white and nine more, each half of the one before.
struct BracketNoise {
    private let metadata: FrameMetadata
    private let profiles: [NoiseProfile]
    private let others: [(view: BracketView, weight: Double)]

    /// Creates the noise of a merge; each view counts in proportion to its mean weight.
    init(_ reference: BracketFrame, _ views: some Sequence<(BracketView, Double)>) {
        metadata = reference.metadata
        profiles = metadata.noise
        others = views.map { (view: $0.0, weight: $0.1) }
    }

    /// Returns the profiles on the scale of the result, where 1 is `headroom` times the reference's white; empty if the
    /// reference has no noise profile.
    func profiles(headroom: Double) -> [NoiseProfile] {
        profiles.indices.map { plane in
            let fitted = fit(plane)
            return NoiseProfile(shot: fitted.shot / headroom, read: fitted.read / (headroom * headroom))
        }
    }

    /// Returns the noise variance of the merged bracket at a signal (1 is the reference's white): the reciprocal of the
    /// weighted sum of the reciprocal variances of the frames that do not clip there.
    private func variance(_ plane: Int, at signal: Double) -> Double {
        let referenceVariance = profiles[plane].variance(at: signal)
        let scale = 1 / (metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4)
        let sum = others.reduce(1 / referenceVariance) { sum, other in
            let view = other.view
            guard signal < view.gain * view.frame.range * scale * 0.95 else { return sum }
            let position = view.frame.format.pattern.planes.firstIndex(of: min(plane, 2)) ?? 0
            let frameVariance =
                Double(view.noise.shot[position]) * signal * scale + Double(view.noise.read[position]) * scale * scale
            return frameVariance > 0 ? sum + other.weight / frameVariance : sum
        }
        return 1 / sum
    }

    private func fit(_ plane: Int) -> NoiseProfile {
        let points = (0..<10).map { octave in
            let signal = 1 / Double(1 << octave)
            return (signal: signal, variance: variance(plane, at: signal))
        }
        guard points.allSatisfy({ $0.variance.isFinite && $0.variance > 0 }) else { return profiles[plane] }
        // The sums for a least-squares fit of (shot · signal + read) / variance to 1.
        var (aa, ab, bb, a, b) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for point in points {
            let (u, v) = (point.signal / point.variance, 1 / point.variance)
            aa += u * u
            ab += u * v
            bb += v * v
            a += u
            b += v
        }
        let determinant = aa * bb - ab * ab
        let (shot, read) = ((a * bb - b * ab) / determinant, (b * aa - a * ab) / determinant)
        guard shot.isFinite, read.isFinite, shot >= 0, read >= 0 else { return NoiseProfile(shot: a / aa, read: 0) }
        return NoiseProfile(shot: shot, read: read)
    }
}
