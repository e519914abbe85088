internal import Demosaic
internal import Glibc
internal import RawImage

/// All numbers that a render needs, worked out once.
struct RenderPlan: Sendable {
    let frame: RenderFrame
    let color: PictureColor
    /// The light at which each colour of the sensor is full, after white balance.
    let limits: SIMD3<Float>
    /// White-balanced camera colour to the profile space, brightened.
    let toProfile: Matrix3
    /// Whether the look is applied, or the scene's own light wanted.
    let isScene: Bool
    /// Whether light beyond white is told. Where it is not, each colour ends at white before colours are mixed, as other
    /// converters do it: the look must be theirs.
    let keepsHighlights: Bool
    let hueSat: ColorTable?
    /// What brightened values are multiplied by for tables that want them as they were.
    let valueScale: Float
    let gains: GainGrid?
    /// What brightened light is multiplied by for the gains, which know exposures below 0 too.
    let gainScale: Float
    let black: BlackRamp?
    let lookTable: ColorTable?
    let tone: CurveTable
    let cube: CubeTable?
    /// The profile space to the display's colours.
    let toDisplay: Matrix3
    /// How much each of the display's colours counts for brightness.
    let brightness: SIMD3<Float>
    let mapsGamut: Bool
    /// The most light that the display shows.
    let top: Float
    let noise: NoisePlan?
    let detail: DetailPlan?
    /// What makes HLG's light of a scene of the picture's.
    let sceneScale: CurveTable?
    /// Light to numbers; nil when they are alike.
    let encoding: CurveTable?

    init(_ renderer: Renderer, _ output: Renderer.Output) throws(DevelopError) {
        let frame = try RenderFrame(renderer, output)
        self.frame = frame
        color = output.color
        let (metadata, recipe) = (renderer.metadata, renderer.recipe)
        limits = SIMD3<Float>(1 / metadata.relativeSensitivity)
        isScene = output.color.transfer == .linear
        let camera = CameraColor(metadata)
        let exposure = min(max(recipe.exposure + (metadata.fusion?.headroom ?? 0), -32), 32)
        // A picture that is to become darker keeps its white: the curve darkens it.
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
        let variance = DetailPlan.variance(metadata, exposure: exposure, curve) / (frame.columnScale * frame.rowScale)
        noise = isScene ? nil : NoisePlan(renderer, frame, shown: variance)
        detail = isScene ? nil : DetailPlan(recipe, noise: variance)
        cube = isScene || recipe.boost == 0 ? nil : recipe.colorCube.map(CubeTable.init)
        let transfer = color.transfer
        encoding = isScene ? nil : CurveTable(doublings: doublings) { transfer.encoded($0) }
    }

    /// The correction for the light of the scene, between those of the lights that the camera was measured under.
    private static func hueSat(_ recipe: Recipe, _ camera: CameraColor, _ metadata: FrameMetadata) -> ColorTable? {
        guard let first = recipe.hueSatMaps.first else { return nil }
        let shares = metadata.calibrations.shares(at: camera.white).map { Float($0) }
        return ColorTable(HueSatMap.mean(of: recipe.hueSatMaps, by: shares) ?? first)
    }
}

/// How black is made of what is nearly so: light below it becomes 0, white stays.
struct BlackRamp: Sendable {
    let black: Float
    let slope: Float
    let radius: Float

    /// The ramp for light that was brightened by some doublings; nil when nothing is taken.
    init?(_ bias: Double, brightening: Double) {
        guard bias != 0 else { return nil }
        let black = min(bias * exp2(brightening), 0.99)
        let slope = 1 / (1 - black)
        self.black = Float(black)
        self.slope = Float(slope)
        // A soft foot, which leaves shadows some of their detail.
        radius = Float(max(0, min(black / 2, 1 / 16 / slope)))
    }
}

/// The tone curve with all that goes before and after it.
struct RenderTone {
    private let curve: SmoothCurve
    private let boost: Double
    private let darkening: Double
    private let top: Double
    private let extends: Double

    init(_ recipe: Recipe, exposure: Double, top: Double) {
        curve = recipe.toneCurve.map(SmoothCurve.init) ?? DefaultToneCurve.curve
        boost = recipe.boost
        darkening = exp2(min(0, exposure))
        self.top = top
        extends = recipe.extendedRangeAmount
    }

    /// The light of the display for light of the scene.
    func value(at light: Double) -> Double {
        let usual = usual(light)
        guard top > 1, light > Self.middle else { return usual }
        // What is brighter than the middle goes on as it began, the more the brighter it is.
        let straight = light * self.usual(Self.middle) / Self.middle
        guard straight > usual, usual > 0 else { return usual }
        let share = min(log2(light / Self.middle) / 3, 1)
        let smooth = share * share * (3 - 2 * share) * extends
        return min(top, usual * pow(straight / usual, smooth))
    }

    /// Light as pictures without extended range show it.
    private func usual(_ light: Double) -> Double {
        let dark = darkened(min(max(light, 0), 1))
        return dark + (curve.value(at: dark) - dark) * boost
    }

    /// Light made darker, but for white: a straight line, from a quarter on a bow that joins it smoothly.
    private func darkened(_ light: Double) -> Double {
        guard darkening < 1 else { return light }
        guard light > 0.25 else { return light * darkening }
        let beyond = light - 0.25
        return darkening * light + (1 - darkening) * beyond * beyond / 0.5625
    }

    /// Grey of usual pictures.
    static let middle = 0.18
}

/// How a picture is sharpened.
struct DetailPlan: Sendable {
    /// How much of the detail is added.
    let amount: Float
    /// The variance of noise in roots of light, as they are shown.
    let noise: Float
    /// More than this is added nowhere: edges are sharp enough, and converters that do not sharpen are to show the same picture.
    let bound: Float
    /// Rows above and below that a finished row needs.
    let reach = 1

    /// Nil when there is nothing to do.
    init?(_ recipe: Recipe, noise: Double) {
        guard recipe.sharpness > 0 else { return nil }
        amount = Float(0.5 * recipe.sharpness)
        bound = Float(min(max(0.025 * recipe.sharpness, 0.001), 0.05))
        self.noise = Float(min(max(2 * noise, 1e-7), 1))
    }

    /// The variance of middle grey in roots of light, as the curve leaves it.
    static func variance(_ metadata: FrameMetadata, exposure: Double, _ tone: RenderTone) -> Double {
        let middle = RenderTone.middle
        let raw = middle * exp2(-exposure)
        let variances = zip(metadata.noise, metadata.noise.indices).map { profile, plane in
            // White balance makes more of what a colour saw, and of its noise.
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
