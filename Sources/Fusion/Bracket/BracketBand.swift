internal import Demosaic
internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The scratch memory of a band of mosaic rows while a bracket is merged, and the steps of the merge.
///
/// Each line holds the even columns of a row, then the odd ones. The band has eight more rows above and below.
struct BracketBand: ~Copyable {
    /// The number of extra rows in memory above the band, and as many below: one block.
    static let apron = 8
    /// The number of values before, and as many after, each half line: the reach of the filters, padded to whole
    /// vectors.
    private static let padding = 16
    /// The number of pixels by which another frame is extrapolated beyond each edge, so that interpolation works up to
    /// the edge.
    static let margin = 2
    /// The most rows by which the motion of a block may differ from the median motion of the band's blocks; at other
    /// blocks the frame is not merged.
    static let reach = 24

    let format: MosaicFormat
    /// The mosaic rows that are merged; the first is a multiple of 8.
    let rows: Range<Int>
    /// The number of quads in a row; `count` is that rounded up to whole vectors.
    let cells: Int
    let count: Int
    /// The number of values of a half line with its padding, and the distance from the even to the odd half line.
    let half: Int
    /// The distance between lines in values.
    let stride: Int
    /// The number of lines: the rows of the band, rounded up to whole blocks, and the aprons.
    let lines: Int
    /// The number of demosaiced rows of the frame being merged that this memory holds.
    let linearRows: Int
    private let memory: OwnedMemory<Float>
    private let constants = OwnedMemory<Float>(repeating: 0, count: BracketConstants.count + 4)

    init(_ rows: Range<Int>, of reference: BracketFrame) {
        format = reference.format
        self.rows = rows
        cells = (format.width + 1) / 2
        count = (cells + 7) / 8 * 8
        half = count + 2 * Self.padding
        stride = 2 * half
        lines = (rows.count + 7) / 8 * 8 + 2 * Self.apron
        linearRows = lines + 2 * Self.reach + 16
        memory = OwnedMemory(
            repeating: 0,
            count: (Self.mosaics * lines + 3 * linearRows) * stride
                + (lines / 2 * Quads.allCases.count + linearRows + Self.scratchRows) * half)
        let (constants, neutral) = (constants.view, neutral)
        let noise = CodeNoise(reference.metadata, format.pattern, gain: 1)
        for (position, plane) in format.pattern.planes.enumerated() {
            let range = Float(reference.metadata.whiteLevel - reference.metadata.blackLevel[position])
            constants[BracketConstants.referenceShot + position] = noise.shot[position]
            constants[BracketConstants.referenceRead + position] = noise.read[position]
            constants[BracketConstants.clippingStart + position] =
                range * BracketMerge.referenceShoulder.lowerBound
            constants[BracketConstants.clippingSlope + position] =
                1 / (range * BracketMerge.referenceShoulder.width)
            neutral[position] = Float(reference.metadata.relativeSensitivity[plane])
        }
    }

    // MARK: Layout

    /// The number of mosaics: the reference, the resampled frame, the base, its clipped fraction and the two sums.
    private static let mosaics = 6
    private static let scratchRows = 8

    /// The response to white at the four CFA positions.
    private var neutral: MutableMemoryView<Float> { constants.view.part(BracketConstants.count, count: 4) }

    /// Returns a line of the reference frame's signals: codes less the black level.
    private func reference(_ line: Int) -> MutableMemoryView<Float> { mosaic(0, line) }
    /// Returns a line of the signals of the frame being merged, resampled at the reference's viewpoint.
    func resampled(_ line: Int) -> MutableMemoryView<Float> { mosaic(1, line) }
    /// Returns a line of the image that the weighted differences are added to: the reference, replaced by shorter
    /// exposures where it is clipped.
    private func base(_ line: Int) -> MutableMemoryView<Float> { mosaic(2, line) }
    /// Returns a line of values that say how far each pixel of the base is still clipped: 0 is unclipped, 1 clipped.
    private func stillClipped(_ line: Int) -> MutableMemoryView<Float> { mosaic(3, line) }
    /// Returns a line of the weighted differences from the reference, summed over the frames merged so far.
    private func sum(_ line: Int) -> MutableMemoryView<Float> { mosaic(4, line) }
    /// Returns a line of the weights of these differences, summed over the frames.
    private func weight(_ line: Int) -> MutableMemoryView<Float> { mosaic(5, line) }

