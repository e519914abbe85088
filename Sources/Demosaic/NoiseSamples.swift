internal import KernelTypes
internal import Kernels
package import PixelMemory
package import RawImage

/// The noise of a picture as measured in tiles of 32×32 pixels, scattered over the picture. What a tile shows of the
/// scene adds to its variance, so each is an upper bound.
package struct NoiseSamples: Sendable {
    /// A tile without clipped codes, at each position in the CFA cell.
    package struct Tile: Sendable {
        /// The mean signal in codes above black.
        package var signal: SIMD4<Float>
        /// The variance in codes².
        package var variance: SIMD4<Float>

        /// Creates a tile from its signal and its variance.
        package init(signal: SIMD4<Float>, variance: SIMD4<Float>) {
            self.signal = signal
            self.variance = variance
        }

        /// Whether the noise stays clear of code 0, at which it would be cut off. `black` are the black levels.
        package func isAboveZero(_ black: SIMD4<Float>) -> Bool {
            let mean = signal + black
            return all(mean .> 0) && all(mean * mean .> 9 * variance)
        }
    }

    /// The measured tiles.
    package let tiles: [Tile]
    /// The number of independent values that a tile's variance is the mean square of.
    let freedom: Double

    /// The number of tiles that are measured in a large picture: the noise model has few parameters.
    package static let mostTiles = 3000

    /// Creates samples from tiles whose variances are mean squares of `freedom` independent values.
    package init(_ tiles: [Tile], freedom: Double) {
        self.tiles = tiles
        self.freedom = freedom
    }

    /// Creates the samples of several frames with the same noise, each measured by itself.
    package init(joining frames: [NoiseSamples]) {
        self.init(frames.flatMap(\.tiles), freedom: frames.first?.freedom ?? 1)
    }

    /// Measures the noise of a single frame by the part of each tile that varies from pixel to pixel.
    package init(_ codes: MemoryView<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?) {
        let side = BurstTile.side
        // The kernel reads two columns on both sides.
        let (columns, rows) = (format.width - side - 4, format.height - side)
        guard columns >= 0, rows >= 0, metadata.problem == nil else {
            self.init([], freedom: 1)
            return
        }
        let spacing = (Double(format.width * format.height) / Double(Self.mostTiles)).squareRoot()
        let step = max(side, Int(spacing) & ~1)
        let black = SIMD4<Float>(metadata.blackLevel.map(Float.init))
        let clipped = Self.clippedCode(metadata)
        var found = [[Tile]](repeating: [], count: rows / step + 1)
        found.withMutableView { found in
            // Concurrent bands write to different rows.
            concurrentBands(rows: found.bounds.count, of: 8, cores: cores) { band in
                for row in band {
                    for column in stride(from: 2, through: columns + 2, by: step) {
                        let start = codes + (row * step * format.stride + column)
                        guard Self.highest(start, format.stride) < clipped else { continue }
                        let tile = Self.tile(start, format.stride, black)
                        if tile.isAboveZero(black) { found[row].append(tile) }
                    }
                }
            }
        }
        self.init(found.flatMap(\.self), freedom: Self.residualFreedom)
    }

    /// As the other initialiser, for codes in the caller's memory.
    package init(_ codes: Span<UInt16>, _ format: MosaicFormat, _ metadata: FrameMetadata, cores: Int?) {
        self = codes.withView { NoiseSamples($0, format, metadata, cores: cores) }
    }

    /// The lowest code that may be clipped.
    package static func clippedCode(_ metadata: FrameMetadata) -> UInt16 {
        UInt16(max(1, min(65_535, metadata.whiteLevel * 0.98)))
    }

    /// The variance of the kernel's residual of noise of variance 1.
    private static let residualVariance: Float = 36
    /// The number of residuals of a colour in a tile.
    private static let residualCount: Float = 14 * 16
    /// Neighbouring residuals share samples: as many independent ones would be as precise.
    private static let residualFreedom = 59.0

    private static func highest(_ start: MemoryView<UInt16>, _ stride: Int) -> UInt16 {
        let side = BurstTile.side
        return unsafe highestCode(start.pointer(columns: side, rows: side, stride: stride), stride, side, side)
    }

    private static func tile(_ start: MemoryView<UInt16>, _ stride: Int, _ black: SIMD4<Float>) -> Tile {
        let side = BurstTile.side
        let found = unsafe residualsOfTile(start.pointer(-2..<(side - 1) * stride + side + 2), stride)
        return Tile(
            signal: found.sums / Float(BurstTile.planeCount) - black,
            variance: found.squares / (residualVariance * residualCount))
    }
}
