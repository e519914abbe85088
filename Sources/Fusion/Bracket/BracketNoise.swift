internal import Demosaic
internal import RawImage

/// The noise of a merged bracket.
///
/// It falls by steps where one frame after the other clips. One profile that suits all of the reference's signals must
/// do: the one whose relative error is least over them, dark to bright by octaves.
struct BracketNoise {
    private let metadata: FrameMetadata
    private let profiles: [NoiseProfile]
    private let others: [(view: BracketView, share: Double)]

    /// Each view counts as far as it was merged.
    init(_ reference: BracketFrame, _ views: some Sequence<(BracketView, Double)>) {
        metadata = reference.metadata
        profiles = metadata.noise
        others = views.map { (view: $0.0, share: $0.1) }
    }

    /// The profiles of the result, in which 1 is `headroom` times the reference's white; none where the reference does not
    /// tell of its noise.
    func profiles(headroom: Double) -> [NoiseProfile] {
        profiles.indices.map { plane in
            let fitted = fit(plane)
            return NoiseProfile(shot: fitted.shot / headroom, read: fitted.read / (headroom * headroom))
        }
    }

    /// The variance at a signal, 1 for the reference's white: inverse variances add up.
    private func variance(_ plane: Int, at signal: Double) -> Double {
        let ours = profiles[plane].variance(at: signal)
        let scale = 1 / (metadata.whiteLevel - metadata.blackLevel.reduce(0, +) / 4)
        let sum = others.reduce(1 / ours) { sum, other in
            let view = other.view
            guard signal < view.gain * view.frame.range * scale * 0.95 else { return sum }
            let place = view.frame.format.pattern.planes.firstIndex(of: min(plane, 2)) ?? 0
            let theirs =
                Double(view.noise.shot[place]) * signal * scale + Double(view.noise.read[place]) * scale * scale
            return theirs > 0 ? sum + other.share / theirs : sum
        }
        return 1 / sum
    }

    private func fit(_ plane: Int) -> NoiseProfile {
        let points = (0..<10).map { octave in
            let signal = 1 / Double(1 << octave)
            return (signal: signal, variance: variance(plane, at: signal))
        }
        guard points.allSatisfy({ $0.variance.isFinite && $0.variance > 0 }) else { return profiles[plane] }
        // Least squares of (shot · signal + read) / variance - 1.
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
