/// The noise model of one colour plane: variance = `shot` · x + `read`, where x is the linear value, 0 at the black
/// level and 1 at the white level (DNG's NoiseProfile).
public struct NoiseProfile: Sendable, Hashable {
    /// The scale: shot noise variance per unit of signal.
    public var shot: Double
    /// The offset: read noise variance, that at black.
    public var read: Double

    /// Creates a profile from its scale and offset.
    public init(shot: Double, read: Double) {
        self.shot = shot
        self.read = read
    }

    /// Returns the noise variance at a linear value; values below black count as 0.
    public func variance(at signal: Double) -> Double {
        shot * max(signal, 0) + read
    }

    /// Returns the profile of the same sensor at `gain` times its ISO speed.
    public func amplified(by gain: Double) -> NoiseProfile {
        NoiseProfile(shot: shot * gain, read: read * gain * gain)
    }

    /// Returns the profile of the mean of `count` frames with this noise.
    public func averaged(over count: Double) -> NoiseProfile {
        NoiseProfile(shot: shot / count, read: read / count)
    }
}
