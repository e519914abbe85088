internal import Demosaic
internal import Glibc
internal import RawImage

/// How noise is taken away, scale by scale: what of each scale's detail is no stronger than the noise that the profile
/// foretells.
struct NoisePlan: Sendable {
    /// What is added to light before its root is taken, so that noise is alike in shadow and light.
    let offset: Float
    /// For each scale, what makes the sum of four squares of brightness and of both colours a multiple of their noise.
    let scales: [SIMD3<Float>]
    /// What makes squares of steps in the coarsest picture's brightness and colours a distance, half of it noise's own.
    let coarseScales: SIMD3<Float>
    /// How much of the coarsest picture's brightness and colours is smoothed.
    let coarseShares: SIMD2<Float>
    /// The strength up to which brightness is noise, for each scale, as multiples of the noise's variance.
    let brightnessLimits: [Float]
    /// The same for colours.
    let colorLimits: [Float]

    /// How noise differs over the picture; nil if it does not.
    let map: NoiseMap?

    /// Scales, each of twice the size of the one before.
    static let levels = 3
    /// Noise that nobody sees: half a step of 8 bits, in roots of light as it is shown.
    private static let unseen = 0.002 * 0.002
    /// What the demosaic leaves of a pixel's noise as detail of each scale, as shares of its variance.
    private static let brightnessShares = [0.27, 0.143, 0.0394, 0.0117]
    /// The same of the noise of two colours together.
    private static let colorShares = [0.084, 0.116, 0.074, 0.029]
    /// What it leaves of it in the coarsest picture.
    private static let coarseShares = (brightness: 0.0155, color: 0.0385)
    /// Limits of the usual amounts. Fine grain is less of a picture than coarse: of that, more goes.
    private static let usualLimits: (brightness: [Double], color: [Double]) = ([1.5, 1.2, 1], [3, 2, 1.5])

    /// Nil when nothing is wanted, or noise of the variance `shown`, in roots of light as they are shown, is seen by nobody.
    init?(_ renderer: Renderer, _ frame: RenderFrame, shown: Double) {
        let (recipe, metadata) = (renderer.recipe, renderer.metadata)
        let (luminance, color) = (recipe.luminanceNoiseReduction ?? 0, recipe.colorNoiseReduction ?? 0)
        guard luminance > 0 || color > 0, shown > Self.unseen else {
            return nil
        }
        let sensitivity = metadata.relativeSensitivity
        let profiles = CodeNoise.usable(metadata)
        let mean = CodeNoise.mean(metadata)
        let ratio = mean.shot > 0 ? mean.read / mean.shot + 0.375 * mean.shot : mean.read.squareRoot()
        let offset = min(max(ratio / sensitivity.min(), 0.0005), 0.1)
        self.offset = Float(offset)
        let middle = RenderTone.middle
        let variances = (0..<3).map { plane in
            let profile = profiles.count == 3 ? profiles[plane] : mean
            let light = profile.variance(at: middle * sensitivity[plane])
            return light / (sensitivity[plane] * sensitivity[plane]) / (4 * (middle + offset))
        }
        let brightness = (variances[0] + 2 * variances[1] + variances[2]) / 4
        let (red, blue) = (variances[0] + variances[1], variances[2] + variances[1])
        // A smaller picture begins with coarser scales.
        let shift = log2(frame.columnScale * frame.rowScale) / 2
        scales = (0..<Self.levels).map { level in
            let place = Double(level) + shift
            let share = Self.share(place, Self.colorShares)
            return SIMD3(
                Self.part(brightness * Self.share(place, Self.brightnessShares)), Self.part(2 * red * share),
                Self.part(2 * blue * share))
        }
        let smaller = exp2(-2 * shift)
        coarseScales = SIMD3(
            Self.part(brightness * Self.coarseShares.brightness * smaller),
            Self.part(2 * red * Self.coarseShares.color * smaller),
            Self.part(2 * blue * Self.coarseShares.color * smaller))
        coarseShares = SIMD2(Float(min(1, 2 * luminance)), Float(color))
        map = NoiseMap(metadata.lens.shading, renderer.source, frame)
        brightnessLimits = Self.usualLimits.brightness.map { Float(2 * luminance * $0) }
        colorLimits = Self.usualLimits.color.map { Float(color * $0) }
    }

    /// What makes the sum of four squares of a variance 1, or a square a quarter.
    private static func part(_ variance: Double) -> Float { Float(1 / (4 * max(variance, 1e-12))) }

    /// The share at a scale between the known ones; behind them a quarter for each further.
    private static func share(_ place: Double, _ shares: [Double]) -> Double {
        let last = shares.count - 1
        guard place < Double(last) else { return shares[last] * exp2(-2 * (place - Double(last))) }
        let level = Int(place)
        let rest = place - Double(level)
        return shares[level] * pow(shares[level + 1] / shares[level], rest)
    }
}
