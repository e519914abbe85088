internal import Demosaic
internal import RawImage

/// Parameters of the noise filter: at each pyramid level, detail no stronger than the noise profile predicts is
/// removed.
struct NoisePlan: Sendable {
    /// Added to linear values before the square root, which makes the noise variance the same in shadows and
    /// highlights.
    let offset: Float
    /// Per level, factors for luminance, red difference and blue difference: the sum of the squares of a 2×2 block of
    /// coefficients, times its factor, averages 1 if the block is only noise.
    let scales: [SIMD3<Float>]
    /// Factors for luminance, red difference and blue difference: the squared difference of two values of the coarse
    /// residual, times its factor, averages 0.5 if it is only noise.
    let coarseScales: SIMD3<Float>
    /// The smoothing strength of the pyramid's coarse residual, 0...1, for luminance and colour.
    let coarseAmounts: SIMD2<Float>
    /// Per level, the normalised energy up to which luminance detail is removed as noise.
    let brightnessLimits: [Float]
    /// Per level, the normalised energy up to which colour detail is removed as noise.
    let colorLimits: [Float]

    /// The variation of noise over the picture due to lens shading correction; nil if the noise is uniform.
    let map: NoiseMap?

    /// Levels of detail in the pyramid, each at half the resolution of the one before.
    var levels: Int { scales.count }
    /// The number of the picture's rows in a row of the pyramid's coarse residual.
    var brick: Int { 1 << levels }
    /// Invisible noise variance: that of half an 8-bit step, on the square root of displayed values.
    private static let invisible = 0.002 * 0.002
    /// Energy limits per level, finest first, at the default noise reduction amounts of a mosaic; 1 is the mean energy
    /// of noise. Fine levels have higher limits, because they carry less of the scene.
    private static let usualLimits = Limits(brightness: [1.5, 1.2, 1], color: [3, 2, 1.5])
    /// The limits for a photo that the fusion with a tele camera enlarged, whose noise reaches one level more.
    private static let enlargedLimits = Limits(brightness: [1.5, 1.2, 1, 0.6], color: [2, 1.5, 1.2, 1])
    /// The enlargement from which on these hold.
    private static let enlargement = 1.4

    private struct Limits {
        let brightness: [Double]
        let color: [Double]
    }

    /// Returns nil when both amounts are 0, or when the noise would be invisible: `shown` is its variance on the
    /// square root of displayed values.
    init?(_ renderer: Renderer, _ frame: RenderFrame, shown: Double) {
        let (recipe, metadata) = (renderer.recipe, renderer.metadata)
        let (luminance, color) = (recipe.luminanceNoiseReduction ?? 0, recipe.colorNoiseReduction ?? 0)
        guard luminance > 0 || color > 0, shown > Self.invisible else {
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
            let variance = profile.variance(at: middle * sensitivity[plane])
            return variance / (sensitivity[plane] * sensitivity[plane]) / (4 * (middle + offset))
        }
        let brightness = (variances[0] + 2 * variances[1] + variances[2]) / 4
        let (red, blue) = (variances[0] + variances[1], variances[2] + variances[1])
        let spectrum = NoiseSpectrum(frame, metadata.fusion)
        let limits = spectrum.teleEnlargement > Self.enlargement ? Self.enlargedLimits : Self.usualLimits
        brightnessLimits = limits.brightness.map { Float(2 * luminance * $0) }
        colorLimits = limits.color.map { Float(color * $0) }
        scales = limits.color.indices.map { level in
            let fraction = spectrum.color(level)
            return SIMD3(
                Self.scale(brightness * spectrum.brightness(level)), Self.scale(2 * red * fraction),
                Self.scale(2 * blue * fraction))
        }
        let coarse = spectrum.coarse(behind: scales.count)
        coarseScales = SIMD3(
            Self.scale(brightness * coarse.brightness), Self.scale(2 * red * coarse.color),
            Self.scale(2 * blue * coarse.color))
        coarseAmounts = SIMD2(Float(min(1, 2 * luminance)), Float(color))
        map = NoiseMap(metadata.lens.shading, renderer.source, frame)
    }

    /// Returns the factor that scales the sum of the squares of four values, each with mean 0 and this variance, to a
    /// mean of 1.
    private static func scale(_ variance: Double) -> Float { Float(1 / (4 * max(variance, 1e-12))) }
}
