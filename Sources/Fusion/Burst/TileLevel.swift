internal import Demosaic
internal import Kernels

/// The signal level of a tile of the reference, which decides the noise of all frames merged into it.
struct TileLevel: BitwiseCopyable {
    /// The mean signal of the unclipped pixels, for each CFA position.
    let signal: SIMD4<Float>
    /// The fraction of clipped pixels, for each CFA position.
    let clipped: SIMD4<Float>
    /// The signal difference that one unit of the 16-bit sums represents.
    let unit: Float

    /// The level of a tile whose sums are 0.
    static let empty = TileLevel()

    private init() { (signal, clipped, unit) = (.zero, .zero, 0) }

    /// The variance assumed for clipped codes, which vary by rounding only.
    private static let clippedVariance: Float = 0.1
    /// The number of units of the sums in one standard deviation of noise.
    private static let fineness: Float = 24

    /// Measures a tile whose frequencies are summed.
    init(of tile: TileSource.Block, in reference: TileSource, noise: CodeNoise) {
        let (signal, clipped) = reference.level(of: tile)
        let variance = Self.variance(noise, signal, clipped).sum() / 4
        (self.signal, self.clipped) = (signal, clipped)
        unit = (variance * 256).squareRoot() / Self.fineness
    }

    /// Returns the noise variance of the tile's pixels, for each CFA position.
    func variance(_ noise: CodeNoise) -> SIMD4<Float> { Self.variance(noise, signal, clipped) }

    private static func variance(_ noise: CodeNoise, _ signal: SIMD4<Float>, _ clipped: SIMD4<Float>) -> SIMD4<Float> {
        (1 - clipped) * noise.variance(at: signal) + clipped * clippedVariance
    }
}
