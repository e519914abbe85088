internal import Demosaic
internal import Kernels
internal import RawImage

/// Renders rows of a preview: averages rows of codes by weight, then their columns, and converts the averages to
/// colour.
///
/// Averaging is linear, so black level, white balance and matrix are applied afterwards in one step. Codes are
/// clipped first where their linear value reaches 1, because colours are meaningless above it.
@safe
struct PreviewRowRenderer: ~Copyable {
    private let source: PreviewSource
    private let codes: UnsafePointer<UInt16>
    private let across: ResampleAxis
    private let down: ResampleAxis
    private let matrix: CellMatrix
    private let writer: PixelWriter

    /// Codes and pixels per block, few enough that intermediate results stay in a core's L1 cache.
    private static let blockLength = 2048
    private static let blockWidth = 256

    /// The clipping limit of each code in a block, for each row of a cell.
    private let limits: UnsafeMutablePointer<UInt16>
    private let rows: UnsafeMutablePointer<UInt16>
    private let cells: UnsafeMutablePointer<UInt64>
    private let gathered: UnsafeMutablePointer<UInt64>
    private let sums: UnsafeMutablePointer<UInt64>
    private let indices: UnsafeMutablePointer<UInt16>
    private let gainMapper: PreviewGainMapper?

    /// Creates a renderer for one band; the memory of `codes` must outlive it.
    init(
        _ source: PreviewSource, codes: UnsafePointer<UInt16>, across: ResampleAxis, down: ResampleAxis,
        writer: PixelWriter
    ) {
        self.source = source
        unsafe self.codes = unsafe codes
        self.across = across
        self.down = down
        self.writer = writer
        matrix = CellMatrix(source, bias: (across.meanTaps + down.meanTaps) / 2)
        unsafe limits = .allocate(capacity: source.period * Self.blockLength)
        // A mosaic of odd width lacks the last sample of a row, whose weight is then 0.
        let rowLength = 2 * source.cellsInRow
        unsafe rows = .allocate(capacity: source.period * rowLength)
        unsafe rows.initialize(repeating: 0, count: source.period * rowLength)
        unsafe cells = .allocate(capacity: source.cellsInRow)
        unsafe gathered = .allocate(capacity: Self.blockWidth)
        unsafe sums = .allocate(capacity: Self.blockWidth)
        unsafe indices = .allocate(capacity: 3 * Self.blockWidth)
        gainMapper = source.look.gains.map {
            PreviewGainMapper($0, width: across.starts.count, height: down.starts.count, block: Self.blockWidth)
        }
        let fullCodes = source.balance.fullCodes
        for row in 0..<source.period {
            for column in 0..<Self.blockLength {
                let position = source.isMosaic ? 2 * row + column & 1 : column & 3
                unsafe limits[row * Self.blockLength + column] = fullCodes[position]
            }
        }
    }

    deinit {
        unsafe limits.deallocate()
        unsafe rows.deallocate()
        unsafe cells.deallocate()
        unsafe gathered.deallocate()
        unsafe sums.deallocate()
        unsafe indices.deallocate()
    }

    /// Renders one row of the preview to `bytes`.
    func render(_ row: Int, to bytes: UnsafeMutablePointer<UInt8>) {
        if source.isMosaic {
            let length = 2 * source.cellsInRow
            unsafe averageRows(row, position: 0, into: rows)
            unsafe averageRows(row, position: 1, into: rows + length)
            unsafe rows.withMemoryRebound(to: UInt32.self, capacity: length) { pairs in
                unsafe joinPairs(pairs, pairs + length / 2, count: source.cellsInRow, into: cells)
            }
        } else {
            unsafe cells.withMemoryRebound(to: UInt16.self, capacity: source.rowLength) { values in
                unsafe averageRows(row, position: 0, into: values)
            }
        }
        gainMapper?.begin(row)
        let count = across.starts.count
        for start in stride(from: 0, to: count, by: Self.blockWidth) {
            let pixels = start..<min(count, start + Self.blockWidth)
            averageCells(pixels)
            unsafe write(pixels, to: bytes + start * writer.bytesPerPixel)
        }
    }

