internal import Kernels
internal import RawImage

/// The stretch of a longer row under each pixel of a shorter one.
struct AreaAxis: Sendable {
    let starts: [UInt32]
    let lengths: [UInt32]
    let firstShares: [Float]
    let lastShares: [Float]

    init(length: Int, count: Int) {
        let ratio = Double(length) / Double(count)
        var (starts, lengths): ([UInt32], [UInt32]) = ([], [])
        var (firstShares, lastShares): ([Float], [Float]) = ([], [])
        for pixel in 0..<count {
            let (from, to) = (Double(pixel) * ratio, Double(pixel + 1) * ratio)
            let start = Int(from)
            // A hair less, so that rounding does not reach for a sample of no weight.
            let last = min(max(start, Int((to - 1e-9).rounded(.down))), length - 1)
            starts.append(UInt32(start))
            lengths.append(UInt32(last - start + 1))
            if last == start {
                firstShares.append(Float(to - from))
                lastShares.append(0)
            } else {
                firstShares.append(Float(Double(start + 1) - from))
                lastShares.append(Float(min(1, to - Double(last))))
            }
        }
        self.starts = starts
        self.lengths = lengths
        self.firstShares = firstShares
        self.lastShares = lastShares
    }
}

/// Makes rows smaller: each pixel is the mean of the light under its area.
@safe
struct RowScaler: ~Copyable {
    private let frame: RenderFrame
    private let across: AreaAxis
    private let lines: UnsafeMutablePointer<Float>
    private let lineLength: Int
    /// The row that is being made.
    private var current = 0

    init(_ frame: RenderFrame, _ across: AreaAxis) {
        self.frame = frame
        self.across = across
        lineLength = (frame.crop.width + 63) / 32 * 32
        unsafe lines = .allocate(capacity: 6 * lineLength)
        unsafe lines.initialize(repeating: 0, count: 6 * lineLength)
    }

    deinit { unsafe lines.deallocate() }

    /// Where a row of the raw picture is to be put.
    var own: ColorRow { unsafe row(0) }

    /// The rows of the raw picture, from the crop's first, under some of the smaller one.
    func sources(of rows: Range<Int>) -> Range<Int> {
        let ratio = frame.rowScale
        let last = Int((Double(rows.upperBound) * ratio - 1e-9).rounded(.down))
        return Int(Double(rows.lowerBound) * ratio)..<min(last, frame.crop.height - 1) + 1
    }

    /// Begins with the first of some rows.
    mutating func start(_ row: Int) {
        current = row
        clear()
    }

    /// Adds the row that was put in `own`, and calls `body` with each row of the smaller picture that it ends.
    mutating func add(
        _ number: Int, isLast: Bool, of rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void
    ) {
        let ratio = frame.rowScale
        let to = Double(number + 1)
        while current < rows.upperBound {
            let (start, end) = (Double(current) * ratio, Double(current + 1) * ratio)
            let weight = min(to, end) - max(Double(number), start)
            if weight > 0 { add(weight: Float(weight)) }
            // The last raw row ends the last row, whatever rounding says.
            guard end <= to + 1e-9 || isLast else { return }
            unsafe finish(target(current))
            body(current)
            current += 1
            clear()
        }
    }

    private func row(_ number: Int) -> ColorRow {
        let start = unsafe lines + 3 * number * lineLength
        return unsafe ColorRow(red: start, green: start + lineLength, blue: start + 2 * lineLength)
    }

    private func clear() { unsafe (lines + 3 * lineLength).update(repeating: 0, count: 3 * lineLength) }

    private func add(weight: Float) {
        let (own, sum) = unsafe (row(0), row(1))
        unsafe own.withEach { plane, line in
            unsafe addWeightedRow(line, weight: weight, count: frame.crop.width, to: sum[plane])
        }
    }

    private func finish(_ target: ColorRow) {
        let sum = unsafe row(1)
        let scale = Float(1 / (frame.rowScale * frame.columnScale))
        unsafe across.starts.withUnsafeBufferPointer { starts in
            unsafe across.lengths.withUnsafeBufferPointer { lengths in
                unsafe across.firstShares.withUnsafeBufferPointer { firstShares in
                    unsafe across.lastShares.withUnsafeBufferPointer { lastShares in
                        guard let starts = starts.baseAddress, let lengths = lengths.baseAddress,
                            let firstShares = firstShares.baseAddress, let lastShares = lastShares.baseAddress
                        else { return }
                        unsafe sum.withEach { plane, line in
                            unsafe averageColumns(
                                line, starts: starts, lengths: lengths, firstShares: firstShares,
                                lastShares: lastShares, scale: scale, count: frame.width, means: target[plane])
                        }
                    }
                }
            }
        }
    }
}
