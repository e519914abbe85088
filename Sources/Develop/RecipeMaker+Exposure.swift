internal import Glibc
internal import RawImage

/// How much brighter the picture is to be than the camera took it.
struct ExposurePlan {
    /// EV to add, on top of `headroom`.
    let exposure: Double
    /// EV that the sensor's white lies above the usual.
    let headroom: Double

    /// What a whole scene is on average, in EV against the display's white.
    private static let usualKey: Float = -2.9
    /// How far the brightest may go above the display's white: so much the local gains can hold.
    private static let mostExcess: Float = 1.3
    /// Darker than this a place tells nothing of the scene.
    private static let floor: Float = -9

    init(_ light: SceneLight, noise: SceneNoise, headroom: Double, strength: Double) {
        self.headroom = headroom
        let range = Float(headroom)
        let key = light.key(floor: Self.floor - range) + range
        let bright = SceneLight.percentile(0.995, of: light.peaks) + range
        // Hundredths, and no negative zero.
        exposure = (Double(Self.exposure(key: key, bright: bright, range, noise)) * strength * 100).rounded() / 100 + 0
    }

    /// A part of the way to the usual: less of it the farther it is, for who takes a photo at night wants a night.
    private static func exposure(key: Float, bright: Float, _ range: Float, _ noise: SceneNoise) -> Float {
        let missing = usualKey - key
        if missing > 0 {
            let wanted = 0.75 * min(missing, 2) + 0.35 * max(0, missing - 2)
            return min(3, wanted, max(0, mostExcess - bright), max(0, noise.mostGain - range))
        }
        // Bright scenes are meant to be bright: only light beyond white is brought back, and no farther than the
        // sensor's own white, for converters end there.
        return -min(1, range, max(0, bright), -missing / 2)
    }
}

/// What a photo's noise allows.
struct SceneNoise {
    private let profiles: [NoiseProfile]

    init(_ metadata: FrameMetadata) {
        let known = metadata.noise.filter { $0.shot.isFinite && $0.read.isFinite && $0.shot >= 0 && $0.read >= 0 }
        profiles = known.isEmpty ? [Self.usual(iso: metadata.iso)] : known
    }

    /// The noise of a small sensor, for cameras that tell nothing of theirs.
    private static func usual(iso: Double) -> NoiseProfile {
        let gain = (iso.isFinite && iso > 0 ? min(102_400, max(100, iso)) : 400) / 100
        return NoiseProfile(shot: 1.5e-4 * gain, read: 4e-7 * gain * gain)
    }

    /// How strong noise may become in the dark, as a share of the display's white.
    private static let mostDeviation = 0.013
    /// Light in the dark, as a share of the sensor's white.
    private static let darkness = 0.002

    /// EV of gain that noise in the dark allows.
    var mostGain: Float {
        let variance = profiles.map { $0.variance(at: Self.darkness) }.max() ?? 0
        return variance > 0 ? Float(log2(Self.mostDeviation / variance.squareRoot())) : 8
    }

    /// How much sharpening a photo bears whose white lies `range` EV above the display's: little where middle grey is
    /// noisy.
    func sharpness(range: Float) -> Double {
        let grey = 0.18 * exp2(Double(-range))
        let variance = profiles.map { $0.variance(at: grey) }.max() ?? 0
        let noise = variance.squareRoot() / grey
        return ((1.3 / (1 + noise / 0.06)).clamped(0.3, 1.3) * 100).rounded() / 100
    }
}

extension Double {
    fileprivate func clamped(_ low: Double, _ high: Double) -> Double { Swift.max(low, Swift.min(high, self)) }
}

/// The curve that ends a picture: a little contrast about the middle, soft at both ends, as film has it.
struct FilmCurve {
    /// How steep the middle is, in EV of the picture to one of the scene.
    private let slope: Double
    /// How late it bends toward white.
    private let softness: Double

    init(strength: Double) {
        slope = 1 + 0.17 * strength
        softness = 1.3 / max(1e-9, strength)
    }

    private static let last = 256

    /// The curve through 257 points, which lie close where it is dark.
    var curve: ToneCurve? {
        let points = (0...Self.last).map { index in
            let share = Double(index) / Double(Self.last)
            return SIMD2(Float(share * share), Float(light(share * share)))
        }
        return try? ToneCurve(points: points)
    }

    /// The picture's light for the scene's.
    func light(_ light: Double) -> Double {
        let power = pow(light, slope)
        return power * (1 + softness) / (power + softness)
    }
}
