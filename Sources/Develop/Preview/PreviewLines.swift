internal import Demosaic
internal import Kernels
internal import RawImage

/// Renders rows of a preview: sums rows of codes by weight, then their columns, and turns the sums into colour.
///
/// A sum is linear in its codes, so that black level, white balance and matrix come after it, all in one: but codes are
/// cut first where their light reaches 1, for above it colours mean nothing.
@safe
struct PreviewLines: ~Copyable {
    private let source: PreviewSource
    private let codes: UnsafePointer<UInt16>
    private let across: ResampleAxis
    private let down: ResampleAxis
    private let mix: CellMix
    private let writer: PixelWriter

    /// Codes, and pixels, worked on together: few enough that what lies between two steps stays in a core's nearest
    /// cache.
    private static let blockLength = 2048
    private static let blockWidth = 256

    /// For a block of each row of a cell: the code that each value is cut at.
    private let limits: UnsafeMutablePointer<UInt16>
    private let rows: UnsafeMutablePointer<UInt16>
    private let cells: UnsafeMutablePointer<UInt64>
    private let gathered: UnsafeMutablePointer<UInt64>
    private let sums: UnsafeMutablePointer<UInt64>
    private let indices: UnsafeMutablePointer<UInt16>
    private let gaining: GainedLines?

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
        mix = CellMix(source, bias: (across.meanTaps + down.meanTaps) / 2)
        unsafe limits = .allocate(capacity: source.period * Self.blockLength)
        // A mosaic of odd width lacks the last value of a row, which then weighs nothing.
        let rowLength = 2 * source.cellsInRow
        unsafe rows = .allocate(capacity: source.period * rowLength)
        unsafe rows.initialize(repeating: 0, count: source.period * rowLength)
        unsafe cells = .allocate(capacity: source.cellsInRow)
        unsafe gathered = .allocate(capacity: Self.blockWidth)
        unsafe sums = .allocate(capacity: Self.blockWidth)
        unsafe indices = .allocate(capacity: 3 * Self.blockWidth)
        gaining = source.look.gains.map {
            GainedLines($0, width: across.starts.count, height: down.starts.count, block: Self.blockWidth)
        }
        let fullCodes = source.balance.fullCodes
        for row in 0..<source.period {
            for column in 0..<Self.blockLength {
                let place = source.isMosaic ? 2 * row + column & 1 : column & 3
                unsafe limits[row * Self.blockLength + column] = fullCodes[place]
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

    /// Renders one row of the preview.
    func render(_ row: Int, to bytes: UnsafeMutablePointer<UInt8>) {
        if source.isMosaic {
            let length = 2 * source.cellsInRow
            unsafe sumRows(row, place: 0, into: rows)
            unsafe sumRows(row, place: 1, into: rows + length)
            unsafe rows.withMemoryRebound(to: UInt32.self, capacity: length) { pairs in
                unsafe joinPairs(pairs, pairs + length / 2, count: source.cellsInRow, into: cells)
            }
        } else {
            unsafe cells.withMemoryRebound(to: UInt16.self, capacity: source.rowLength) { values in
                unsafe sumRows(row, place: 0, into: values)
            }
        }
        gaining?.begin(row)
        let count = across.starts.count
        for start in stride(from: 0, to: count, by: Self.blockWidth) {
            let pixels = start..<min(count, start + Self.blockWidth)
            sumColumns(pixels)
            unsafe write(pixels, to: bytes + start * writer.bytesPerPixel)
        }
    }

    /// Averages the rows of codes under a row of the preview that stand at one place of their cells.
    private func sumRows(_ row: Int, place: Int, into sums: UnsafeMutablePointer<UInt16>) {
        let first = Int(down.starts[row])
        func weight(_ tap: Int) -> UInt16 { down.weight(of: row, tap: tap, place: place) }
        let limits = unsafe limits + place * Self.blockLength
        for start in stride(from: 0, to: source.rowLength, by: Self.blockLength) {
            let count = min(Self.blockLength, source.rowLength - start)
            func codes(_ tap: Int) -> UnsafePointer<UInt16> {
                unsafe self.codes + (((first + tap) * source.period + place) * source.stride + start)
            }
            if down.taps == 3 {
                // The usual number: rows that weigh nothing may lie outside the picture.
                unsafe mixRows(
                    codes(0), codes(weight(1) > 0 ? 1 : 0), codes(weight(2) > 0 ? 2 : 0), firstWeight: weight(0),
                    secondWeight: weight(1), thirdWeight: weight(2), limits: limits, shift: mix.shift, count: count,
                    into: sums + start)
                continue
            }
            unsafe (sums + start).update(repeating: 0, count: count)
            for tap in 0..<down.taps where weight(tap) > 0 {
                unsafe addRow(
                    codes(tap), weight: weight(tap), limits: limits, shift: mix.shift, count: count, to: sums + start)
            }
        }
    }

    /// Averages the cells under each of some pixels.
    private func sumColumns(_ pixels: Range<Int>) {
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
                        unsafe addShares(values, weights: weight + 4 * first, count: 4 * pixels.count, to: sums)
                    }
                }
            }
        }
    }

    private func write(_ pixels: Range<Int>, to bytes: UnsafeMutablePointer<UInt8>) {
        let count = pixels.count
        let (red, green, blue) = unsafe (indices, indices + Self.blockWidth, indices + 2 * Self.blockWidth)
        unsafe sums.withMemoryRebound(to: UInt32.self, capacity: 2 * count) { sums in
            switch gaining {
            case .some(let gaining): unsafe gaining.mix(sums, mix, pixels, red: red, green: green, blue: blue)
            case nil:
                unsafe mixCells(
                    sums, redShares: mix.shares.red, greenShares: mix.shares.green, blueShares: mix.shares.blue,
                    bases: mix.bases, count: count, red: red, green: green, blue: blue)
            }
        }
        unsafe writer.write(red: red, green: green, blue: blue, count: count, step: 1, to: bytes)
    }
}

/// How the averaged codes of a cell become linear light: shares of each, and what is added.
struct CellMix {
    /// By how many bits codes move up before they are averaged, so that they make use of 16.
    let shift: UInt16
    let shares: (red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>)
    let bases: SIMD3<Float>

    /// `bias` is what averages lost of their fractions.
    init(_ source: PreviewSource, bias: Float) {
        let balance = source.balance
        shift = UInt16((balance.fullCodes.max() ?? .max).leadingZeroBitCount)
        let scale = Float(UInt32(1) << UInt32(shift))
        let gain = balance.gain / scale
        let black = balance.black * scale - bias
        shares = (source.shares.red * gain, source.shares.green * gain, source.shares.blue * gain)
        bases = -SIMD3((shares.red * black).sum(), (shares.green * black).sum(), (shares.blue * black).sum())
    }
}
