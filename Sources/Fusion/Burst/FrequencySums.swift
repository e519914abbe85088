internal import Demosaic
internal import Kernels
internal import RawImage

/// What the frames of a burst show beyond the reference, summed tile by tile and frequency by frequency.
///
/// Each tile of a frame is brought to the place of the reference's by a shift of its samples. Of the difference each
/// frequency is weighed by whether noise could have made it: what a frame shows otherwise, be it motion or detail that
/// the sensor's grid folds, is left out, and the rest of the tile still loses its noise. Differences fit 16 bits, so
/// the sums take 10 bytes a pixel, however long the burst is.
final class FrequencySums {
    let grid: TileGrid
    let format: MosaicFormat
    let options: FusionOptions
    let cores: Int?
    /// Those of a tile are 256 frequencies of four parts, and their weights; nothing is in them before the first frame.
    private let sums: LargeMemory<Int16>
    /// How light the reference's tiles are; known from the first frame on.
    private let levels: LargeMemory<TileLevel>
    private var isFirst = true

    static let numbersOfTile = 5 * 256

    init(_ format: MosaicFormat, _ options: FusionOptions, cores: Int?) {
        self.format = format
        self.options = options
        self.cores = cores
        grid = TileGrid(width: (format.width + 1) / 2, height: (format.height + 1) / 2)
        // The first frame writes them all, on all cores.
        sums = LargeMemory(count: grid.count * Self.numbersOfTile)
        levels = LargeMemory(count: grid.count)
    }

    /// Adds a frame's tiles where they agree with the reference's. Gives how much of it was taken, 0…1.
    func add(_ frame: borrowing TileMerge, latch: CancelLatch) -> Double {
        let (grid, isFirst) = (grid, isFirst)
        self.isFirst = false
        var shares = [Float](repeating: 0, count: grid.rows)
        unsafe shares.withUnsafeMutableBufferPointer { shares in
            // Bands write to rows of tiles of their own.
            nonisolated(unsafe) let (sums, levels, shares) = unsafe (sums.start, levels.start, shares.baseAddress)
            guard let shares = unsafe shares else { return }
            concurrentBands(rows: grid.rows, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                let room = unsafe TileRoom()
                defer { unsafe room.deallocate() }
                for row in band {
                    for column in 0..<grid.columns {
                        let tile = row * grid.columns + column
                        unsafe shares[row] += frame.add(
                            column, row, to: sums + tile * Self.numbersOfTile, &levels[tile], isFirst, room)
                    }
                }
            }
        }
        return Double(shares.reduce(0, +)) / Double(grid.count)
    }

    /// The reference with the mean of what was added, as codes of a mosaic without gaps, times `scale`. `denoising` of
    /// 1 takes the usual share of noise off. Gives the share that merging left, tile by tile; none when nothing was added.
    func finish(
        _ reference: TileSource, noise: CodeNoise, denoising: Double, scale: Float,
        into codes: UnsafeMutablePointer<UInt16>,
        latch: CancelLatch
    ) -> [Float] {
        guard !isFirst else { return [] }
        var rests = [Float](repeating: 0, count: grid.count)
        unsafe rests.withUnsafeMutableBufferPointer { rests in
            // Bands write to rows of their own.
            nonisolated(unsafe) let (codes, rests) = unsafe (codes, rests.baseAddress)
            nonisolated(unsafe) let reference = unsafe reference
            guard let rests = unsafe rests else { return }
            concurrentBands(rows: grid.rows - 1, of: 8, cores: cores) { band in
                if latch.isCancelled { return }
                unsafe finish(band, reference, noise, denoising, scale, codes, rests)
            }
        }
        return rests
    }

    /// The mosaic's rows that lie between the middles of rows of tiles; the row of tiles after a band reaches into it.
    private func finish(
        _ band: Range<Int>, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double, _ scale: Float,
        _ codes: UnsafeMutablePointer<UInt16>, _ rests: UnsafeMutablePointer<Float>
    ) {
        let side = TileGrid.tile
        let stride = (grid.columns + 1) * side
        let room = unsafe TileRoom()
        defer { unsafe room.deallocate() }
        var corrections = [Float](repeating: 0, count: stride * band.count * side)
        unsafe corrections.withUnsafeMutableBufferPointer { corrections in
            guard let corrections = corrections.baseAddress else { return }
            for row in band.lowerBound...band.upperBound {
                let isFirstRow = row == band.lowerBound
                let isLastRow = row == band.upperBound
                let start = unsafe corrections + (isFirstRow ? 0 : (row - band.lowerBound) * side - side) * stride
                for column in 0..<grid.columns {
                    let rest = unsafe correction(column, row, reference, noise, denoising, room)
                    unsafe overlayTile(
                        room.tile, isFirstRow ? 8 : 0, isFirstRow || isLastRow ? 8 : 16, room.window,
                        start + column * side, stride)
                    // The next band counts its first row of tiles itself.
                    if !isLastRow || row == grid.rows - 1 { unsafe rests[row * grid.columns + column] = rest }
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

    /// Makes the correction of a tile's signals in `room.tile`. Gives the share of the noise that is left.
    private func correction(
        _ column: Int, _ row: Int, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double, _ room: TileRoom
    ) -> Float {
        let tile = row * grid.columns + column
        let isTransformed = options.mode != .speed
        let rest = unsafe averageDifference(
            sums.start + tile * Self.numbersOfTile, levels.start[tile].unit * (isTransformed ? 1 / 256 : 1),
            TileRoom.floats(room.tile), TileRoom.floats(room.excess))
        guard isTransformed else { return rest / 256 }
        if denoising > 0 { unsafe denoise(column, row, reference, noise, denoising, room) }
        unsafe invertTile(room.tile, room.scratch)
        return rest / 256
    }

    /// How much of the noise of a frequency is taken for each step away from frequency 0.
    private static let denoisingOfStep: Float = 0.1

    private func denoise(
        _ column: Int, _ row: Int, _ reference: TileSource, _ noise: CodeNoise, _ denoising: Double, _ room: TileRoom
    ) {
        let side = unsafe TileSource.side
        let block = unsafe reference.block(
            x: 2 * TileGrid.start(column), y: 2 * TileGrid.start(row), columns: side, rows: side, room.referenceBlock)
        unsafe loadTile(block.codes, block.stride, reference.black, room.otherTile)
        unsafe transformTile(room.otherTile, room.scratch)
        for row in 0..<64 { unsafe room.otherTile[row] *= 1 / 256 }
        let mean = unsafe SIMD4(
            room.otherTile[0][0], room.otherTile[16][0], room.otherTile[32][0], room.otherTile[48][0])
        // Of the mean of 256.
        let variance = noise.variance(at: mean).sum() / 256
        unsafe denoiseTile(
            room.tile, room.otherTile, room.excess, room.distances,
            variance * Self.denoisingOfStep * Float(denoising), room.scratch)
    }
}
