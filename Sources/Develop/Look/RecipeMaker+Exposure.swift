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
    /// Darker than this a place tells nothing of the scene, nor does one so far below the brightest.
    private static let floor: Float = -9
    private static let depth: Float = 6
    /// The most that is added.
    private static let most: Float = 4
    /// What shares of the picture may lie above the display's white, and by how many EV: a lamp is white whatever is done,
    /// while of a sky no more may be there than the local gains can bring back.
    private static let excesses: [(share: Double, most: Float)] = [(0.005, 5), (0.02, 3.5), (0.06, 2.4), (0.2, 1.7)]

    init(_ light: SceneLight, noise: SceneNoise, headroom: Double, strength: Double) {
        self.headroom = headroom
        let range = Float(headroom)
        let bright = SceneLight.percentile(0.995, of: light.peaks) + range
        let wanted = Self.wanted(light, noise, range)
        guard wanted > 0 else {
            // Bright scenes are meant to be bright: only light beyond white is brought back, and no farther than the
            // sensor's own white, for converters end there.
            exposure = Self.rounded(-min(1, range, max(0, bright), -wanted / 2), strength)
            return
        }
        let room = Self.excesses.map { excess in
            excess.most - range - SceneLight.percentile(1 - excess.share, of: light.levels)
        }
        let allowed = min(room.min() ?? 0, noise.mostGain - range)
        exposure = Self.rounded(min(Self.most, wanted, max(0, allowed)), strength)
    }

    /// Hundredths, and no negative zero.
    private static func rounded(_ exposure: Float, _ strength: Double) -> Double {
        (Double(exposure) * strength * 100).rounded() / 100 + 0
    }

    /// EV that the scene lacks; below 0 what it has too much.
    private static func wanted(_ light: SceneLight, _ noise: SceneNoise, _ range: Float) -> Float {
        let bright = SceneLight.percentile(0.98, of: light.levels)
        let missing = usualKey - light.key(floor: max(floor - range, bright - depth), noise) - range
        // Nearly the whole way to the usual, but no farther than a camera errs: what is darker still is a night, and is
        // to stay one.
        let step = 0.9 * min(missing, 3) + 0.1 * max(0, missing - 3)
        let paper = PaperWhite(light)
        let lack = PaperWhite.usual - paper.level - range - max(0, step)
        guard missing > 0 || lack * paper.likelihood > 0 else { return missing }
        return max(0, step) + max(0, lack) * paper.likelihood
    }
}

/// The brightest surface of a scene, and how much speaks for its being white: cameras make snow and paper as grey as
/// anything else that fills the picture.
struct PaperWhite {
    /// Its level, in EV against the sensor's white.
    let level: Float
    /// 0…1.
    let likelihood: Float

    /// Where white belongs, in EV against the display's.
    static let usual: Float = -0.4
    /// How far a surface's own shades may lie apart, in EV.
    private static let shades: Float = 0.8

    init(_ light: SceneLight) {
        level = SceneLight.percentile(0.97, of: light.levels)
        let lowest = level - Self.shades
        let places = light.levels.indices.filter { light.levels[$0] > lowest }
        let colorfulness = places.reduce(Float(0)) { $0 + light.colorfulness[$1] } / Float(max(1, places.count))
        let share = Float(places.count) / Float(max(1, light.levels.count))
        // It is large, without colour, and there is something darker, without which nothing could be told.
        let contrast = level - SceneLight.percentile(0.03, of: light.levels)
        likelihood =
            Self.step(share, 0.1, 0.35) * Self.step(contrast, 0.8, 2) * (1 - Self.step(colorfulness, 0.15, 0.4))
    }

    /// From 0 at one value to 1 at another, smoothly.
    private static func step(_ value: Float, _ none: Float, _ all: Float) -> Float {
        let share = max(0, min(1, (value - none) / (all - none)))
        return share * share * (3 - 2 * share)
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
    private static let mostDeviation = 0.018
    /// Light in the dark, as a share of the sensor's white.
    private static let darkness = 0.002

    /// EV of gain that noise in the dark allows.
    var mostGain: Float {
        let variance = profiles.map { $0.variance(at: Self.darkness) }.max() ?? 0
        return variance > 0 ? Float(log2(Self.mostDeviation / variance.squareRoot())) : 8
    }

    /// How far noise makes the levels of two places of a sample differ that are alike, in EV.
    func blur(at level: Float) -> Float {
        let light = Double(level.exponential)
        let variance = profiles.map { $0.variance(at: light) }.max() ?? 0
        // Each is the mean of nine cells, and the same share of any light is as many EV.
        return Float(min(8, (2 * variance / 9).squareRoot() / light * M_LOG2E))
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