    private func mosaic(_ kind: Int, _ line: Int) -> MutableMemoryView<Float> {
        memory.view.part(kind * lines * stride, count: lines * stride) + (line * stride + Self.padding)
    }

    /// The indices, relative to the first quad of an even line, of all values of that line and of the one below.
    private var quadRange: Range<Int> { 0..<stride + half + count }

    /// Returns a demosaiced row of the frame being merged: red (0), green (1) or blue (2). The rows of green lie behind
    /// those of red, and the rows of blue behind those of green.
    func linear(_ color: Int, _ row: Int) -> MutableMemoryView<Float> {
        memory.view.part(Self.mosaics * lines * stride, count: 3 * linearRows * stride)
            + ((color * linearRows + row) * stride + Self.padding)
    }

    /// The kinds of maps that hold one value for each quad (2×2 cell) of the band.
    enum Quads: Int, CaseIterable {
        case openness, isResampled, mismatch, known, highlightMismatch, highlightTolerance, noise, strain, own
    }

    /// Returns a row of a map with one value for each quad.
    func quads(_ kind: Quads, _ row: Int) -> MutableMemoryView<Float> {
        quadRows(from: kind.rawValue * lines / 2, count: lines / 2) + (row * half + Self.padding)
    }

    /// Returns a row of the frame's openness, for each of its quads.
    func frameOpenness(_ row: Int) -> MutableMemoryView<Float> {
        quadRows(from: Quads.allCases.count * lines / 2, count: linearRows) + (row * half + Self.padding)
    }

    /// Returns a row of scratch memory.
    func scratch(_ index: Int) -> MutableMemoryView<Float> {
        quadRows(from: Quads.allCases.count * lines / 2 + linearRows + index, count: 1) + Self.padding
    }

    /// Returns rows of one value for each quad, behind the mosaics and the demosaiced rows.
    private func quadRows(from first: Int, count: Int) -> MutableMemoryView<Float> {
        memory.view.part((Self.mosaics * lines + 3 * linearRows) * stride + first * half, count: count * half)
    }

    /// The rows of quads that are merged, counted from the first row of quads in this memory.
    private var quadRows: Range<Int> { Self.apron / 2..<(Self.apron + rows.count + 1) / 2 }
    /// The rows of quads inside the picture whose mismatch contributes to the merged rows: two more on each side, for
    /// the blur.
    private var comparedRows: Range<Int> {
        let first = (rows.lowerBound - Self.apron) / 2
        return max(
            Self.apron / 2 - 2, -first)..<min((Self.apron + rows.count + 1) / 2 + 2, (format.height + 1) / 2 - first)
    }

    // MARK: Steps

    /// Loads the reference's signals and initialises the sums.
    func load(_ frame: BracketFrame, _ codes: MemoryView<UInt16>) {
        let black = frame.metadata.blackLevel.map(Float.init)
        let constants = constants.view
        for line in 0..<lines {
            let row = rows.lowerBound - Self.apron + line
            // An odd last row is padded with the row two above, which has the same colours.
            guard row >= 0, row < (format.height + 1) / 2 * 2 else { continue }
            let source = codes + (row < format.height ? row : max(row - 2, 0)) * format.stride
            let (even, position) = (reference(line), 2 * (row & 1))
            let pairs = format.width / 2
            unsafe signalRow(
                source.pointer(2 * pairs), pairs, even.pointer(pairs), (even + half).pointer(pairs), black[position],
                black[position + 1])
            if format.width & 1 == 1 {
                let last = cells - 1
                even[last] = Float(source[2 * last]) - black[position]
                even[half + last] = even[half + max(last - 1, 0)]
            }
        }
        for line in 2 * quadRows.lowerBound..<2 * quadRows.upperBound {
            for phase in 0..<2 {
                let (position, offset) = (2 * (line & 1) + phase, phase * half)
                unsafe beginHalfRow(
                    (reference(line) + offset).pointer(count), constants[BracketConstants.clippingStart + position],
                    constants[BracketConstants.clippingSlope + position], (base(line) + offset).pointer(count),
                    (stillClipped(line) + offset).pointer(count), (sum(line) + offset).pointer(count),
                    (weight(line) + offset).pointer(count), count)
            }
        }
    }

