internal import Demosaic
internal import KernelTypes
internal import Kernels
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
    let options: FusionOptions
    let cores: Int?
    /// For each tile 256 frequencies of four colour planes, then their 256 weights. Uninitialised before the first
    /// frame.
    private let sums: LargeMemory<Int16>
    /// The signal level of each tile of the reference. Uninitialised before the first frame.
    private let levels: LargeMemory<TileLevel>
    private var isFirst = true

    static let numbersOfTile = BurstTile.sumCount

    init(_ format: MosaicFormat, _ options: FusionOptions, cores: Int?) {
        self.format = format
        self.options = options
        self.cores = cores
        grid = TileGrid(width: (format.width + 1) / 2, height: (format.height + 1) / 2)
        // Not cleared here: the first frame initialises all tiles on all cores.
        sums = LargeMemory(count: grid.count * Self.numbersOfTile)
        levels = LargeMemory(count: grid.count)
    }

    /// Adds the tiles of a frame where they agree with the reference. Returns the mean weight of the frame, 0…1.
    func add(_ frame: borrowing TileMerge, latch: CancelLatch) -> Double {
        let (grid, isFirst) = (grid, isFirst)
        self.isFirst = false
        var weights = [Float](repeating: 0, count: grid.rows)
        unsafe weights.withUnsafeMutableBufferPointer { weights in
            // Concurrent bands write to different rows of tiles.
            nonisolated(unsafe) let (sums, levels, weights) = unsafe (sums.start, levels.start, weights.baseAddress)
            guard let weights = unsafe weights else { return }
            concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                let scratch = unsafe TileScratch()
                defer { unsafe scratch.deallocate() }
                for row in band {
                    for column in 0..<grid.columns {
                        let tile = row * grid.columns + column
                        unsafe weights[row] += frame.add(
                            column, row, to: sums + tile * Self.numbersOfTile, &levels[tile], isFirst, scratch)
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
        into codes: UnsafeMutablePointer<UInt16>,
        latch: CancelLatch
    ) -> [Float] {
        guard !isFirst else { return [] }
        var variances = [Float](repeating: 0, count: grid.count)
        unsafe variances.withUnsafeMutableBufferPointer { variances in
            // Concurrent bands write to different rows.
            nonisolated(unsafe) let (codes, variances) = unsafe (codes, variances.baseAddress)
            nonisolated(unsafe) let reference = unsafe reference
            guard let variances = unsafe variances else { return }
            concurrentBands(rows: grid.rows - 1, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                unsafe finish(band, reference, noise, denoising, scale, codes, variances)
            }
        }
        return variances
    }

    /// Corrects the mosaic rows between the centres of the band's rows of tiles; the first row of tiles of the next
    /// band overlaps them.
    private func finish(
        _ band: Range<Int>, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double, _ scale: Float,
        _ codes: UnsafeMutablePointer<UInt16>, _ variances: UnsafeMutablePointer<Float>
    ) {
        let side = TileGrid.tile
        let stride = (grid.columns + 1) * side
        let scratch = unsafe TileScratch()
        defer { unsafe scratch.deallocate() }
        var corrections = [Float](repeating: 0, count: stride * band.count * side)
        unsafe corrections.withUnsafeMutableBufferPointer { corrections in
            guard let corrections = corrections.baseAddress else { return }
            for row in band.lowerBound...band.upperBound {
                let isFirstRow = row == band.lowerBound
                let isLastRow = row == band.upperBound
                let start = unsafe corrections + (isFirstRow ? 0 : (row - band.lowerBound) * side - side) * stride
                for column in 0..<grid.columns {
                    let remaining = unsafe correction(column, row, reference, noise, denoising, scratch)
                    unsafe overlayTile(
                        scratch.tile, isFirstRow ? 8 : 0, isFirstRow || isLastRow ? 8 : 16, scratch.window,
                        start + column * side, stride)
                    // The last row of tiles is also the first of the next band, which stores its result; only at the
                    // end of the grid is there no next band.
                    if !isLastRow || row == grid.rows - 1 { unsafe variances[row * grid.columns + column] = remaining }
                }
            }
            for line in 0..<min(band.count * side, format.height - band.lowerBound * side) {
                let row = band.lowerBound * side + line
                unsafe correctRow(
                    reference.codes + row * format.stride, corrections + line * stride + side, reference.white, scale,
                    codes + row * format.width, format.width)
            }
        }
    }

    /// Computes the correction of a tile's signals into `scratch.tile`. Returns the remaining fraction of the noise
    /// variance.
    private func correction(
        _ column: Int, _ row: Int, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double,
        _ scratch: TileScratch
    ) -> Float {
        let tile = row * grid.columns + column
        let isTransformed = options.mode != .speed
        let remaining = unsafe averageDifference(
            sums.start + tile * Self.numbersOfTile, levels.start[tile].unit * (isTransformed ? 1 / 256 : 1),
            TileScratch.floats(scratch.tile), TileScratch.floats(scratch.excess))
        guard isTransformed else { return remaining / 256 }
        if denoising > 0 { unsafe denoise(column, row, reference, noise, denoising, scratch) }
        unsafe invertTile(scratch.tile, scratch.kernelScratch)
        return remaining / 256
    }

    /// The fraction of the noise variance removed from a frequency, for each step away from frequency 0.
    private static let denoisingOfStep: Float = 0.1

    private func denoise(
        _ column: Int, _ row: Int, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double,
        _ scratch: TileScratch
    ) {
        let side = unsafe TileSource.side
        let block = unsafe reference.block(
            x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row), columns: side, rows: side, scratch.referenceBlock
        )
        unsafe loadTile(block.codes, block.stride, reference.black, scratch.otherTile)
        unsafe transformTile(scratch.otherTile, scratch.kernelScratch)
        for row in 0..<BurstTile.rows { unsafe scratch.otherTile[row] *= 1 / 256 }
        let (tile, plane) = unsafe (scratch.otherTile, BurstTile.planeSide)
        let mean = unsafe SIMD4(tile[0][0], tile[plane][0], tile[2 * plane][0], tile[3 * plane][0])
        // The variance of the mean of 256 samples.
        let meanVariance = noise.variance(at: mean).sum() / 256
        unsafe denoiseTile(
            scratch.tile, scratch.otherTile, scratch.excess, scratch.distances,
            meanVariance * Self.denoisingOfStep * Float(denoising), scratch.kernelScratch)
    }
}
