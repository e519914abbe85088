internal import RawImage

/// The noise of the sensor's electrons, as a share of the scale between black and white.
///
/// At ISO 100 white is a full well. Read noise has a part before the amplifier, which grows with gain, and one behind
/// it, which does not. The converter adds half a code of its own, and rounding a twelfth of a code squared.
enum SensorNoise {
    private static let fullWell = 12_000.0
    private static let readBeforeGain = 1.6
    private static let readBehindGain = 3.0
    private static let converterCodes = 0.5
    private static let roundingCodes = 1.0 / 12

    /// Poisson-Gaussian noise at an ISO number, without what rounding adds, for codes of `scale` steps from black to
    /// white.
    static func profile(iso: Double, scale: Double) -> NoiseProfile {
        let electron = iso / 100 / fullWell
        let before = readBeforeGain * electron
        let behind = readBehindGain / fullWell
        let converter = converterCodes / scale
        return NoiseProfile(shot: electron, read: before * before + behind * behind + converter * converter)
    }

    /// The profile with the variance of rounding to whole codes: what a frame's codes show.
    static func rounded(_ profile: NoiseProfile, scale: Double) -> NoiseProfile {
        NoiseProfile(shot: profile.shot, read: profile.read + roundingCodes / (scale * scale))
    }
}