    /// Averages the rows of codes under a preview row, for one row position of the cell.
    private func averageRows(_ row: Int, position: Int, into sums: UnsafeMutablePointer<UInt16>) {
        let first = Int(down.starts[row])
        func weight(_ tap: Int) -> UInt16 { down.weight(of: row, tap: tap, position: position) }
        let limits = unsafe limits + position * Self.blockLength
        for start in stride(from: 0, to: source.rowLength, by: Self.blockLength) {
            let count = min(Self.blockLength, source.rowLength - start)
            func codes(_ tap: Int) -> UnsafePointer<UInt16> {
                unsafe self.codes + (((first + tap) * source.period + position) * source.stride + start)
            }
            if down.taps == 3 {
                // Three taps are the most common case. Rows of weight 0 may lie outside the picture, so the first row
                // stands in for them.
                unsafe mixRows(
                    codes(0), codes(weight(1) > 0 ? 1 : 0), codes(weight(2) > 0 ? 2 : 0), firstWeight: weight(0),
                    secondWeight: weight(1), thirdWeight: weight(2), limits: limits, shift: matrix.shift, count: count,
                    into: sums + start)
                continue
            }
            unsafe (sums + start).update(repeating: 0, count: count)
            for tap in 0..<down.taps where weight(tap) > 0 {
                unsafe addRow(
                    codes(tap), weight: weight(tap), limits: limits, shift: matrix.shift, count: count, to: sums + start
                )
            }
        }
    }

    /// Averages the cells under each of the given pixels.
    private func averageCells(_ pixels: Range<Int>) {
        unsafe sums.update(repeating: 0, count: pixels.count)
        for tap in 0..<across.taps {
            unsafe across.starts.withUnsafeBufferPointer { starts in
                guard let start = starts.baseAddress else { return }
                unsafe gatherCells(cells + tap, starts: start + pixels.lowerBound, count: pixels.count, into: gathered)
            }
            unsafe across.cellWeights.withUnsafeBufferPointer { weights in
                guard let weight = weights.baseAddress else { return }
                let first = tap * across.starts.count + pixels.lowerBound
                unsafe gathered.withMemoryRebound(to: UInt16.self, capacity: 4 * pixels.count) { values in
                    unsafe sums.withMemoryRebound(to: UInt16.self, capacity: 4 * pixels.count) { sums in
                        unsafe addWeighted(values, weights: weight + 4 * first, count: 4 * pixels.count, to: sums)
                    }
                }
            }
        }
    }

    private func write(_ pixels: Range<Int>, to bytes: UnsafeMutablePointer<UInt8>) {
        let count = pixels.count
        let (red, green, blue) = unsafe (indices, indices + Self.blockWidth, indices + 2 * Self.blockWidth)
        unsafe sums.withMemoryRebound(to: UInt32.self, capacity: 2 * count) { sums in
            switch gainMapper {
            case .some(let gainMapper): unsafe gainMapper.mix(sums, matrix, pixels, red: red, green: green, blue: blue)
            case nil:
                unsafe mixCells(
                    sums, redWeights: matrix.weights.red, greenWeights: matrix.weights.green,
                    blueWeights: matrix.weights.blue,
                    bases: matrix.offsets, count: count, red: red, green: green, blue: blue)
            }
        }
        unsafe writer.write(red: red, green: green, blue: blue, count: count, step: 1, to: bytes)
    }
}

/// The conversion of a cell's averaged codes to linear RGB: a weight for each code and an offset.
struct CellMatrix {
    /// Bits by which codes are shifted up before averaging, so that the averages use all 16 bits.
    let shift: UInt16
    let weights: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    let offsets: SIMD3<Float>

    /// `bias` is the mean loss of the averages to truncation, in shifted codes.
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
