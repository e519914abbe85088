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
    private static let margin = 2
    /// Rows of another frame that a band can reach beyond those of the usual motion.
    private static let reach = 24

    let format: MosaicFormat
    /// The rows of the mosaic that are merged; the first is a multiple of 8.
    let rows: Range<Int>
    /// Quads in a row, and the same as whole vectors.
    let cells: Int
    let count: Int
    let half: Int
    let stride: Int
    private let memory: UnsafeMutablePointer<Float>
    private let lines: Int
    private let lightRows: Int
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
    private func seen(_ line: Int) -> UnsafeMutablePointer<Float> { unsafe mosaic(1, line) }
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
    private func light(_ color: Int, _ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe memory + ((6 * lines + color * lightRows + row) * stride + Self.padding)
    }

    private enum Quads: Int {
        case openness, isSeen, mismatch, known, highlightMismatch, highlightTolerance, noise, strain, own
    }

    /// A value for each quad of a row of them.
    private func quads(_ kind: Quads, _ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((kind.rawValue * lines / 2 + row) * half + Self.padding)
    }

    private var quadMemory: UnsafeMutablePointer<Float> {
        unsafe memory + (6 * lines + 3 * lightRows) * stride
    }

    /// The openness of another frame's quads.
    private func frameOpenness(_ row: Int) -> UnsafeMutablePointer<Float> {
        unsafe quadMemory + ((9 * lines / 2 + row) * half + Self.padding)
    }

    /// Rows of values of no lasting meaning.
    private func scratch(_ index: Int) -> UnsafeMutablePointer<Float> {
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

// MARK: - Seeing another frame from where the reference stood

extension BracketBand {
    /// Makes the lines that the reference would have, had the frame been taken from its place.
    private func see(_ view: BracketView, _ codes: UnsafePointer<UInt16>) {
        let blocks = unsafe (across: count / 8, down: lines / 8)
        let top = unsafe rows.lowerBound - Self.apron
        var motions: [SIMD2<Float>] = []
        motions.reserveCapacity(blocks.across * blocks.down)
        for row in 0..<blocks.down {
            for column in 0..<blocks.across { motions.append(view.motion(x: 16 * column, y: top + 8 * row)) }
        }
        let source = unsafe sourceRows(motions)
        unsafe demosaic(view, codes, source)
        unsafe open(view.frame, codes, source)
        let room = UnsafeMutablePointer<Float>.allocate(capacity: 18)
        defer { unsafe room.deallocate() }
        for place in 0..<4 {
            unsafe room[10 + place] = view.noise.shot[place]
            unsafe room[14 + place] = view.noise.read[place]
        }
        for row in 0..<blocks.down {
            for column in 0..<blocks.across {
                unsafe seeBlock(column, row, motions[row * blocks.across + column], source, room)
            }
        }
    }

    /// The frame's rows that blocks look at; blocks that move quite otherwise than most go without.
    private func sourceRows(_ motions: [SIMD2<Float>]) -> Range<Int> {
        let downs = motions.map(\.y).sorted()
        let middle = Int(downs[downs.count / 2].clamped(to: -1e6...1e6))
        let reach = unsafe Self.reach
        let least = max(Int(downs[0].clamped(to: -1e6...1e6)) - 2, middle - reach)
        let most = min(Int(downs[downs.count - 1].clamped(to: -1e6...1e6)) + 4, middle + reach)
        let top = unsafe rows.lowerBound - Self.apron
        let inside = unsafe -Self.margin...(format.height + Self.margin + 1) & ~1
        let first = ((top + least) & ~1).clamped(to: inside)
        let last = unsafe ((top + lines + most + 1) & ~1).clamped(to: inside)
        return first..<max(first, last)
    }

    private func demosaic(_ view: BracketView, _ codes: UnsafePointer<UInt16>, _ source: Range<Int>) {
        guard !source.isEmpty else { return }
        let scale = view.lightScale
        var rows = unsafe DemosaicLines(
            codes: codes, format: view.frame.format, plan: view.plan, keepsExcess: true)
        let (half, cells) = unsafe (half, cells)
        unsafe rows.forEach(in: source) { row, colors in
            for phase in 0..<2 {
                let from = unsafe phase == 0 ? colors.even : colors.odd
                let line = row - source.lowerBound
                unsafe scaleHalfLine(from.red, scale.x, light(0, line) + phase * half, cells)
                unsafe scaleHalfLine(from.green, scale.y, light(1, line) + phase * half, cells)
                unsafe scaleHalfLine(from.blue, scale.z, light(2, line) + phase * half, cells)
                for color in 0..<3 { unsafe widen(light(color, line) + phase * half) }
            }
        }
    }

    /// Repeats the values at the ends of a line.
    private func widen(_ line: UnsafeMutablePointer<Float>) {
        for place in unsafe 1...Self.margin {
            unsafe line[-place] = line[0]
            unsafe line[cells - 1 + place] = line[cells - 1]
        }
    }

    /// Finds where the frame is clipped.
    private func open(_ frame: BracketFrame, _ codes: UnsafePointer<UInt16>, _ source: Range<Int>) {
        let shoulder = BracketMerge.viewShoulder
        let low = Float(frame.black) + Float(frame.range) * shoulder.lowerBound
        let slope = 1 / (Float(frame.range) * shoulder.width)
        let wanted = source.lowerBound / 2..<source.upperBound / 2
        for row in wanted.lowerBound - 1..<wanted.upperBound + 1 {
            unsafe peaks(frame.format, codes, row, scratch(5 + (row + 3) % 3))
            let ready = row - 1
            guard wanted.contains(ready) else { continue }
            unsafe opennessRow(
                scratch(5 + (ready + 2) % 3), scratch(5 + (ready + 3) % 3), scratch(5 + (ready + 4) % 3), low, slope,
                frameOpenness(ready - wanted.lowerBound), cells)
            unsafe widen(frameOpenness(ready - wanted.lowerBound))
        }
    }

    private func peaks(
        _ format: MosaicFormat, _ codes: UnsafePointer<UInt16>, _ row: Int, _ peaks: UnsafeMutablePointer<Float>
    ) {
        let upper = unsafe codes + min(max(2 * row, 0), format.height - 1) * format.stride
        let lower = unsafe codes + min(max(2 * row + 1, 0), format.height - 1) * format.stride
        unsafe quadPeaks(upper, lower, peaks, format.width / 2)
        if format.width & 1 == 1 {
            unsafe peaks[format.width / 2] = Float(max(upper[format.width - 1], lower[format.width - 1]))
        }
    }

    private func seeBlock(
        _ column: Int, _ row: Int, _ motion: SIMD2<Float>, _ source: Range<Int>, _ room: UnsafeMutablePointer<Float>
    ) {
        let (x, line) = (16 * column, 8 * row)
        let y = unsafe rows.lowerBound - Self.apron + line
        let isKnown = motion.x.isFinite && motion.y.isFinite && abs(motion.x) < 1e6 && abs(motion.y) < 1e6
        let whole = isKnown ? SIMD2(Int(motion.x.rounded(.down)), Int(motion.y.rounded(.down))) : .zero
        let lastX = unsafe min(x + 15, format.width - 1)
        let lastY = unsafe min(y + 7, format.height - 1)
        let fits =
            unsafe x + whole.x > -Self.margin && lastX + whole.x + 2 < format.width + Self.margin
            && y + whole.y > source.lowerBound && lastY + whole.y + 2 < source.upperBound
        let quad = row * 4
        guard isKnown, fits else {
            for part in 0..<4 {
                unsafe (quads(.openness, quad + part) + 8 * column).update(repeating: 0, count: 8)
                unsafe (quads(.isSeen, quad + part) + 8 * column).update(repeating: 0, count: 8)
            }
            return
        }
        let fraction = SIMD2(motion.x - Float(whole.x), motion.y - Float(whole.y))
        unsafe Self.setCubic(fraction.x, room)
        unsafe Self.setCubic(fraction.y, room + 4)
        unsafe room[8] = fraction.x
        unsafe room[9] = fraction.y
        let from = unsafe light(0, y + whole.y - source.lowerBound) + x / 2
        // Colours at the block's four places, not at those of the frame that they are seen through.
        let plane = unsafe lightRows * stride
        var colors = (0, 0, 0, 0)
        let planes = unsafe format.pattern.planes
        colors = (planes[0] * plane, planes[1] * plane, planes[2] * plane, planes[3] * plane)
        unsafe withUnsafePointer(to: &colors) { pointer in
            unsafe pointer.withMemoryRebound(to: Int.self, capacity: 4) { colors in
                unsafe warpBlock(
                    from, colors, whole.x, stride, half, room, room + 10, seen(line) + x / 2, stride, half)
            }
        }
        let (right, down) = (Float(x) / 2 + motion.x / 2, Float(y - source.lowerBound) / 2 + motion.y / 2)
        let (left, top) = (right.rounded(.down), down.rounded(.down))
        unsafe openBlock(
            frameOpenness(Int(top)) + Int(left), half, right - left, down - top, quads(.openness, quad) + 8 * column,
            half)
        for part in 0..<4 { unsafe (quads(.isSeen, quad + part) + 8 * column).update(repeating: 1, count: 8) }
    }

    /// The weights of four neighbours for a place between the middle two.
    private static func setCubic(_ t: Float, _ weights: UnsafeMutablePointer<Float>) {
        let (square, cube) = (t * t, t * t * t)
        unsafe weights[0] = square - 0.5 * (t + cube)
        unsafe weights[1] = 1 - 2.5 * square + 1.5 * cube
        unsafe weights[2] = 0.5 * t + 2 * square - 1.5 * cube
        unsafe weights[3] = 0.5 * (cube - square)
    }

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
}
