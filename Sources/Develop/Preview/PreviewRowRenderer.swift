internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Renders rows of a preview: averages rows of codes by weight, then their columns, and converts the averages to
/// colour.
///
/// Averaging is linear, so black level, white balance and matrix are applied afterwards in one step. Codes are
/// clipped first where their linear value reaches 1, because colours are meaningless above it.
struct PreviewRowRenderer: ~Copyable {
    private let source: PreviewSource
    private let codes: MemoryView<UInt16>
    private let across: ResampleAxis
    private let down: ResampleAxis
    private let matrix: CellMatrix
    private let writer: PixelWriter

    /// Codes of a row that are averaged together, few enough that intermediate results stay in a core's L1 cache.
    private static let blockLength = 2048
    /// Preview pixels that are computed together, few enough for the L1 cache.
    private static let blockWidth = 256

    /// The code at which each code of a block is clipped, for each row of a cell: that of linear value 1.
    private let limits: OwnedMemory<UInt16>
    /// The averaged rows of codes under a preview row: one for each row of a cell.
    private let rows: OwnedMemory<UInt16>
    /// The averaged rows of codes regrouped into cells of four 16-bit values each.
    private let cells: OwnedMemory<UInt64>
    /// For each pixel of a block, the one cell that is weighted next: a copy, so that the weighting reads memory in
    /// order.
    private let gathered = OwnedMemory<UInt64>(uninitialized: Self.blockWidth)
    /// For each pixel of a block, the weighted sum of the cells under it.
    private let sums = OwnedMemory<UInt64>(uninitialized: Self.blockWidth)
    /// Indices into the display curve, for each pixel of a block: red, then green, then blue.
    private let indices = OwnedMemory<UInt16>(uninitialized: 3 * Self.blockWidth)
    private let gainMapper: PreviewGainMapper?

    /// Creates a renderer for one band; the memory of `codes` must outlive it.
    init(
        _ source: PreviewSource, codes: MemoryView<UInt16>, across: ResampleAxis, down: ResampleAxis,
        writer: PixelWriter
    ) {
        self.source = source
        self.codes = codes
        self.across = across
        self.down = down
        self.writer = writer
        matrix = CellMatrix(source, bias: (across.meanTaps + down.meanTaps) / 2)
        limits = OwnedMemory(uninitialized: source.period * Self.blockLength)
        // A mosaic of odd width lacks the last sample of a row, whose weight is then 0.
        let rowLength = 2 * source.cellsInRow
        rows = OwnedMemory(repeating: 0, count: source.period * rowLength)
        cells = OwnedMemory(uninitialized: source.cellsInRow)
        gainMapper = source.look.gains.map {
            PreviewGainMapper($0, width: across.starts.count, height: down.starts.count, block: Self.blockWidth)
        }
        let (fullCodes, limits) = (source.balance.fullCodes, limits.view)
        for row in 0..<source.period {
            for column in 0..<Self.blockLength {
                let position = source.isMosaic ? 2 * row + column & 1 : column & 3
                limits[row * Self.blockLength + column] = fullCodes[position]
            }
        }
    }

    /// Renders one row of the preview to `bytes`.
    func render(_ row: Int, to bytes: MutableMemoryView<UInt8>) {
        if source.isMosaic {
            let length = 2 * source.cellsInRow
            let rows = rows.view
            averageRows(row, position: 0, into: rows)
            averageRows(row, position: 1, into: rows + length)
            let (pairs, count) = (rows.rebound(to: UInt32.self), source.cellsInRow)
            unsafe joinPairs(
                pairs.pointer(count), (pairs + count).pointer(count), count: count, into: cells.view.pointer(count))
        } else {
            averageRows(row, position: 0, into: cells.view.rebound(to: UInt16.self))
        }
        gainMapper?.begin(row)
        let count = across.starts.count
        for start in stride(from: 0, to: count, by: Self.blockWidth) {
            let pixels = start..<min(count, start + Self.blockWidth)
            averageCells(pixels)
            write(pixels, to: bytes + start * writer.bytesPerPixel)
        }
    }

