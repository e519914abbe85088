internal import Glibc
internal import RawImage

/// The exposure that a recipe chooses for a scene.
struct ExposurePlan {
    /// The exposure to add on top of `headroom`, in EV.
    let exposure: Double
    /// The sensor's white above diffuse white, in EV: the headroom of a fused photo.
    let headroom: Double
    /// How far the local gains darken a scene that the sensor clipped, in EV; see `BaseCurve.darkening`.
    let darkening: Float

    /// The usual key (weighted mean level) of a scene, in EV relative to the display's white.
    private static let usualKey: Float = -2.9
    /// The usual key of what is beside clipped surfaces. A subject in front of a white background is not darkened for
    /// the sake of the background.
    private static let usualRest: Float = -3.4
    /// The lowest level that counts in the key, in EV relative to the display's white; lower ones count as this one.
    private static let floor: Float = -9
    /// The largest distance below the highlights (98th percentile) that counts in the key, in EV; levels farther below
    /// count as if they were at this distance.
    private static let depth: Float = 6
    /// The largest brightening, in EV.
    private static let mostExposure: Float = 4
    /// For the brightest fractions of the picture, how far, in EV, they may exceed the display's white after
    /// brightening. Small lights clip anyway and may exceed it far; a sky only as far as local gains can compress it
    /// again.
    private static let excesses: [(fraction: Double, most: Float)] = [(0.005, 5), (0.02, 3.5), (0.06, 2.4), (0.2, 1.7)]

    /// Plans the exposure of a scene. A photo that was taken with a `bias`, in EV, is meant to be darker or brighter by
    /// it.
    init(_ scene: SceneLevels, noise: SceneNoise, headroom: Double, bias: Double, strength: Double) {
        self.headroom = headroom
        let range = Float(headroom)
        let bright = scene.peakPercentile(0.995) + range
        let bias = bias.isFinite ? Float(max(-20, min(20, bias))) : 0
        let scenesMissing = Self.missingExposure(scene, noise, range)
        let rest = Self.key(scene, noise, range, withoutClipped: true) - Self.usualRest
        darkening = Self.darkening(scene, excess: min(-scenesMissing, rest) - max(0, bias), strength)
        let missing = scenesMissing + min(0, bias)
        guard missing > 0 else {
            // Bright scenes are meant to be bright: exposure falls only enough to recover values beyond the display's
            // white, and never below the sensor's white, where converters clip.
            exposure = Self.rounded(-min(1, range, max(0, bright), -missing / 2), strength)
            return
        }
        let margins = Self.excesses.map { excess in
            excess.most - range - scene.percentile(1 - excess.fraction)
        }
        let allowed = min(margins.min() ?? 0, noise.mostGain - range)
        exposure = Self.rounded(min(Self.mostExposure, missing, max(0, allowed)), strength)
    }

    /// Returns how far to darken a scene that is too bright by `excess`, in EV: only if the sensor clipped more than a
    /// few reflections, as it does with a photo exposed too long but not with well exposed snow or fog.
    private static func darkening(_ scene: SceneLevels, excess: Float, _ strength: Double) -> Float {
        let overexposed = max(0, min(1, (scene.clippedShare - 0.01) / 0.08))
        return max(0, min(1.2, 0.8 * excess)) * overexposed * Float(min(1.25, strength))
    }

    /// Multiplies an exposure by the strength of the look and rounds it to hundredths of an EV; adding 0 turns -0 into
    /// 0.
    private static func rounded(_ exposure: Float, _ strength: Double) -> Double {
        (Double(exposure) * strength * 100).rounded() / 100 + 0
    }

    /// Returns the scene's key in EV relative to the display's white.
    private static func key(
        _ scene: SceneLevels, _ noise: SceneNoise, _ range: Float, withoutClipped: Bool = false
    ) -> Float {
        let floor = max(floor - range, scene.percentile(0.98) - depth)
        return scene.key(floor: floor, noise, withoutClipped: withoutClipped) + range
    }

    /// Returns the EV by which the scene is too dark; negative if it is too bright.
    private static func missingExposure(_ scene: SceneLevels, _ noise: SceneNoise, _ range: Float) -> Float {
        let missing = usualKey - key(scene, noise, range)
        // Corrects 90% of the first 3 EV, as far as a camera's metering typically errs, but only 10% of the rest: a
        // scene darker than that is a night scene and should look like one.
        let step = 0.9 * min(missing, 3) + 0.1 * max(0, missing - 3)
        let surface = WhiteSurface(scene)
        let lack = WhiteSurface.usual - surface.level - range - max(0, step)
        guard missing > 0 || lack * surface.likelihood > 0 else { return missing }
        return max(0, step) + max(0, lack) * surface.likelihood
    }
}

/// The brightest large surface of a scene and the likelihood that it is white: cameras expose snow and paper as grey
/// as anything else that fills the picture.
struct WhiteSurface {
    /// The surface's level, in EV relative to the sensor's white.
    let level: Float
    /// The likelihood that the surface is white, 0...1.
    let likelihood: Float

