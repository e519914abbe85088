internal import RawImage

/// The noise model of the simulated sensor: shot noise and read noise relative to the range from black to white.
///
/// At ISO 100 the white level corresponds to the full well. Read noise has a part before the amplifier, which gain
/// amplifies, and one after it. The analogue-to-digital converter adds a standard deviation of half a code, and
/// rounding a variance of 1/12 code².
enum SensorNoise {
    /// Full well capacity, in electrons.
    private static let fullWell = 12_000.0
    /// Standard deviation of the read noise that arises before the amplifier, in electrons.
    private static let readBeforeGain = 1.6
    /// Standard deviation of the read noise that arises after the amplifier, in electrons at ISO 100.
    private static let readBehindGain = 3.0
    /// Standard deviation of the converter's noise, in codes.
    private static let converterCodes = 0.5
    /// Variance of rounding, in codes².
    private static let roundingCodes = 1.0 / 12

    /// Returns the Poisson-Gaussian noise profile at an ISO speed, without rounding; `scale` is the number of codes
    /// from black to white.
    static func profile(iso: Double, scale: Double) -> NoiseProfile {
        let electron = iso / 100 / fullWell
        let before = readBeforeGain * electron
        let behind = readBehindGain / fullWell
        let converter = converterCodes / scale
        return NoiseProfile(shot: electron, read: before * before + behind * behind + converter * converter)
    }

    /// Returns a noise profile with the variance of rounding to integer codes added: the noise of a frame's codes.
    /// `scale` is the number of codes from black to white.
    static func rounded(_ profile: NoiseProfile, scale: Double) -> NoiseProfile {
        NoiseProfile(shot: profile.shot, read: profile.read + roundingCodes / (scale * scale))
    }
}