    /// Adds a frame to the sums. Returns the sum over the quads of the frame's weight, each 0…1.
    func merge(_ view: BracketView, _ codes: MemoryView<UInt16>) -> Float {
        let constants = constants.view
        for position in 0..<4 {
            constants[BracketConstants.frameShot + position] = view.noise.shot[position]
            constants[BracketConstants.frameRead + position] = view.noise.read[position]
        }
        resample(view, codes)
        compare(view)
        var mergedQuads: Float = 0
        for row in quadRows {
            let line = 2 * row
            let (excess, trust) = (scratch(2), scratch(3))
            blur(.mismatch, row, into: scratch(1))
            blur(.known, row, into: scratch(4))
            unsafe mismatchRow(
                scratch(1).pointer(count), scratch(4).pointer(count), quads(.mismatch, row).pointer(count),
                excess.pointer(count), count)
            unsafe mergedQuads += mergeQuads(
                reference(line).pointer(quadRange), resampled(line).pointer(quadRange), stride, half,
                quads(.openness, row).pointer(count), excess.pointer(count), view.isLonger,
                constants.pointer(BracketConstants.count),
                BracketSums(
                    difference: sum(line).pointer(quadRange), weight: weight(line).pointer(quadRange),
                    noise: quads(.noise, row).pointer(count), bias: quads(.strain, row).pointer(count)),
                count)
            guard view.mayShowHighlights else { continue }
            blur(.highlightMismatch, row, into: scratch(1))
            blur(.highlightTolerance, row, into: scratch(4))
            unsafe trustRow(
                scratch(1).pointer(count), scratch(4).pointer(count), quads(.isResampled, row).pointer(count),
                trust.pointer(count), count)
            unsafe mergedQuads += mergeHighlights(
                resampled(line).pointer(quadRange), stride, half, quads(.openness, row).pointer(count),
                trust.pointer(count), constants.pointer(BracketConstants.count), base(line).pointer(quadRange),
                stillClipped(line).pointer(quadRange), count)
        }
        return mergedQuads
    }

    /// Blurs a row of a map over 5×5 quads.
    private func blur(_ kind: Quads, _ row: Int, into target: MutableMemoryView<Float>) {
        unsafe blurRow(
            quads(kind, row).pointer(-2 * half - 2..<2 * half + count + 2), half, scratch(0).pointer(-2..<count + 2),
            target.pointer(count), count)
    }

    /// Computes the mismatch between the frame and the reference for each quad.
    private func compare(_ view: BracketView) {
        let constants = constants.view
        for row in comparedRows {
            let line = 2 * row
            unsafe compareQuads(
                reference(line).pointer(quadRange), resampled(line).pointer(quadRange), stride, half,
                quads(.openness, row).pointer(count), view.isLonger, constants.pointer(BracketConstants.count),
                quads(.mismatch, row).pointer(count), quads(.known, row).pointer(count), count)
            clearOutside(.mismatch, row)
            clearOutside(.known, row)
            guard view.mayShowHighlights else { continue }
            unsafe compareHighlights(
                reference(line).pointer(quadRange), resampled(line).pointer(quadRange), stride, half,
                quads(.isResampled, row).pointer(count), constants.pointer(BracketConstants.count),
                quads(.highlightMismatch, row).pointer(count), quads(.highlightTolerance, row).pointer(count), count)
            clearOutside(.highlightMismatch, row)
            clearOutside(.highlightTolerance, row)
        }
    }

    /// Sets the values of a map behind the last quad of the picture to 0, up to a whole vector.
    private func clearOutside(_ kind: Quads, _ row: Int) {
        (quads(kind, row) + cells).update(repeating: 0, count: count - cells)
    }

    /// Stores the merged rows as codes: signals times `scale`, plus `black`. Returns the sum over the quads of the
    /// fraction of the reference's noise variance that remains.
    func finish(scale: Float, black: Float, _ codes: MutableMemoryView<UInt16>) -> Float {
        var remainingVariance: Float = 0
        for row in quadRows {
            let line = 2 * row
            unsafe remainingVariance += weighReferenceQuads(
                weight(line).pointer(0..<stride + half + cells), stride, half, quads(.noise, row).pointer(cells),
                quads(.strain, row).pointer(cells), quads(.own, row).pointer(cells), cells)
            unsafe fillClippedQuads(
                base(line).pointer(quadRange), stillClipped(line).pointer(quadRange), stride, half, neutral.pointer(4),
                count)
        }
        for row in rows {
            let line = row - rows.lowerBound + Self.apron
            unsafe bracketRow(
                base(line).pointer(half + cells), sum(line).pointer(half + cells), weight(line).pointer(half + cells),
                quads(.own, line / 2).pointer(cells), half, scale, black,
                (codes + row * format.width).pointer(format.width), format.width)
        }
        return remainingVariance
    }
}
