internal import Demosaic
internal import Kernels
internal import RawImage

/// The memory in which a band of a bracket's rows is merged, and the steps.
///
/// Lines hold the even and then the odd columns of a row. Eight rows above and below the band are there as well.
@unsafe struct BracketBand {
    /// Rows around the band: those of a block.
    static let apron = 8
    /// Values either side of a half line: the reach of the filters, and room for whole vectors.
    private static let padding = 16
    /// Pixels beyond the edges of another frame that are made up, so that what lies at the edge can be interpolated.
    static let margin = 2
    /// Rows of another frame that a band can reach beyond those of the usual motion.
    static let reach = 24

    let format: MosaicFormat
    /// The rows of the mosaic that are merged; the first is a multiple of 8.
    let rows: Range<Int>
    /// Quads in a row, and the same as whole vectors.
    let cells: Int
    let count: Int
    let half: Int
    let stride: Int
    private let memory: UnsafeMutablePointer<Float>
    let lines: Int
    let lightRows: Int
    private let constants: UnsafeMutablePointer<Float>
    private let neutral: UnsafeMutablePointer<Float>

    init(_ rows: Range<Int>, of reference: BracketFrame) {
        unsafe format = reference.format
        unsafe self.rows = rows
        unsafe cells = (format.width + 1) / 2
        unsafe count = (cells + 7) / 8 * 8
        unsafe half = count + 2 * Self.padding
        unsafe stride = 2 * half
        unsafe lines = (rows.count + 7) / 8 * 8 + 2 * Self.apron
        unsafe lightRows = lines + 2 * Self.reach + 16
        let size = unsafe (6 * lines + 3 * lightRows) * stride + (lines / 2 * 9 + lightRows + 8) * half
        unsafe memory = .allocate(capacity: size)
        unsafe memory.initialize(repeating: 0, count: size)
        unsafe constants = .allocate(capacity: 32)
        unsafe constants.initialize(repeating: 0, count: 32)
        unsafe neutral = constants + 24
        let noise = unsafe CodeNoise(reference.metadata, format.pattern, gain: 1)
        for (place, plane) in unsafe format.pattern.planes.enumerated() {
            let range = Float(reference.metadata.whiteLevel - reference.metadata.blackLevel[place])
            unsafe constants[place] = noise.shot[place]
            unsafe constants[4 + place] = noise.read[place]
            unsafe constants[16 + place] = range * BracketMerge.referenceShoulder.lowerBound
            unsafe constants[20 + place] = 1 / (range * BracketMerge.referenceShoulder.width)
            unsafe neutral[place] = Float(reference.metadata.relativeSensitivity[plane])
        }
    }

    func deallocate() {
        unsafe memory.deallocate()
        unsafe constants.deallocate()
    }

    // MARK: Where things lie

    /// Signals of the reference, and of the frame that is merged.
    private func reference(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(0, line) }
    func seen(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(1, line) }
    /// What the differences are added to: the reference, and shorter frames where it is clipped.
    private func base(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(2, line) }
    /// How much of the base is still clipped.
    private func unseen(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(3, line) }
    /// Sums of weighted differences, and of weights.
    private func sum(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(4, line) }
    private func weight(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(5, line) }

    private func mosaic(_ kind: Int, _ line: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + ((kind * lines + line) * stride + Self.padding)
    }

    /// A demosaiced row of another frame, red, green or blue.
    func light(_ color: Int, _ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + ((6 * lines + color * lightRows + row) * stride + Self.padding)
    }

    enum Quads: Int {
        case openness, isSeen, mismatch, known, highlightMismatch, highlightTolerance, noise, strain, own
    }

    /// A value for each quad of a row of them.
    func quads(_ kind: Quads, _ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((kind.rawValue * lines / 2 + row) * half + Self.padding)
    }

    private var quadMemory: UnsafeMutablePointer<Float> {
        unsafe memory + (6 * lines + 3 * lightRows) * stride
    }

    /// The openness of another frame's quads.
    func frameOpenness(_ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((9 * lines / 2 + row) * half + Self.padding)
    }

    /// Rows of values of no lasting meaning.
    func scratch(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((9 * lines / 2 + lightRows + index) * half + Self.padding)
    }

    /// Rows of quads that are merged, as lines of this memory.
    private var quadRows: Range<Int> { unsafe Self.apron / 2..<(Self.apron + rows.count + 1) / 2 }
    /// Quad rows whose mismatch matters to them, as far as they are in the picture.
    private var comparedRows: Range<Int> {
        let first = unsafe (rows.lowerBound - Self.apron) / 2
        return unsafe max(
            Self.apron / 2 - 2, -first)..<min((Self.apron + rows.count + 1) / 2 + 2, (format.height + 1) / 2 - first)
    }

    // MARK: Steps

