/// Measures the scene from samples of live frames: brightness, the need for a flash, and motion.
///
///     unsettled ──motion < 0.003 twice──► static ──motion > 0.006──► unsettled
///     no flash ──needs > 1/30 s at ISO 800──► flash ──needs < 1/45 s──► no flash
///
/// A measurement between two limits, or one that is not possible, changes nothing, so that the flags do not flicker.
public struct SceneEstimator: Sendable {
    private var previous: SceneSamples?
    private var isFlashScene = false
    private var isStatic = false
    /// The number of measurements in a row that found no motion.
    private var quietCount = 0

    /// The calibration constant K of reflected-light meters in cd/m² (ISO 2720): a scene of the mean luminance
    /// L = K · N² / (t · S) is exposed correctly with f-number N, exposure time t and ISO speed S.
    private static let meterConstant = 12.5
    /// The signal of the mean luminance in a correct exposure: 10/78 of white by the saturation-based ISO speed
    /// (ISO 12232), which leaves half a stop above a white object.
    private static let meteredSignal = 10.0 / 78
    /// The reflectance of the average scene, which converts luminance into illuminance.
    private static let reflectance = 0.18
    /// The f-number of a lens that reports none.
    private static let assumedFNumber = 2.8
    /// A flash helps if the exposure at this ISO speed would be longer than this time in seconds.
    private static let flashISO = 800.0
    private static let flashTime = 1.0 / 30
    /// The flash scene ends below this fraction of the time.
    private static let flashHysteresis = 2.0 / 3
    /// Above this fraction of clipped pixels, the illuminance is a lower limit.
    private static let clippedLimit = 0.25
    /// Motion below the first fraction counts as none; motion above the second ends a static scene.
    private static let quiet = 0.003
    private static let moving = 0.006
    private static let quietNeeded = 2

    /// Creates an estimator that has seen no frame.
    public init() {}

    /// Measures the scene from the samples of the next frame, which may be any number of frames after the previous.
    public mutating func feed(_ samples: SceneSamples) -> SceneState {
        let illuminance = Self.illuminance(of: samples)
        let motion = previous.flatMap { samples.changedFraction(since: $0) }
        previous = samples
        updateFlash(illuminance, samples)
        if let motion { updateStatic(motion) }
        return SceneState(
            illuminance: illuminance, isFlashScene: isFlashScene, motion: motion, isStatic: isStatic,
            clippedFraction: samples.clippedFraction, blackFraction: samples.blackFraction,
            exposureTime: samples.exposureTime, iso: samples.iso)
    }

    /// Returns the illuminance in lux; nil when the exposure is unknown.
    private static func illuminance(of samples: SceneSamples) -> Double? {
        guard samples.exposureTime > 0, samples.iso > 0 else { return nil }
        let metered = meteredLuminance(samples.fNumber, samples.exposureTime, samples.iso)
        let luminance = metered * max(0, samples.averageSignal) / meteredSignal
        // A matt surface of reflectance R under E lux has the luminance E · R / π.
        return luminance * Double.pi / reflectance
    }

    /// Returns the mean luminance in cd/m² for which this exposure is correct.
    private static func meteredLuminance(_ fNumber: Double, _ exposureTime: Double, _ iso: Double) -> Double {
        let number = fNumber > 0 ? fNumber : assumedFNumber
        return meterConstant * number * number / (exposureTime * iso)
    }

    private mutating func updateFlash(_ illuminance: Double?, _ samples: SceneSamples) {
        guard let illuminance else { return }
        let luminance = illuminance * Self.reflectance / Double.pi
        let metered = Self.meteredLuminance(samples.fNumber, Self.flashTime, Self.flashISO)
        // The exposure time needed is flashTime · metered / luminance.
        if luminance * Self.flashHysteresis > metered {
            isFlashScene = false
        } else if luminance < metered, samples.clippedFraction <= Self.clippedLimit {
            isFlashScene = true
        }
    }

    private mutating func updateStatic(_ motion: Double) {
        quietCount = motion < Self.quiet ? quietCount + 1 : 0
        if quietCount >= Self.quietNeeded { isStatic = true }
        if motion > Self.moving { isStatic = false }
    }
}
