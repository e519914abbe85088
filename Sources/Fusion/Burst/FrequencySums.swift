internal import Demosaic
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The weighted differences of a burst's frames from the reference, summed for each tile and spatial frequency.
///
/// Each tile of a frame is aligned with the reference's tile by sub-pixel interpolation. Each frequency of their
/// difference is weighted by the likelihood that it is noise: motion and aliased texture are left out, while the rest
/// of the tile is still denoised. Differences are stored in 16 bits, so the sums take 10 bytes a pixel for bursts of
/// any length.
final class FrequencySums {
    let grid: TileGrid
    let format: MosaicFormat
    let cores: Int?
    /// For each tile 256 frequencies of four colour planes, then their 256 weights. Uninitialised before the first
    /// frame.
    private let memory: ScratchMemory
    /// The pool of `memory` and of the bands' corrections.
    private let pool: ScratchMemoryPool
    /// The signal level of each tile of the reference. Uninitialised before the first frame.
    private let levels: OwnedMemory<TileLevel>
    private var isFirst = true

    /// The sums of all tiles. Two of them take the memory of a float.
    private var sums: MutableMemoryView<Int16> { memory.view.rebound(to: Int16.self) }

    static let numbersOfTile = BurstTile.sumCount

    init(_ format: MosaicFormat, _ memory: FusionMemory, cores: Int?) {
        self.format = format
        self.cores = cores
        grid = TileGrid(width: (format.width + 1) / 2, height: (format.height + 1) / 2)
        // The sums are not set to 0 here: the first frame initialises all tiles, on all cores.
        pool = memory.pool
        self.memory = pool.take(uninitialized: grid.count * Self.numbersOfTile / 2)
        levels = OwnedMemory(large: grid.count)
    }

    /// Adds the tiles of a frame where they agree with the reference. Returns the mean weight of the frame, 0…1.
    func add(_ frame: borrowing TileMerge, latch: CancelLatch) -> Double {
        let (grid, isFirst) = (grid, isFirst)
        self.isFirst = false
        var weights = [Float](repeating: 0, count: grid.rows)
        weights.withMutableView { weights in
            // Concurrent bands write to different rows of tiles.
            let (sums, levels) = (sums, levels.view)
            concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                let scratch = TileScratch()
                for row in band {
                    for column in 0..<grid.columns {
                        let tile = row * grid.columns + column
                        weights[row] += frame.add(
                            column, row, to: sums.part(tile * Self.numbersOfTile, count: Self.numbersOfTile),
                            &levels[tile], isFirst, scratch)
                    }
                }
            }
        }
        return Double(weights.reduce(0, +)) / Double(grid.count)
    }

    /// Stores the reference plus the mean of the weighted differences as codes without row padding, times `scale`. A
    /// `denoising` of 1 removes the usual amount of remaining noise. Returns for each tile the remaining fraction of
    /// the noise variance; empty if no frame was added.
    func finish(
        _ reference: TileSource, noise: CodeNoise, denoising: Double, scale: Float,
        into codes: MutableMemoryView<UInt16>,
        latch: CancelLatch
    ) -> [Float] {
        guard !isFirst else { return [] }
        var variances = [Float](repeating: 0, count: grid.count)
        variances.withMutableView { variances in
            // Concurrent bands write to different rows.
            concurrentBands(rows: grid.rows - 1, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                finish(band, reference, noise, denoising, scale, codes, variances)
            }
        }
        return variances
    }

    /// Corrects the mosaic rows between the centres of the band's rows of tiles; the first row of tiles of the next
    /// band overlaps them.
    private func finish(
        _ band: Range<Int>, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double, _ scale: Float,
        _ codes: MutableMemoryView<UInt16>, _ variances: MutableMemoryView<Float>
    ) {
        let side = TileGrid.tile
        let stride = (grid.columns + 1) * side
        let scratch = TileScratch()
        let block = pool.take(stride * band.count * side)
        let corrections = block.view
        for row in band.lowerBound...band.upperBound {
            let isFirstRow = row == band.lowerBound
            let isLastRow = row == band.upperBound
            let start = corrections + (isFirstRow ? 0 : (row - band.lowerBound) * side - side) * stride
            for column in 0..<grid.columns {
                let remaining = correction(column, row, reference, noise, denoising, scratch)
                let rows = isFirstRow || isLastRow ? 8 : 16
                unsafe overlayTile(
                    scratch.tile.pointer(BurstTile.rows), isFirstRow ? 8 : 0, rows,
                    scratch.window.pointer(BurstTile.planeSide),
                    (start + column * side).pointer(columns: BurstTile.side, rows: 2 * rows, stride: stride),
                    stride)
                // The last row of tiles is also the first of the next band, which stores its result; only at the end of
                // the grid is there no next band.
                if !isLastRow || row == grid.rows - 1 { variances[row * grid.columns + column] = remaining }
            }
        }
        for line in 0..<min(band.count * side, format.height - band.lowerBound * side) {
            let row = band.lowerBound * side + line
            unsafe correctRow(
                (reference.codes + row * format.stride).pointer(format.width),
                (corrections + line * stride + side).pointer(format.width), reference.white, scale,
                (codes + row * format.width).pointer(format.width), format.width)
        }
    }

    /// Computes the correction of a tile's signals into `scratch.tile`. Returns the remaining fraction of the noise
    /// variance.
    private func correction(
        _ column: Int, _ row: Int, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double,
        _ scratch: borrowing TileScratch
    ) -> Float {
        let tile = row * grid.columns + column
        let remaining = unsafe averageDifference(
            (sums + tile * Self.numbersOfTile).pointer(Self.numbersOfTile),
            levels.view[tile].unit / 256,
            scratch.tile.rebound(to: Float.self).pointer(4 * BurstTile.planeCount),
            scratch.excess.rebound(to: Float.self).pointer(BurstTile.planeCount))
        if denoising > 0 { denoise(column, row, reference, noise, denoising, scratch) }
        unsafe invertTile(scratch.tile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        return remaining / 256
    }

    /// The fraction of the remaining noise variance that denoising of strength 1 treats as noise, for each step of a
    /// frequency's distance from frequency 0.
    private static let denoisingOfStep: Float = 0.1

    private func denoise(
        _ column: Int, _ row: Int, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double,
        _ scratch: borrowing TileScratch
    ) {
        let side = TileSource.side
        let block = reference.block(
            x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row), columns: side, rows: side, scratch.referenceBlock
        )
        unsafe loadTile(
            block.codes.pointer(columns: side, rows: side, stride: block.stride), block.stride, reference.black,
            scratch.otherTile.pointer(BurstTile.rows))
        unsafe transformTile(scratch.otherTile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        for row in 0..<BurstTile.rows { scratch.otherTile[row] *= 1 / 256 }
        let (tile, plane) = (scratch.otherTile, BurstTile.planeSide)
        let mean = SIMD4(tile[0][0], tile[plane][0], tile[2 * plane][0], tile[3 * plane][0])
        // The variance of the mean of 256 samples.
        let meanVariance = noise.variance(at: mean).sum() / 256
        unsafe denoiseTile(
            scratch.tile.pointer(BurstTile.rows), scratch.otherTile.pointer(BurstTile.rows),
            scratch.excess.pointer(BurstTile.planeSide), scratch.distances.pointer(BurstTile.planeSide),
            meanVariance * Self.denoisingOfStep * Float(denoising), scratch.kernelScratch.pointer(BurstTile.energyRows))
    }
}
