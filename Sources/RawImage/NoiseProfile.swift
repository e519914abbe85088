/// The noise of one colour plane: variance = `shot` · x + `read`, with x the signal in 0…1 between black and white.
///
/// The meaning is that of DNG's NoiseProfile tag.
public struct NoiseProfile: Sendable, Hashable {
    /// Variance a unit of signal: photon noise.
    public var shot: Double
    /// Variance in the dark: read noise.
    public var read: Double

    /// A profile from its two terms.
    public init(shot: Double, read: Double) {
        self.shot = shot
        self.read = read
    }

    /// The variance at a signal; darkness counts as zero signal.
    public func variance(at signal: Double) -> Double {
        shot * max(signal, 0) + read
    }

    /// The profile of the mean of `count` frames.
    public func averaged(over count: Double) -> NoiseProfile {
        NoiseProfile(shot: shot / count, read: read / count)
    }
}
