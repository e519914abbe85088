internal import Glibc
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Removes noise of a super-resolved photo at low frequencies.
///
/// Denoising in blocks of 8×8 pixels leaves their means, and therefore most of the noise that is coarser than a block:
/// blotches in dim and in flat areas. The means of cells of 2×2 mosaic pixels are therefore denoised in blocks of 8×8
/// cells, and the changes, interpolated, are added to the photo.
struct LowFrequencyNoise: ~Copyable {
    private let noise: SuperResolutionNoise
    /// The factors from linear values to the photo's codes.
    private let full: SIMD3<Float>
    private let format: LinearFormat
    /// The width and height of a cell in pixels of the photo.
    private let side: Int
    /// The whole cells of the photo.
    private let (columns, rows): (Int, Int)
    /// For each 4×4 cells the noise variance of their pixels relative to that of a single frame.
    private let variances: OwnedMemory<Float>
    private let varianceColumns: Int
    /// For each cell the change of its red, in codes; green and blue follow.
    private let changes: OwnedMemory<Float>

    /// The distance between blocks in cells: half their width.
    private static let step = DenoisingBlock.side / 2
    /// The width and height in mosaic pixels of the area of one of `variances`.
    static let area = 2 * step
    /// The cells above and below a band that are denoised with it, in steps.
    private static let margin = 2
    /// The rows of cells that are denoised at a time.
    private static let bandHeight = 16 * step

    /// Prepares the removal from a photo of the given format.
    init(
        _ noise: SuperResolutionNoise, _ sensitivity: SIMD3<Float>, _ format: LinearFormat,
        _ scale: SuperResolutionScale
    ) {
        (self.noise, self.format) = (noise, format)
        full = sensitivity * 65_535
        side = scale.pixels(2)
        (columns, rows) = (format.width / side, format.height / side)
        varianceColumns = columns / Self.step + 1
        variances = OwnedMemory(repeating: 1, count: varianceColumns * (rows / Self.step + 1))
        changes = OwnedMemory(large: 3 * columns * rows)
    }

    /// Records the noise variance, relative to that of a single frame, of an area whose first mosaic pixel is at `x`
    /// and `y`: multiples of `area`. Areas may be recorded concurrently.
    func record(_ variance: Float, x: Int, y: Int) {
        let (column, row) = (x / Self.area, y / Self.area)
        guard column < varianceColumns, row <= rows / Self.step else { return }
        variances.view[row * varianceColumns + column] = variance
    }

    /// Removes the noise from the photo.
    func remove(from pixels: MutableMemoryView<UInt16>, cores: Int?, latch: CancelLatch) {
        guard columns > 0, rows > 0 else { return }
        // Concurrent bands write different changes, and then different rows of the photo.
        concurrentBands(rows: rows, of: Self.bandHeight, cores: cores) { band in
            if !latch.isCancelled { measure(band, MemoryView(pixels)) }
        }
        concurrentBands(rows: format.height, of: Self.bandHeight, cores: cores) { band in
            if !latch.isCancelled { apply(band, pixels) }
        }
    }
}

// MARK: - Changes of the cells

extension LowFrequencyNoise {
    /// The means of rows of cells and the sums of their denoised blocks, with a margin of half a block at the left
    /// and right, and of a block above and below, so that the second grid also covers the first and last rows.
    private struct Band: ~Copyable {
        let rows: Range<Int>
        let height: Int
        let blocks: Int
        let stride: Int
        let means: OwnedMemory<Float>
        let sums: OwnedMemory<Float>
        let weights: OwnedMemory<Float>

        init(_ rows: Range<Int>, columns: Int) {
            self.rows = rows
            height = (rows.count + step - 1) / step * step + 2 * margin * step
            blocks = (columns + step - 1) / step + 1
            stride = (blocks + 1) * step
            means = OwnedMemory(uninitialized: 3 * stride * height)
            sums = OwnedMemory(repeating: 0, count: 3 * stride * height)
            weights = OwnedMemory(repeating: 0, count: stride * height)
        }

        /// The number of values of a plane.
        var plane: Int { stride * height }
    }

    /// Computes the changes of rows of cells.
    private func measure(_ rows: Range<Int>, _ pixels: MemoryView<UInt16>) {
        let band = Band(rows, columns: columns)
        for row in 0..<band.height { loadMeans(row, pixels, band) }
        denoise(band)
        for row in 0..<rows.count {
            let position = (row + Self.margin * Self.step) * band.stride + Self.step
            for color in 0..<3 {
                let inPlane = color * band.plane + position
                unsafe changesOfCells(
                    (band.sums.view + inPlane).pointer(columns), (band.weights.view + position).pointer(columns),
                    (band.means.view + inPlane).pointer(columns), full[color],
                    changesRow(rows.lowerBound + row, color).pointer(columns), columns)
            }
        }
    }

