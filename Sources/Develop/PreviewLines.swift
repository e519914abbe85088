internal import Fusion
internal import Kernels
internal import RawImage

/// Renders rows of a preview: sums rows of codes by weight, turns the sums into light, and sums its columns.
@safe
struct PreviewLines: ~Copyable {
    /// Weights of rows are whole numbers that add up to 1 << 15, so that sums of 16-bit codes fit 31 bits.
    private static let unit: Int32 = 1 << 15

    private let source: PreviewSource
    private let codes: UnsafePointer<UInt16>
    private let across: ResampleAxis
    private let down: ResampleAxis
    private let writer: PixelWriter
    /// Codes summed together: few enough that the sums stay in a core's nearest cache.
    private static let blockLength = 2048

    private let sums: UnsafeMutablePointer<Int32>
    private let light: UnsafeMutablePointer<Float>
    private let cells: UnsafeMutablePointer<SIMD4<Float>>
    private let indices: UnsafeMutablePointer<UInt16>
    /// For a block of each row of a cell: the code that each value is cut at, and how its sums become light.
    private let limits: UnsafeMutablePointer<UInt16>
    private let offsets: UnsafeMutablePointer<Float>
    private let scales: UnsafeMutablePointer<Float>

    /// Lines for one band; the codes stay in place.
    init(
        _ source: PreviewSource, codes: UnsafePointer<UInt16>, across: ResampleAxis, down: ResampleAxis,
        writer: PixelWriter
    ) {
        self.source = source
        unsafe self.codes = unsafe codes
        self.across = across
        self.down = down
        self.writer = writer
        let count = across.starts.count
        let rows = source.isMosaic ? 2 : 1
        unsafe sums = .allocate(capacity: Self.blockLength)
        // A mosaic of odd width lacks the last value of a row, which then counts nothing: it must be a number.
        unsafe light = .allocate(capacity: rows * (source.rowLength + 1))
        unsafe light.initialize(repeating: 0, count: rows * (source.rowLength + 1))
        unsafe cells = .allocate(capacity: count)
        unsafe indices = .allocate(capacity: 3 * count)
        unsafe limits = .allocate(capacity: rows * Self.blockLength)
        unsafe offsets = .allocate(capacity: rows * Self.blockLength)
        unsafe scales = .allocate(capacity: rows * Self.blockLength)
        let fullCodes = source.balance.fullCodes
        for row in 0..<rows {
            for column in 0..<Self.blockLength {
                let place = source.isMosaic ? 2 * row + column & 1 : column & 3
                let index = row * Self.blockLength + column
                unsafe limits[index] = fullCodes[place]
                unsafe offsets[index] = source.balance.black[place] * Float(Self.unit)
                unsafe scales[index] = source.balance.gain[place] / Float(Self.unit)
            }
        }
    }

    deinit {
        unsafe sums.deallocate()
        unsafe light.deallocate()
        unsafe cells.deallocate()
        unsafe indices.deallocate()
        unsafe limits.deallocate()
        unsafe offsets.deallocate()
        unsafe scales.deallocate()
    }

    /// Renders one row of the preview.
    func render(_ row: Int, to bytes: UnsafeMutablePointer<UInt8>) {
        let step = source.isMosaic ? 2 : LinearFormat.channels
        let lineLength = source.rowLength + 1
        for place in 0..<(source.isMosaic ? 2 : 1) {
            unsafe gather(row, place: place, into: light + place * lineLength)
        }
        let count = across.starts.count
        unsafe across.starts.withUnsafeBufferPointer { starts in
            unsafe across.weights.withUnsafeBufferPointer { weights in
                guard let start = starts.baseAddress, let weight = weights.baseAddress else { return }
                unsafe sumColumns(
                    low: light, high: light + (source.isMosaic ? lineLength : 2), step: step, starts: start,
                    weights: weight, taps: across.taps, count: count, into: cells)
            }
        }
        let (red, green, blue) = unsafe (indices, indices + count, indices + 2 * count)
        unsafe cells.withMemoryRebound(to: Float.self, capacity: 4 * count) { values in
            unsafe mixCells(
                values, redShares: source.shares.red, greenShares: source.shares.green, blueShares: source.shares.blue,
                count: count, red: red, green: green, blue: blue)
        }
        unsafe writer.write(red: red, green: green, blue: blue, count: count, step: 1, to: bytes)
    }

    /// Averages the rows of codes under a row of the preview that stand at one place of their cells.
    private func gather(_ row: Int, place: Int, into light: UnsafeMutablePointer<Float>) {
        let rows = weightedRows(row, place: place)
        let pattern = place * Self.blockLength
        for start in stride(from: 0, to: source.rowLength, by: Self.blockLength) {
            let count = min(Self.blockLength, source.rowLength - start)
            if rows.count == 3 {
                unsafe mixRows(
                    codes + (rows[0].start + start), codes + (rows[1].start + start), codes + (rows[2].start + start),
                    firstWeight: rows[0].weight, secondWeight: rows[1].weight, thirdWeight: rows[2].weight,
                    limits: limits + pattern, offsets: offsets + pattern, scales: scales + pattern, count: count,
                    into: light + start)
                continue
            }
            unsafe sums.update(repeating: 0, count: count)
            for row in rows {
                unsafe addRow(
                    codes + (row.start + start), limits: limits + pattern, weight: row.weight, count: count, to: sums)
            }
            unsafe balanceSums(
                sums, offsets: offsets + pattern, scales: scales + pattern, count: count, into: light + start)
        }
    }

    /// Where the rows begin that stand at one place of their cells and that a row of the preview averages, and their
    /// whole weights: at least three, some of which may weigh nothing.
    private func weightedRows(_ row: Int, place: Int) -> [(start: Int, weight: Int32)] {
        let period = source.isMosaic ? 2 : 1
        var rows: [(start: Int, weight: Int32)] = []
        var share: Float = 0
        var given: Int32 = 0
        for tap in 0..<down.taps {
            // Rounding what was given so far, and not each weight, makes them add up.
            share += down.weights[row * down.taps + tap][place]
            let weight = Int32((min(share, 1) * Float(Self.unit)).rounded()) - given
            guard weight > 0 else { continue }
            let index = (Int(down.starts[row]) + tap) * period + place
            rows.append((index * source.stride, weight))
            given += weight
        }
        if let last = rows.indices.last { rows[last].weight += Self.unit - given }
        while rows.count < 3 { rows.append((rows.first?.start ?? 0, 0)) }
        return rows
    }
}
