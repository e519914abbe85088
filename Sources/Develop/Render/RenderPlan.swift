internal import Demosaic
internal import Glibc
internal import RawImage

/// All parameters of a rendering, computed once before the rows.
struct RenderPlan: Sendable {
    let frame: RenderFrame
    let color: PictureColor
    /// The linear value at which each channel clips, after white balance; the channel with the largest response clips
    /// at 1.
    let limits: SIMD3<Float>
    /// Matrix from white-balanced camera RGB to the profile space (linear ProPhoto), including positive exposure; for
    /// scene-linear output, negative exposure too.
    let toProfile: Matrix3
    /// Whether the output is scene-linear, without the look.
    let isScene: Bool
    /// Whether values above white are preserved, for HDR output. Otherwise each channel is clipped at white before
    /// the camera matrix, as in other DNG converters, so that the look matches theirs.
    let keepsHighlights: Bool
    let hueSat: ColorTable?
    /// Factor that removes the exposure that `toProfile` includes from values, for tables that are indexed by the value
    /// before exposure.
    let valueScale: Float
    let gains: GainGrid?
    /// Factor from values in the pipeline, which include only positive exposure, to the input of the gain table map,
    /// which includes negative exposure too.
    let gainScale: Float
    let black: BlackRamp?
    let lookTable: ColorTable?
    let tone: CurveTable
    let cube: CubeTable?
    /// Matrix from the profile space to linear output RGB.
    let toDisplay: Matrix3
    /// The luminance weights of output red, green and blue.
    let brightness: SIMD3<Float>
    let mapsGamut: Bool
    /// The largest linear value that the output encodes; 1 is diffuse white.
    let top: Float
    let noise: NoisePlan?
    let sharpening: SharpeningPlan?
    /// Table of the factor from display-linear to HLG scene-linear values, indexed by display luminance; nil for other
    /// transfer functions.
    let sceneScale: CurveTable?
    /// The transfer function; nil for linear output.
    let encoding: CurveTable?

    init(_ renderer: Renderer, _ output: Renderer.Output) throws(GscapError) {
        let frame = try renderer.frame(output)
        self.frame = frame
        color = output.color
        let (metadata, recipe) = (renderer.metadata, renderer.recipe)
        limits = SIMD3<Float>(1 / metadata.relativeSensitivity)
        isScene = output.color.transfer == .linear
        let camera = CameraColor(metadata)
        let exposure = min(max(recipe.exposure + (metadata.fusion?.headroom ?? 0), -32), 32)
        // Positive exposure is a gain on linear values. Negative exposure is applied by the tone curve, which
        // preserves white.
        let brightening = isScene ? exposure : max(0, exposure)
        toProfile = camera.toProfile * exp2(brightening)
        valueScale = Float(exp2(-brightening))
        gainScale = Float(exp2(exposure - brightening))
        hueSat = Self.hueSat(recipe, camera, metadata)
        let space = ColorSpace.of(output.color.primaries)
        toDisplay = ColorSpace.profile.matrix(to: space)
        brightness = SIMD3<Float>(space.toXYZ.rows.1)
        sceneScale =
            color.transfer == .hlg ? CurveTable(doublings: 3) { PictureColor.Transfer.sceneScale(brightness: $0) } : nil
        mapsGamut = recipe.mapsGamut && !isScene
        let top = output.color.transfer.top
        keepsHighlights = top > 1
        self.top = Float(min(top, Double(Float.greatestFiniteMagnitude)))
        let local = recipe.boost * recipe.localToneMapAmount
        gains = isScene || local == 0 ? nil : recipe.gainTableMap.map { GainGrid($0, amount: local, frame) }
        black = isScene ? nil : BlackRamp(recipe.shadowBias, brightening: brightening)
        lookTable = isScene || recipe.boost == 0 ? nil : recipe.lookTable.map(ColorTable.init)
        let curve = RenderTone(recipe, exposure: exposure, top: top)
        let doublings = top > 1 ? 6 : 0
        tone = CurveTable(doublings: doublings, curve.value)
        let variance =
            SharpeningPlan.variance(metadata, exposure: exposure, curve) / (frame.columnScale * frame.rowScale)
        noise = isScene ? nil : NoisePlan(renderer, frame, shown: variance)
        sharpening = isScene ? nil : SharpeningPlan(recipe, noise: variance)
        cube = isScene || recipe.boost == 0 ? nil : recipe.colorCube.map(CubeTable.init)
        let transfer = color.transfer
        encoding = isScene ? nil : CurveTable(doublings: doublings) { transfer.encoded($0) }
    }

    /// Returns the hue/saturation table interpolated between calibration illuminants for the scene's white point.
    private static func hueSat(_ recipe: Recipe, _ camera: CameraColor, _ metadata: FrameMetadata) -> ColorTable? {
        guard let first = recipe.hueSatMaps.first else { return nil }
        let weights = metadata.calibrations.shares(at: camera.white).map { Float($0) }
        return ColorTable(HueSatMap.mean(of: recipe.hueSatMaps, by: weights) ?? first)
    }
}