    /// Computes the means of a row of a band, counted from its margin. Cells at the edges are repeated beyond them.
    private func loadMeans(_ row: Int, _ pixels: MemoryView<UInt16>, _ band: borrowing Band) {
        let cellRow = (band.rows.lowerBound + row - Self.margin * Self.step).clamped(to: 0...rows - 1)
        let first = band.means.view + (row * band.stride + Self.step)
        let width = columns * side * LinearFormat.channels
        let factors = SIMD4(1 / full, 0)
        unsafe meansOfCells(
            (pixels + cellRow * side * format.stride).pointer(columns: width, rows: side, stride: format.stride),
            format.stride, side, columns, factors, first.pointer(0..<2 * band.plane + columns), band.plane)
        for color in 0..<3 {
            let line = first + color * band.plane
            (line - Self.step).update(repeating: line[0], count: Self.step)
            let behind = band.stride - Self.step - columns
            (line + columns).update(repeating: line[columns - 1], count: behind)
        }
    }

    /// Denoises the means of a band, in blocks on two grids, the second of them between those of the first.
    private func denoise(_ band: borrowing Band) {
        let blocks = OwnedMemory<SIMD8<Float>>(uninitialized: DenoisingBlock.scratchRows)
        let blockVariances = OwnedMemory<Float>(uninitialized: band.blocks)
        // Blocks before these, and behind them, cover nothing but the margins.
        let last = band.height / Self.step - Self.margin - 1
        for blockRow in 1...last + 1 {
            for block in 0..<band.blocks {
                blockVariances.view[block] = variance(
                    block - 1, band.rows.lowerBound / Self.step + blockRow - Self.margin)
            }
            let row = blockRow * Self.step
            denoise(
                band, fromRow: row - Self.step / 2, column: Self.step / 2, band.blocks - 1, blockVariances.view,
                blocks.view)
            if blockRow <= last {
                denoise(band, fromRow: row, column: 0, band.blocks, blockVariances.view, blocks.view)
            }
        }
    }

    /// Denoises a row of `count` blocks.
    private func denoise(
        _ band: borrowing Band, fromRow row: Int, column: Int, _ count: Int, _ variances: MutableMemoryView<Float>,
        _ blocks: MutableMemoryView<SIMD8<Float>>
    ) {
        // The mean of four mosaic pixels has a quarter of their variance.
        let cellNoise = noise.picture.map { $0 / 4 }
        let position = row * band.stride + column
        let inPlane = 0..<(DenoisingBlock.side - 1) * band.stride + (count + 1) * Self.step
        let inPlanes = 0..<2 * band.plane + inPlane.upperBound
        unsafe denoiseBlocks(
            DenoisedPlanes(
                picture: (band.means.view + position).pointer(inPlanes), pilot: nil,
                sums: (band.sums.view + position).pointer(inPlanes),
                weights: (band.weights.view + position).pointer(inPlane), plane: band.plane, stride: band.stride),
            count, variances.pointer(count), cellNoise, Self.shapes, SuperResolutionPatches.window,
            blocks.pointer(DenoisingBlock.scratchRows))
    }

    /// Returns the mean of the variances of the four areas that a block covers, of which `column` and `row` are the
    /// first.
    private func variance(_ column: Int, _ row: Int) -> Float {
        var sum: Float = 0
        for line in row...row + 1 {
            let start = line.clamped(to: 0...rows / Self.step) * varianceColumns
            for area in column...column + 1 { sum += variances.view[start + area.clamped(to: 0...varianceColumns - 1)] }
        }
        return sum / 4
    }

    /// The noise variance left at the 8×8 frequencies of a block of cells, for what the colours have in common and for
    /// their differences: denoising in blocks of pixels has removed what is finer than those.
    private static let shapes: [Float] = {
        let shape = (0..<64).map { position -> Float in
            let ratio = hypotf(Float(position % 8), Float(position / 8)) / lowest
            return 1 / (1 + powf(ratio, 6))
        }
        return shape + shape
    }()
    /// The frequency of a block of cells from which on the blocks of pixels have removed most noise.
    private static let lowest: Float = 2.5

    /// Returns the changes of a row of cells.
    private func changesRow(_ row: Int, _ color: Int) -> MutableMemoryView<Float> {
        changes.view.part((color * rows + row) * columns, count: columns)
    }
}

// MARK: - Changes of the pixels

extension LowFrequencyNoise {
    /// Adds the changes to rows of the photo.
    private func apply(_ band: Range<Int>, _ pixels: MutableMemoryView<UInt16>) {
        // A row of cells. The first is repeated before it, the last behind it: once, and once more if the picture ends
        // with a part of a cell.
        let cells = (format.width + side - 1) / side
        let stride = cells + 2
        let line = OwnedMemory<Float>(repeating: 0, count: 3 * stride)
        for row in band {
            let place = (Float(row) + 0.5) / Float(side) - 0.5
            let upper = Int(place.rounded(.down))
            for color in 0..<3 {
                let target = line.view + (color * stride + 1)
                unsafe betweenChanges(
                    changesRow(upper.clamped(to: 0...rows - 1), color).pointer(columns),
                    changesRow((upper + 1).clamped(to: 0...rows - 1), color).pointer(columns), place - Float(upper),
                    target.pointer(columns), columns)
                target[-1] = target[0]
                (target + columns).update(repeating: target[columns - 1], count: cells + 1 - columns)
            }
            unsafe addChanges(
                (pixels + row * format.stride).pointer(format.width * LinearFormat.channels), format.width, side,
                (line.view + 1).pointer(-1..<2 * stride + cells + 1), stride)
        }
    }
}
