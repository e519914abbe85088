internal import Demosaic
internal import KernelTypes
internal import Kernels
internal import RawImage

/// The scratch memory of a band of mosaic rows while a bracket is merged, and the steps of the merge.
///
/// Each line holds the even columns of a row, then the odd ones. The band has eight more rows above and below.
@unsafe struct BracketBand {
    /// The rows above and below the band: one block.
    static let apron = 8
    /// The values before and after each half line: the reach of the filters, padded to whole vectors.
    private static let padding = 16
    /// The pixels extrapolated beyond another frame's edges, so that interpolation works up to the edge.
    static let margin = 2
    /// The rows by which a block's motion may differ from the band's median motion.
    static let reach = 24

    let format: MosaicFormat
    /// The mosaic rows that are merged; the first is a multiple of 8.
    let rows: Range<Int>
    /// The number of quads in a row; `count` is that rounded up to whole vectors.
    let cells: Int
    let count: Int
    let half: Int
    let stride: Int
    private let memory: UnsafeMutablePointer<Float>
    let lines: Int
    let linearRows: Int
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
        unsafe linearRows = lines + 2 * Self.reach + 16
        let size = unsafe (6 * lines + 3 * linearRows) * stride + (lines / 2 * 9 + linearRows + 8) * half
        unsafe memory = .allocate(capacity: size)
        unsafe memory.initialize(repeating: 0, count: size)
        let constantCount = BracketConstants.count + 4
        unsafe constants = .allocate(capacity: constantCount)
        unsafe constants.initialize(repeating: 0, count: constantCount)
        unsafe neutral = constants + BracketConstants.count
        let noise = unsafe CodeNoise(reference.metadata, format.pattern, gain: 1)
        for (position, plane) in unsafe format.pattern.planes.enumerated() {
            let range = Float(reference.metadata.whiteLevel - reference.metadata.blackLevel[position])
            unsafe constants[BracketConstants.referenceShot + position] = noise.shot[position]
            unsafe constants[BracketConstants.referenceRead + position] = noise.read[position]
            unsafe constants[BracketConstants.clippingStart + position] =
                range * BracketMerge.referenceShoulder.lowerBound
            unsafe constants[BracketConstants.clippingSlope + position] =
                1 / (range * BracketMerge.referenceShoulder.width)
            unsafe neutral[position] = Float(reference.metadata.relativeSensitivity[plane])
        }
    }

    func deallocate() {
        unsafe memory.deallocate()
        unsafe constants.deallocate()
    }

    // MARK: Layout

    /// Signals of the reference; `resampled` has those of the frame being merged.
    private func reference(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(0, line) }
    func resampled(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(1, line) }
    /// The image that the weighted differences are added to: the reference, replaced by shorter frames where it is
    /// clipped.
    private func base(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(2, line) }
    /// How far the base is still clipped, 0…1.
    private func stillClipped(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(3, line) }
    /// The sum of weighted differences; `weight` has the sum of weights.
    private func sum(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(4, line) }
    private func weight(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(5, line) }

    private func mosaic(_ kind: Int, _ line: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + ((kind * lines + line) * stride + Self.padding)
    }

    /// Returns a demosaiced row of the frame being merged: red (0), green (1) or blue (2).
    func linear(_ color: Int, _ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + ((6 * lines + color * linearRows + row) * stride + Self.padding)
    }

    enum Quads: Int {
        case openness, isResampled, mismatch, known, highlightMismatch, highlightTolerance, noise, strain, own
    }

    /// Returns a row of one value for each quad.
    func quads(_ kind: Quads, _ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((kind.rawValue * lines / 2 + row) * half + Self.padding)
    }

    private var quadMemory: UnsafeMutablePointer<Float> {
        unsafe memory + (6 * lines + 3 * linearRows) * stride
    }

    /// Returns a row of the frame's openness, for each of its quads.
    func frameOpenness(_ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((9 * lines / 2 + row) * half + Self.padding)
    }

    /// Returns a row of scratch memory.
    func scratch(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((9 * lines / 2 + linearRows + index) * half + Self.padding)
    }

    /// The rows of quads that are merged, in lines of this memory.
    private var quadRows: Range<Int> { unsafe Self.apron / 2..<(Self.apron + rows.count + 1) / 2 }
    /// The rows of quads inside the picture whose mismatch contributes to the merged rows: two more on each side, for
    /// the blur.
    private var comparedRows: Range<Int> {
        let first = unsafe (rows.lowerBound - Self.apron) / 2
        return unsafe max(
            Self.apron / 2 - 2, -first)..<min((Self.apron + rows.count + 1) / 2 + 2, (format.height + 1) / 2 - first)
    }

    // MARK: Steps

    /// Loads the reference's signals and initialises the sums.
    func load(_ frame: BracketFrame, _ codes: UnsafePointer<UInt16>) {
        let black = frame.metadata.blackLevel.map(Float.init)
        for line in unsafe 0..<lines {
            let row = unsafe rows.lowerBound - Self.apron + line
            // An odd last row is padded with the row two above, which has the same colours.
            guard row >= 0, unsafe row < (format.height + 1) / 2 * 2 else { continue }
            let source = unsafe codes + (row < format.height ? row : max(row - 2, 0)) * format.stride
            let (even, position) = unsafe (reference(line), 2 * (row & 1))
            unsafe signalRow(source, format.width / 2, even, even + half, black[position], black[position + 1])
            if unsafe format.width & 1 == 1 {
                let last = unsafe cells - 1
                unsafe even[last] = Float(source[2 * last]) - black[position]
                unsafe even[half + last] = even[half + max(last - 1, 0)]
            }
        }
        for line in unsafe 2 * quadRows.lowerBound..<2 * quadRows.upperBound {
            for phase in 0..<2 {
                let (position, offset) = unsafe (2 * (line & 1) + phase, phase * half)
                unsafe beginHalfRow(
                    reference(line) + offset, constants[BracketConstants.clippingStart + position],
                    constants[BracketConstants.clippingSlope + position], base(line) + offset,
                    stillClipped(line) + offset, sum(line) + offset, weight(line) + offset, count)
            }
        }
    }

    /// Merges a frame. Returns its mean weight as a sum over quads.
    func merge(_ view: BracketView, _ codes: UnsafePointer<UInt16>) -> Float {
        for position in 0..<4 {
            unsafe constants[BracketConstants.frameShot + position] = view.noise.shot[position]
            unsafe constants[BracketConstants.frameRead + position] = view.noise.read[position]
        }
        unsafe resample(view, codes)
        unsafe compare(view)
        var mergedQuads: Float = 0
        for row in unsafe quadRows {
            let line = 2 * row
            let (excess, trust) = unsafe (scratch(2), scratch(3))
            unsafe blurRow(quads(.mismatch, row), half, scratch(0), scratch(1), count)
            unsafe blurRow(quads(.known, row), half, scratch(0), scratch(4), count)
            unsafe mismatchRow(scratch(1), scratch(4), quads(.mismatch, row), excess, count)
            unsafe mergedQuads += mergeQuads(
                reference(line), resampled(line), stride, half, quads(.openness, row), excess, view.isLonger, constants,
                BracketSums(
                    difference: sum(line), weight: weight(line), noise: quads(.noise, row), bias: quads(.strain, row)),
                count)
            guard view.mayShowHighlights else { continue }
            unsafe blurRow(quads(.highlightMismatch, row), half, scratch(0), scratch(1), count)
            unsafe blurRow(quads(.highlightTolerance, row), half, scratch(0), scratch(4), count)
            unsafe trustRow(scratch(1), scratch(4), quads(.isResampled, row), trust, count)
            unsafe mergedQuads += mergeHighlights(
                resampled(line), stride, half, quads(.openness, row), trust, constants, base(line), stillClipped(line),
                count)
        }
        return mergedQuads
    }

    /// Computes the mismatch between the frame and the reference for each quad.
    private func compare(_ view: BracketView) {
        let outside = unsafe count - cells
        for row in unsafe comparedRows {
            let line = 2 * row
            unsafe compareQuads(
                reference(line), resampled(line), stride, half, quads(.openness, row), view.isLonger, constants,
                quads(.mismatch, row), quads(.known, row), count)
            unsafe (quads(.mismatch, row) + cells).update(repeating: 0, count: outside)
            unsafe (quads(.known, row) + cells).update(repeating: 0, count: outside)
            guard view.mayShowHighlights else { continue }
            unsafe compareHighlights(
                reference(line), resampled(line), stride, half, quads(.isResampled, row), constants,
                quads(.highlightMismatch, row), quads(.highlightTolerance, row), count)
            unsafe (quads(.highlightMismatch, row) + cells).update(repeating: 0, count: outside)
            unsafe (quads(.highlightTolerance, row) + cells).update(repeating: 0, count: outside)
        }
    }

    /// Stores the band's codes. Returns the remaining fraction of the reference's noise variance, as a sum over quads.
    func finish(scale: Float, black: Float, _ codes: UnsafeMutablePointer<UInt16>) -> Float {
        var remainingVariance: Float = 0
        for row in unsafe quadRows {
            let line = 2 * row
            unsafe remainingVariance += weighReferenceQuads(
                weight(line), stride, half, quads(.noise, row), quads(.strain, row), quads(.own, row), cells)
            unsafe fillClippedQuads(base(line), stillClipped(line), stride, half, neutral, count)
        }
        for row in unsafe rows {
            let line = unsafe row - rows.lowerBound + Self.apron
            unsafe bracketRow(
                base(line), sum(line), weight(line), quads(.own, line / 2), half, scale, black,
                codes + row * format.width, format.width)
        }
        return remainingVariance
    }
}
