internal import Kernels
internal import PixelMemory
internal import RawImage

/// The source columns under each column of a smaller picture, for box filtering.
struct AreaAxis: Sendable {
    let starts: [UInt32]
    let lengths: [UInt32]
    let firstWeights: [Float]
    let lastWeights: [Float]

    init(length: Int, count: Int) {
        let ratio = Double(length) / Double(count)
        var (starts, lengths): ([UInt32], [UInt32]) = ([], [])
        var (firstWeights, lastWeights): ([Float], [Float]) = ([], [])
        for pixel in 0..<count {
            let (from, to) = (Double(pixel) * ratio, Double(pixel + 1) * ratio)
            let start = Int(from)
            // The tolerance keeps rounding errors from including a column of weight 0.
            let last = min(max(start, Int((to - 1e-9).rounded(.down))), length - 1)
            starts.append(UInt32(start))
            lengths.append(UInt32(last - start + 1))
            if last == start {
                firstWeights.append(Float(to - from))
                lastWeights.append(0)
            } else {
                firstWeights.append(Float(Double(start + 1) - from))
                lastWeights.append(Float(min(1, to - Double(last))))
            }
        }
        self.starts = starts
        self.lengths = lengths
        self.firstWeights = firstWeights
        self.lastWeights = lastWeights
    }
}

/// Downscales rows with a box filter: each output pixel is the mean of the values under its area.
struct RowScaler: ~Copyable {
    private let frame: RenderFrame
    private let across: AreaAxis
    private let lines: OwnedMemory<Float>
    private let lineLength: Int
    /// The output row that is being accumulated.
    private var current = 0

    init(_ frame: RenderFrame, _ across: AreaAxis) {
        self.frame = frame
        self.across = across
        lineLength = (frame.crop.width + 63) / 32 * 32
        lines = OwnedMemory(repeating: 0, count: 6 * lineLength)
    }

    /// The buffer to fill with the linear values of the next input row.
    var input: ColorRow { row(0) }

    /// Returns the input rows under the given output rows, counted from the first row of the crop.
    func sources(of rows: Range<Int>) -> Range<Int> {
        let ratio = frame.rowScale
        let last = Int((Double(rows.upperBound) * ratio - 1e-9).rounded(.down))
        return Int(Double(rows.lowerBound) * ratio)..<min(last, frame.crop.height - 1) + 1
    }

    /// Starts accumulating output row `row`.
    mutating func start(_ row: Int) {
        current = row
        clear()
    }

    /// Accumulates input row `number`, previously stored in `input`. Stores each output row that is complete with it
    /// at `target` and then calls `body`.
    mutating func add(
        _ number: Int, isLast: Bool, of rows: Range<Int>, into target: (Int) -> ColorRow, _ body: (Int) -> Void
    ) {
        let ratio = frame.rowScale
        let to = Double(number + 1)
        while current < rows.upperBound {
            let (start, end) = (Double(current) * ratio, Double(current + 1) * ratio)
            let weight = min(to, end) - max(Double(number), start)
            if weight > 0 { add(weight: Float(weight)) }
            // The last input row completes the last output row despite rounding errors.
            guard end <= to + 1e-9 || isLast else { return }
            finish(target(current))
            body(current)
            current += 1
            clear()
        }
    }

    private func row(_ number: Int) -> ColorRow {
        func line(_ plane: Int) -> MutableMemoryView<Float> {
            lines.view.part((3 * number + plane) * lineLength, count: lineLength)
        }
        return ColorRow(red: line(0), green: line(1), blue: line(2))
    }

    private func clear() { (lines.view + 3 * lineLength).update(repeating: 0, count: 3 * lineLength) }

    private func add(weight: Float) {
        let (input, sum) = (row(0), row(1))
        input.withEach { plane, line in
            unsafe addWeightedRow(
                line.pointer(frame.crop.width), weight: weight, count: frame.crop.width,
                to: sum[plane].pointer(frame.crop.width))
        }
    }

    private func finish(_ target: ColorRow) {
        let sum = row(1)
        let scale = Float(1 / (frame.rowScale * frame.columnScale))
        sum.withEach { plane, line in
            unsafe averageColumns(
                line.pointer(frame.crop.width), starts: across.starts, lengths: across.lengths,
                firstWeights: across.firstWeights, lastWeights: across.lastWeights, scale: scale, count: frame.width,
                means: target[plane].pointer(frame.width))
        }
    }
}