    /// Averages the rows of codes under a preview row, for one row position of the cell.
    private func averageRows(_ row: Int, position: Int, into sums: MutableMemoryView<UInt16>) {
        let first = Int(down.starts[row])
        func weight(_ tap: Int) -> UInt16 { down.weight(of: row, tap: tap, position: position) }
        let limits = limits.view.part(position * Self.blockLength, count: Self.blockLength)
        let taps = (0..<down.taps).filter { weight($0) > 0 }
        for start in stride(from: 0, to: source.rowLength, by: Self.blockLength) {
            let count = min(Self.blockLength, source.rowLength - start)
            func codes(_ tap: Int) -> MemoryView<UInt16> {
                self.codes + (((first + tap) * source.period + position) * source.stride + start)
            }
            if let first = taps.first, taps.count <= 3 {
                // Few taps are the most common case. The first stands in for missing ones, with weight 0.
                let (second, third) = (taps.count > 1 ? taps[1] : nil, taps.count > 2 ? taps[2] : nil)
                unsafe mixRows(
                    codes(first).pointer(count), codes(second ?? first).pointer(count),
                    codes(third ?? first).pointer(count), firstWeight: weight(first),
                    secondWeight: second.map(weight) ?? 0, thirdWeight: third.map(weight) ?? 0,
                    limits: limits.pointer(count), shift: matrix.shift, count: count,
                    into: (sums + start).pointer(count))
                continue
            }
            (sums + start).update(repeating: 0, count: count)
            for tap in taps {
                unsafe addRow(
                    codes(tap).pointer(count), weight: weight(tap), limits: limits.pointer(count), shift: matrix.shift,
                    count: count, to: (sums + start).pointer(count))
            }
        }
    }

    /// Averages the cells under each of the given pixels.
    private func averageCells(_ pixels: Range<Int>) {
        let count = pixels.count
        let (cells, gathered, sums) = (cells.view, gathered.view, sums.view)
        sums.update(repeating: 0, count: count)
        for tap in 0..<across.taps {
            across.starts.withView { starts in
                unsafe gatherCells(
                    (cells + tap).pointer(source.cellsInRow - tap),
                    starts: (starts + pixels.lowerBound).pointer(count), count: count, into: gathered.pointer(count))
            }
            across.cellWeights.withView { weights in
                let first = tap * across.starts.count + pixels.lowerBound
                unsafe addWeighted(
                    gathered.rebound(to: UInt16.self).pointer(4 * count),
                    weights: (weights + 4 * first).pointer(4 * count), count: 4 * count,
                    to: sums.rebound(to: UInt16.self).pointer(4 * count))
            }
        }
    }

    private func write(_ pixels: Range<Int>, to bytes: MutableMemoryView<UInt8>) {
        let (count, width) = (pixels.count, Self.blockWidth)
        let (red, green) = (indices.view.part(0, count: width), indices.view.part(width, count: width))
        let (blue, sums) = (indices.view.part(2 * width, count: width), sums.view.rebound(to: UInt32.self))
        switch gainMapper {
        case .some(let gainMapper): gainMapper.mix(sums, matrix, pixels, red: red, green: green, blue: blue)
        case nil:
            unsafe mixCells(
                sums.pointer(2 * count), redWeights: matrix.weights.red, greenWeights: matrix.weights.green,
                blueWeights: matrix.weights.blue, bases: matrix.offsets, count: count, red: red.pointer(count),
                green: green.pointer(count), blue: blue.pointer(count))
        }
        writer.write(red: red, green: green, blue: blue, count: count, step: 1, to: bytes)
    }
}

/// The conversion of a cell's averaged codes to linear RGB: a weight for each code and an offset.
struct CellMatrix {
    /// Bits by which codes are shifted up before averaging, so that the averages use all 16 bits.
    let shift: UInt16
    let weights: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    let offsets: SIMD3<Float>

    /// Computes weights and offsets. `bias` is the mean loss of the averages to truncation, in shifted codes.
    init(_ source: PreviewSource, bias: Float) {
        let balance = source.balance
        shift = UInt16((balance.fullCodes.max() ?? .max).leadingZeroBitCount)
        let scale = Float(UInt32(1) << UInt32(shift))
        let gain = balance.gain / scale
        let black = balance.black * scale - bias
        weights = (source.weights.red * gain, source.weights.green * gain, source.weights.blue * gain)
        offsets = -SIMD3((weights.red * black).sum(), (weights.green * black).sum(), (weights.blue * black).sum())
    }
}
