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
    /// frame or `setToZero`.
    private let memory: ScratchMemory
    /// The pool of `memory` and of the bands' rows.
    let pool: ScratchMemoryPool
    /// The signal level of each tile of the reference. Uninitialised before the first frame or `setToZero`.
    private let levels: OwnedMemory<TileLevel>
    private var isFirst = true
    /// Whether all sums are 0.
    private var isZero = false

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

    /// Sets all sums to 0, so that `finish` denoises the reference alone.
    func setToZero() {
        (isFirst, isZero) = (false, true)
        let (sums, levels) = (sums, levels.view)
        concurrentBands(rows: grid.count, of: 256, cores: cores) { tiles in
            sums.part(tiles.lowerBound * Self.numbersOfTile, count: tiles.count * Self.numbersOfTile)
                .update(repeating: 0, count: tiles.count * Self.numbersOfTile)
            for tile in tiles { levels[tile] = .empty }
        }
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
    /// the noise variance; empty before the first frame and `setToZero`.
    func finish(
        _ reference: TileSource, noise: CodeNoise, denoising: Double, scale: Float,
        into codes: MutableMemoryView<UInt16>,
        latch: CancelLatch
    ) -> [Float] {
        guard !isFirst else { return [] }
        let width = format.width
        let denoiser = TileDenoiser(
            self, noise, black: reference.black, white: reference.white, scale: scale, strength: Float(denoising))
        let limit = ReferenceLimit(reference, noise, scale: scale, pool)
        var variances = [Float](repeating: 0, count: grid.count)
        variances.withMutableView { variances in
            // Concurrent bands write to different rows.
            concurrentBands(rows: grid.rows - 1, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                let scratch = TileScratch()
                let target = MosaicRows(start: codes + band.lowerBound * TileGrid.tile * width, stride: width)
                defer { limit.measure(quads(of: band), of: MosaicRows(start: codes, stride: width)) }
                guard denoising > 0 else {
                    return merge(band, reference, scale, into: target, noting: band, variances, scratch)
                }
                // A denoised row depends on the tiles around it. Those below the mosaic mirror up to 32 rows above its
                // end: a last band of one row of tiles needs two rows of tiles above.
                let above = band.count == 1 ? 2 : 1
                let near = max(0, band.lowerBound - above)..<min(grid.rows - 1, band.upperBound + 1)
                let merged = MosaicBand(near, width: width, height: format.height, grid, pool)
                merge(near, reference, scale, into: merged.rows, noting: band, variances, scratch)
                merged.extendEdges()
                denoiser.denoise(band, of: merged, into: target, scratch)
            }
        }
        // The reference alone is not limited: it differs from itself by the noise that denoising removed.
        if isZero { return variances }
        concurrentBands(rows: grid.rows - 1, of: 8, cores: cores) { band in
            if latch.isCancelled { return }
            limit.apply(to: MosaicRows(start: codes, stride: width), quads(of: band))
        }
        return variances
    }

    /// Returns the rows of quads of 2×2 pixels in the mosaic rows between the centres of the band's rows of tiles.
    private func quads(of band: Range<Int>) -> Range<Int> {
        let last = format.height / 2
        return min(band.lowerBound * TileGrid.tile / 2, last)..<min(band.upperBound * TileGrid.tile / 2, last)
    }

    /// Merges the mosaic rows between the centres of the band's rows of tiles, and notes the variances of the tiles of
    /// the rows `own`; the first row of tiles of the next band overlaps them.
    private func merge(
        _ band: Range<Int>, _ reference: TileSource, _ scale: Float, into target: MosaicRows, noting own: Range<Int>,
        _ variances: MutableMemoryView<Float>, _ scratch: borrowing TileScratch
    ) {
        let corrections = OverlappingTiles(band, grid, pool)
        for row in band.lowerBound...band.upperBound {
            // The last row of tiles is also the first of the next band, which stores its result; only at the end of the
            // grid is there no next band.
            let isOwn = own.contains(row) || row == own.upperBound && row == grid.rows - 1
            for column in 0..<grid.columns {
                let remaining = correction(column, row, scratch)
                corrections.add(scratch.tile, scratch.window, column: column, row: row)
                if isOwn { variances[row * grid.columns + column] = remaining }
            }
        }
        for line in 0..<min(band.count * TileGrid.tile, format.height - band.lowerBound * TileGrid.tile) {
            let row = band.lowerBound * TileGrid.tile + line
            unsafe correctRow(
                (reference.codes + row * format.stride).pointer(format.width),
                corrections.row(line).pointer(format.width), reference.white, scale,
                (target.start + line * target.stride).pointer(format.width), format.width)
        }
    }

    /// Computes the correction of a tile's signals into `scratch.tile`. Returns the remaining fraction of the noise
    /// variance.
    private func correction(_ column: Int, _ row: Int, _ scratch: borrowing TileScratch) -> Float {
        let tile = row * grid.columns + column
        let remaining = unsafe averageDifference(
            sums(of: tile).pointer(Self.numbersOfTile), levels.view[tile].unit / 256,
            scratch.tile.rebound(to: Float.self).pointer(4 * BurstTile.planeCount),
            scratch.excess.rebound(to: Float.self).pointer(BurstTile.planeCount))
        unsafe invertTile(scratch.tile.pointer(BurstTile.rows), scratch.kernelScratch.pointer(BurstTile.rows))
        return remaining / 256
    }

    /// Computes into `scratch.excess` the fraction of the noise variance that remains at each frequency of a tile.
    func loadFractions(column: Int, row: Int, _ scratch: borrowing TileScratch) {
        unsafe remainingFractions(
            sums(of: row * grid.columns + column).pointer(Self.numbersOfTile),
            scratch.excess.rebound(to: Float.self).pointer(BurstTile.planeCount))
    }

    private func sums(of tile: Int) -> MutableMemoryView<Int16> {
        sums.part(tile * Self.numbersOfTile, count: Self.numbersOfTile)
    }
}

/// Rows of a mosaic in memory.
struct MosaicRows {
    let start: MutableMemoryView<UInt16>
    /// The distance between rows in codes.
    let stride: Int
}