/// A shadow ramp: maps values below a black point to 0 and preserves white.
struct BlackRamp: Sendable {
    let black: Float
    let slope: Float
    let radius: Float

    /// Returns the ramp for a shadow bias (linear value that becomes black) before values are brightened by
    /// `brightening` EV; nil for a bias of 0.
    init?(_ bias: Double, brightening: Double) {
        guard bias != 0 else { return nil }
        let black = min(bias * exp2(brightening), 0.99)
        let slope = 1 / (1 - black)
        self.black = Float(black)
        self.slope = Float(slope)
        // A soft toe preserves some shadow detail.
        radius = Float(max(0, min(black / 2, 1 / 16 / slope)))
    }
}

/// The tone curve of a recipe combined with boost, negative exposure and extended range.
struct RenderTone {
    private let curve: CubicSpline
    private let boost: Double
    private let darkening: Double
    private let top: Double
    private let extendedRange: Double

    init(_ recipe: Recipe, exposure: Double, top: Double) {
        curve = recipe.toneCurve.map(CubicSpline.init) ?? DefaultToneCurve.curve
        boost = recipe.boost
        darkening = exp2(min(0, exposure))
        self.top = top
        extendedRange = recipe.extendedRangeAmount
    }

    /// Maps a scene-linear value to a display-linear value, 0 to `top`.
    func value(at linear: Double) -> Double {
        let standard = standardRange(linear)
        guard top > 1, linear > Self.middle else { return standard }
        // Above middle grey, HDR output blends from the tone curve to a straight line through middle grey; with an
        // extended range amount of 1 the blend is complete from 3 EV above middle grey on.
        let straight = linear * standardRange(Self.middle) / Self.middle
        guard straight > standard, standard > 0 else { return standard }
        let position = min(log2(linear / Self.middle) / 3, 1)
        let blend = position * position * (3 - 2 * position) * extendedRange
        return min(top, standard * pow(straight / standard, blend))
    }

    /// Maps a scene-linear value to 0...1 as for SDR output.
    private func standardRange(_ linear: Double) -> Double {
        let dark = darkened(min(max(linear, 0), 1))
        return dark + (curve.value(at: dark) - dark) * boost
    }

    /// Applies negative exposure and preserves white: linear up to 0.25, then a parabola with matching slope to (1,
    /// 1).
    private func darkened(_ linear: Double) -> Double {
        guard darkening < 1 else { return linear }
        guard linear > 0.25 else { return linear * darkening }
        let beyond = linear - 0.25
        return darkening * linear + (1 - darkening) * beyond * beyond / 0.5625
    }

    /// Scene-linear middle grey.
    static let middle = 0.18
}

/// Parameters of sharpening.
struct SharpeningPlan: Sendable {
    /// The gain on high-frequency detail.
    let amount: Float
    /// Twice the noise variance of the square root of displayed values. Detail whose square equals it is sharpened half
    /// as much as strong detail, weaker detail less still.
    let noise: Float
    /// The largest change of the square root of a value. It prevents halos at edges and keeps the picture close to
    /// converters that do not sharpen.
    let bound: Float
    /// Rows above and below that sharpening of a row reads.
    let reach = 1

    /// Returns nil when the recipe's sharpness is 0.
    init?(_ recipe: Recipe, noise: Double) {
        guard recipe.sharpness > 0 else { return nil }
        amount = Float(0.5 * recipe.sharpness)
        bound = Float(min(max(0.025 * recipe.sharpness, 0.001), 0.05))
        self.noise = Float(min(max(2 * noise, 1e-7), 1))
    }

    /// Returns the noise variance at middle grey, on the square root of displayed values after the tone curve.
    static func variance(_ metadata: FrameMetadata, exposure: Double, _ tone: RenderTone) -> Double {
        let middle = RenderTone.middle
        let raw = middle * exp2(-exposure)
        let variances = zip(metadata.noise, metadata.noise.indices).map { profile, plane in
            // White balance amplifies a channel and its noise alike.
            let sensitivity = metadata.noise.count == 3 ? metadata.relativeSensitivity[plane] : 1
            return profile.variance(at: raw * sensitivity) / (sensitivity * sensitivity)
        }
        let mean = variances.isEmpty ? 0 : variances.reduce(0, +) / Double(variances.count)
        let shown = tone.value(at: middle)
        let slope = (tone.value(at: middle * 1.02) - shown) / (middle * 0.02) * exp2(exposure)
        let root = slope / (2 * max(shown, 1e-3).squareRoot())
        let variance = mean * root * root
        return variance.isFinite ? max(variance, 0) : 0
    }
}
