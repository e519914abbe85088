internal import Demosaic
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Denoises a merged mosaic, tile by tile, by the noise that merging left at each spatial frequency.
///
/// Tiles are windowed before and after their transform. What all four planes show in the proportions of the tile's mean
/// colour, and what differs from them, are Wiener-filtered separately: most structure is of the first kind, while noise
/// is equally of both.
struct TileDenoiser {
    private let sums: FrequencySums
    private let noise: CodeNoise
    private let black: SIMD4<Float>
    private let white: UInt16
    private let scale: Float
    private let strength: Float

    /// Creates a denoiser of a mosaic whose codes are `scale` times those that `noise`, `black` and `white` describe. A
    /// `strength` of 1 removes the usual amount.
    init(
        _ sums: FrequencySums, _ noise: CodeNoise, black: SIMD4<Float>, white: UInt16, scale: Float, strength: Float
    ) {
        (self.sums, self.noise, self.scale, self.strength) = (sums, noise, scale, strength)
        self.black = black * scale
        self.white = UInt16(min(Float(white) * scale, 65535))
    }

    /// Denoises the mosaic rows between the centres of the band's rows of tiles.
    func denoise(
        _ band: Range<Int>, of merged: borrowing MosaicBand, into target: MosaicRows, _ scratch: borrowing TileScratch
    ) {
        let grid = sums.grid
        let denoised = OverlappingTiles(band, grid, sums.pool)
        for row in band.lowerBound...band.upperBound {
            for column in 0..<grid.columns {
                denoise(merged.tile(column: column, row: row), column, row, scratch)
                denoised.add(scratch.tile, scratch.halfWindow, column: column, row: row)
            }
        }
        let (width, first) = (sums.format.width, band.lowerBound * TileGrid.tile)
        for line in 0..<min(band.count * TileGrid.tile, sums.format.height - first) {
            unsafe storeDenoisedRow(
                merged.row(first + line).pointer(width), denoised.row(line).pointer(width), white,
                (target.start + line * target.stride).pointer(width), width)
        }
    }

    /// Denoises a tile into `scratch.tile`.
    private func denoise(
        _ block: TileSource.Block, _ column: Int, _ row: Int, _ scratch: borrowing TileScratch
    ) {
        let side = TileSource.side
        let tile = scratch.tile
        let means = unsafe loadWindowedTile(
            block.codes.pointer(columns: side, rows: side, stride: block.stride), block.stride,
            scratch.halfWindow.pointer(BurstTile.planeSide), tile.pointer(BurstTile.rows))
        unsafe transformTile(tile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        sums.loadFractions(column: column, row: row, scratch)
        let signal = means - black
        let scaleSquare: Float = scale * scale
        let deviations = (noise.variance(at: signal / scale) * scaleSquare).squareRoot()
        unsafe denoiseWindowedTile(
            tile.pointer(BurstTile.rows), scratch.excess.pointer(BurstTile.planeSide),
            deviations * Self.windowedDeviation, Self.color(of: signal, deviations), strength,
            scratch.shifts.pointer(2 * BurstTile.planeSide), scratch.kernelScratch.pointer(BurstTile.denoisingRows))
        unsafe invertTile(tile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        unsafe restoreWindowedTile(
            tile.pointer(BurstTile.rows), means, scratch.halfWindow.pointer(BurstTile.planeSide))
    }

    /// The standard deviation of a frequency of windowed noise relative to that of the noise: the root of the sum of
    /// the squared window.
    private static let windowedDeviation: Float = 8

    /// Returns the tile's mean colour in units of the noise, of length 1. A mean within its own error counts as that.
    private static func color(of signal: SIMD4<Float>, _ deviations: SIMD4<Float>) -> SIMD4<Float> {
        let color = pointwiseMax(signal, deviations / 16) / deviations
        return color / (color * color).sum().squareRoot()
    }
}
