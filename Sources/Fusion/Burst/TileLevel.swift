internal import Demosaic
internal import Kernels

/// How light a tile of the reference is: all that merging must know of it, and the same for each frame.
struct TileLevel: BitwiseCopyable {
    /// The mean signal of the pixels that are not clipped, by place.
    let signal: SIMD4<Float>
    /// The share of pixels that is clipped, by place.
    let clipped: SIMD4<Float>
    /// What a sum of 1 stands for.
    let unit: Float

    /// The variance of clipped codes, which are all alike: next to none.
    private static let clippedVariance: Float = 0.1
    /// A sum of 1 is so much less than the noise of a frequency.
    private static let fineness: Float = 24

    /// Looks at a tile whose frequencies (or pixels) are to be summed.
    init(of tile: TileSource.Block, in reference: TileSource, noise: CodeNoise, isTransformed: Bool) {
        let (signal, clipped) = unsafe reference.level(of: tile)
        let variance = Self.variance(noise, signal, clipped).sum() / 4
        (self.signal, self.clipped) = (signal, clipped)
        unit = (variance * (isTransformed ? 256 : 1)).squareRoot() / Self.fineness
    }

    /// The variance of the tile's pixels under such noise, by place.
    func variance(_ noise: CodeNoise) -> SIMD4<Float> { Self.variance(noise, signal, clipped) }

    private static func variance(_ noise: CodeNoise, _ signal: SIMD4<Float>, _ clipped: SIMD4<Float>) -> SIMD4<Float> {
        (1 - clipped) * noise.variance(at: signal) + clipped * clippedVariance
    }
}