    /// The level at which white is rendered, in EV relative to the display's white.
    static let usual: Float = -0.4
    /// The range of levels within one surface, in EV.
    private static let shades: Float = 0.8

    init(_ scene: SceneLevels) {
        level = scene.percentile(0.97)
        let lowest = level - Self.shades
        let pixels = scene.levels.indices.filter { scene.levels[$0] > lowest }
        let colorfulness = pixels.reduce(Float(0)) { $0 + scene.colorfulness[$1] } / Float(max(1, pixels.count))
        let area = Float(pixels.count) / Float(max(1, scene.levels.count))
        // A white surface is large and colourless, and something in the picture is darker, for comparison.
        let contrast = level - scene.percentile(0.03)
        likelihood =
            Self.step(area, 0.1, 0.35) * Self.step(contrast, 0.8, 2) * (1 - Self.step(colorfulness, 0.15, 0.4))
    }

    /// Smoothstep from 0 at `none` to 1 at `all`.
    private static func step(_ value: Float, _ none: Float, _ all: Float) -> Float {
        let position = max(0, min(1, (value - none) / (all - none)))
        return position * position * (3 - 2 * position)
    }
}

/// Limits that a photo's noise sets to brightening and sharpening.
struct SceneNoise {
    private let profiles: [NoiseProfile]

    init(_ metadata: FrameMetadata) {
        let known = metadata.noise.filter { $0.shot.isFinite && $0.read.isFinite && $0.shot >= 0 && $0.read >= 0 }
        profiles = known.isEmpty ? [Self.usual(iso: metadata.iso)] : known
    }

    /// Returns the noise profile of a typical small sensor, for cameras without one.
    private static func usual(iso: Double) -> NoiseProfile {
        let gain = (iso.isFinite && iso > 0 ? min(102_400, max(100, iso)) : 400) / 100
        return NoiseProfile(shot: 1.5e-4 * gain, read: 4e-7 * gain * gain)
    }

    /// The largest standard deviation of noise in the shadows after gain, relative to the display's white.
    private static let mostDeviation = 0.018
    /// The shadow level at which noise is judged, relative to the sensor's white.
    private static let darkness = 0.002

    /// The largest gain, in EV, that keeps the noise in the shadows within `mostDeviation`.
    var mostGain: Float {
        let variance = profiles.map { $0.variance(at: Self.darkness) }.max() ?? 0
        return variance > 0 ? Float(log2(Self.mostDeviation / variance.squareRoot())) : 8
    }

    /// Returns the standard deviation, in EV, of the level difference between two sample pixels of equal brightness,
    /// due to noise; at most 8. `level` is in EV relative to the sensor's white.
    func blur(at level: Float) -> Float {
        let signal = Double(level.exponential)
        let variance = profiles.map { $0.variance(at: signal) }.max() ?? 0
        // A sample pixel is taken as the mean of nine cells, the largest number read for one; dividing by the signal
        // and multiplying by log2(e) converts the deviation to EV.
        return Float(min(8, (2 * variance / 9).squareRoot() / signal * M_LOG2E))
    }

    /// Returns the sharpening for a photo whose sensor white lies `range` EV above the display's white.
    func sharpness(range: Float) -> Double {
        ((1.3 * clarity(range: range)).clamped(0.3, 1.3) * 100).rounded() / 100
    }

    /// Returns the fraction, 0...1, of sharpening and local contrast that a photo bears whose sensor white lies `range`
    /// EV above the display's white: less if middle grey is noisy.
    func clarity(range: Float) -> Double {
        let grey = 0.18 * exp2(Double(-range))
        let variance = profiles.map { $0.variance(at: grey) }.max() ?? 0
        let noise = variance.squareRoot() / grey
        return 1 / (1 + noise / 0.06)
    }
}

extension Double {
    fileprivate func clamped(_ low: Double, _ high: Double) -> Double { Swift.max(low, Swift.min(high, self)) }
}

/// The tone curve of the look: more contrast in shadows and midtones and a soft highlight shoulder, as in film. Applied
/// to the largest and smallest channel, it makes colours more saturated by as much as it raises contrast.
struct FilmCurve {
    /// The slope in the deep shadows, in EV of output per EV of input; the shoulder lowers it towards the highlights.
    private let slope: Double
    /// The softness of the highlight shoulder; higher values start it later.
    private let softness: Double

    init(strength: Double) {
        slope = 1 + 0.32 * strength
        softness = 0.7 / max(1e-9, strength)
    }

    private static let last = 256

    /// Tabulates the curve at 257 points, spaced more closely in the shadows.
    var curve: ToneCurve? {
        let points = (0...Self.last).map { index in
            let root = Double(index) / Double(Self.last)
            return SIMD2(Float(root * root), Float(value(at: root * root)))
        }
        return try? ToneCurve(points: points)
    }

    /// Maps a scene-linear value in 0...1 to a display-linear value.
    func value(at linear: Double) -> Double {
        let power = pow(linear, slope)
        return power * (1 + softness) / (power + softness)
    }
}