    /// Reads the reference, and begins the sums.
    func load(_ frame: BracketFrame, _ codes: UnsafePointer<UInt16>) {
        let black = frame.metadata.blackLevel.map(Float.init)
        for line in unsafe 0..<lines {
            let row = unsafe rows.lowerBound - Self.apron + line
            // An odd last row of quads repeats the row of the same colours.
            guard row >= 0, unsafe row < (format.height + 1) / 2 * 2 else { continue }
            let source = unsafe codes + (row < format.height ? row : max(row - 2, 0)) * format.stride
            let (even, place) = unsafe (reference(line), 2 * (row & 1))
            unsafe signalRow(source, format.width / 2, even, even + half, black[place], black[place + 1])
            if unsafe format.width & 1 == 1 {
                let last = unsafe cells - 1
                unsafe even[last] = Float(source[2 * last]) - black[place]
                unsafe even[half + last] = even[half + max(last - 1, 0)]
            }
        }
        for line in unsafe 2 * quadRows.lowerBound..<2 * quadRows.upperBound {
            for phase in 0..<2 {
                let (place, offset) = unsafe (2 * (line & 1) + phase, phase * half)
                unsafe beginHalfLine(
                    reference(line) + offset, constants[16 + place], constants[20 + place], base(line) + offset,
                    unseen(line) + offset, sum(line) + offset, weight(line) + offset, count)
            }
        }
    }

    /// Merges a frame. Gives the share of it that was merged, as a sum over quads.
    func merge(_ view: BracketView, _ codes: UnsafePointer<UInt16>) -> Float {
        for place in 0..<4 {
            unsafe constants[8 + place] = view.noise.shot[place]
            unsafe constants[12 + place] = view.noise.read[place]
        }
        unsafe see(view, codes)
        unsafe compare(view)
        var share: Float = 0
        for row in unsafe quadRows {
            let line = 2 * row
            let (excess, trust) = unsafe (scratch(2), scratch(3))
            unsafe blurRow(quads(.mismatch, row), half, scratch(0), scratch(1), count)
            unsafe blurRow(quads(.known, row), half, scratch(0), scratch(4), count)
            unsafe mismatchRow(scratch(1), scratch(4), quads(.mismatch, row), excess, count)
            unsafe share += mergeQuads(
                reference(line), seen(line), stride, half, quads(.openness, row), excess, view.isLonger, constants,
                sum(line), weight(line), quads(.noise, row), quads(.strain, row), count)
            guard view.seesHighlights else { continue }
            unsafe blurRow(quads(.highlightMismatch, row), half, scratch(0), scratch(1), count)
            unsafe blurRow(quads(.highlightTolerance, row), half, scratch(0), scratch(4), count)
            unsafe trustRow(scratch(1), scratch(4), quads(.isSeen, row), trust, count)
            unsafe share += mergeHighlights(
                seen(line), stride, half, quads(.openness, row), trust, constants, base(line), unseen(line), count)
        }
        return share
    }

    /// Sums up how the frame differs from the reference.
    private func compare(_ view: BracketView) {
        let outside = unsafe count - cells
        for row in unsafe comparedRows {
            let line = 2 * row
            unsafe compareQuads(
                reference(line), seen(line), stride, half, quads(.openness, row), view.isLonger, constants,
                quads(.mismatch, row), quads(.known, row), count)
            unsafe (quads(.mismatch, row) + cells).update(repeating: 0, count: outside)
            unsafe (quads(.known, row) + cells).update(repeating: 0, count: outside)
            guard view.seesHighlights else { continue }
            unsafe compareHighlights(
                reference(line), seen(line), stride, half, quads(.isSeen, row), constants,
                quads(.highlightMismatch, row), quads(.highlightTolerance, row), count)
            unsafe (quads(.highlightMismatch, row) + cells).update(repeating: 0, count: outside)
            unsafe (quads(.highlightTolerance, row) + cells).update(repeating: 0, count: outside)
        }
    }

    /// Writes the band's codes. Gives the noise that is left, as a sum over quads of shares of the reference's variance.
    func finish(scale: Float, black: Float, _ codes: UnsafeMutablePointer<UInt16>) -> Float {
        var rest: Float = 0
        for row in unsafe quadRows {
            let line = 2 * row
            unsafe rest += settleQuads(
                weight(line), stride, half, quads(.noise, row), quads(.strain, row), quads(.own, row), cells)
            unsafe whitenQuads(base(line), unseen(line), stride, half, neutral, count)
        }
        for row in unsafe rows {
            let line = unsafe row - rows.lowerBound + Self.apron
            unsafe bracketRow(
                base(line), sum(line), weight(line), quads(.own, line / 2), half, scale, black,
                codes + row * format.width, format.width)
        }
        return rest
    }
}
