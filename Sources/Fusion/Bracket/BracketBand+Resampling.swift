internal import Demosaic
internal import Kernels
internal import PixelMemory
internal import RawImage

// The step of a bracket merge that resamples a frame at the viewpoint of the reference frame.

extension BracketBand {
    /// Resamples a frame at the reference's viewpoint: fills `resampled`, `openness` and `isResampled` of the band.
    func resample(_ view: BracketView, _ codes: MemoryView<UInt16>) {
        let blocks = (across: count / 8, down: lines / 8)
        let top = rows.lowerBound - Self.apron
        var motions: [SIMD2<Float>] = []
        motions.reserveCapacity(blocks.across * blocks.down)
        for row in 0..<blocks.down {
            for column in 0..<blocks.across { motions.append(view.motion(x: 16 * column, y: top + 8 * row)) }
        }
        let source = sourceRows(motions)
        demosaic(view, codes, source)
        open(view.frame, codes, source)
        let colors = colorOffsets
        // The interpolation weights of a block, then the shot and read noise of the four CFA positions.
        let constantMemory = OwnedMemory<Float>(repeating: 0, count: Self.weightCount + 8)
        let blockConstants = constantMemory.view
        for position in 0..<4 {
            blockConstants[Self.weightCount + position] = view.noise.shot[position]
            blockConstants[Self.weightCount + 4 + position] = view.noise.read[position]
        }
        for row in 0..<blocks.down {
            for column in 0..<blocks.across {
                resampleBlock(column, row, motions[row * blocks.across + column], source, colors, blockConstants)
            }
        }
    }

    /// Returns the rows of the frame that the blocks read. Blocks whose motion differs far from the median are dropped.
    private func sourceRows(_ motions: [SIMD2<Float>]) -> Range<Int> {
        let downs = motions.map(\.y).sorted()
        let middle = Int(downs[downs.count / 2].clamped(to: -1e6...1e6))
        let reach = Self.reach
        let least = max(Int(downs[0].clamped(to: -1e6...1e6)) - 2, middle - reach)
        let most = min(Int(downs[downs.count - 1].clamped(to: -1e6...1e6)) + 4, middle + reach)
        let top = rows.lowerBound - Self.apron
        let inside = -Self.margin...(format.height + Self.margin + 1) & ~1
        let first = ((top + least) & ~1).clamped(to: inside)
        let last = ((top + lines + most + 1) & ~1).clamped(to: inside)
        return first..<max(first, last)
    }

    private func demosaic(_ view: BracketView, _ codes: MemoryView<UInt16>, _ source: Range<Int>) {
        guard !source.isEmpty else { return }
        let scale = view.linearScale
        var rows = DemosaicLines(
            codes: codes, format: view.frame.format, plan: view.plan)
        rows.forEach(in: source) { row, colors in
            for phase in 0..<2 {
                let from = phase == 0 ? colors.even : colors.odd
                let line = row - source.lowerBound
                func store(_ values: MemoryView<Float>, _ color: Int) {
                    let target = linear(color, line) + phase * half
                    unsafe scaleHalfRow(values.pointer(cells), scale[color], target.pointer(cells), cells)
                    widen(target)
                }
                store(from.red, 0)
                store(from.green, 1)
                store(from.blue, 2)
            }
        }
    }

    /// Extends a line on both sides by repeating its end values.
    private func widen(_ line: MutableMemoryView<Float>) {
        for position in 1...Self.margin {
            line[-position] = line[0]
            line[cells - 1 + position] = line[cells - 1]
        }
    }

    /// Computes the openness of each quad: 1 where the frame is unclipped, 0 where it is clipped.
    private func open(_ frame: BracketFrame, _ codes: MemoryView<UInt16>, _ source: Range<Int>) {
        let shoulder = BracketMerge.viewShoulder
        let low = Float(frame.black) + Float(frame.range) * shoulder.lowerBound
        let slope = 1 / (Float(frame.range) * shoulder.width)
        let needed = source.lowerBound / 2..<source.upperBound / 2
        for row in needed.lowerBound - 1..<needed.upperBound + 1 {
            peaks(frame.format, codes, row, scratch(5 + (row + 3) % 3))
            let ready = row - 1
            guard needed.contains(ready) else { continue }
            unsafe unclippedWeightRow(
                scratch(5 + (ready + 2) % 3).pointer(-1..<cells + 1),
                scratch(5 + (ready + 3) % 3).pointer(-1..<cells + 1),
                scratch(5 + (ready + 4) % 3).pointer(-1..<cells + 1), low, slope,
                frameOpenness(ready - needed.lowerBound).pointer(cells), cells)
            widen(frameOpenness(ready - needed.lowerBound))
        }
    }

    private func peaks(
        _ format: MosaicFormat, _ codes: MemoryView<UInt16>, _ row: Int, _ peaks: MutableMemoryView<Float>
    ) {
        let upper = codes + min(max(2 * row, 0), format.height - 1) * format.stride
        let lower = codes + min(max(2 * row + 1, 0), format.height - 1) * format.stride
        let pairs = format.width / 2
        unsafe quadPeaks(upper.pointer(2 * pairs), lower.pointer(2 * pairs), peaks.pointer(pairs), pairs)
        if format.width & 1 == 1 {
            peaks[pairs] = Float(max(upper[format.width - 1], lower[format.width - 1]))
        }
    }

    private func resampleBlock(
        _ column: Int, _ row: Int, _ motion: SIMD2<Float>, _ source: Range<Int>, _ colors: [Int],
        _ blockConstants: MutableMemoryView<Float>
    ) {
        let (x, line) = (16 * column, 8 * row)
        let y = rows.lowerBound - Self.apron + line
        let isKnown = motion.x.isFinite && motion.y.isFinite && abs(motion.x) < 1e6 && abs(motion.y) < 1e6
        let whole = isKnown ? SIMD2(Int(motion.x.rounded(.down)), Int(motion.y.rounded(.down))) : .zero
        let lastX = min(x + 15, format.width - 1)
        let lastY = min(y + 7, format.height - 1)
        let fits =
            x + whole.x > -Self.margin && lastX + whole.x + 2 < format.width + Self.margin
            && y + whole.y > source.lowerBound && lastY + whole.y + 2 < source.upperBound
        let quad = row * 4
        guard isKnown, fits else {
            for part in 0..<4 {
                (quads(.openness, quad + part) + 8 * column).update(repeating: 0, count: 8)
                (quads(.isResampled, quad + part) + 8 * column).update(repeating: 0, count: 8)
            }
            return
        }
        Self.setWeights(motion - SIMD2<Float>(whole), blockConstants)
        // The kernel reads from the row and column before the block to the two rows and columns behind it, in the
        // planes of all colours.
        let first = -stride + (whole.x - 1) >> 1
        let last = 2 * linearRows * stride + 9 * stride + half + (whole.x + 3) >> 1 + 8
        unsafe interpolateBlock(
            (linear(0, y + whole.y - source.lowerBound) + x / 2).pointer(first..<last), colors, whole.x, stride, half,
            blockConstants.pointer(Self.weightCount), (blockConstants + Self.weightCount).pointer(8),
            (resampled(line) + x / 2).pointer(7 * stride + half + 8), stride, half)
        let (right, down) = (Float(x) / 2 + motion.x / 2, Float(y - source.lowerBound) / 2 + motion.y / 2)
        let (left, top) = (right.rounded(.down), down.rounded(.down))
        unsafe interpolateUnclippedBlock(
            (frameOpenness(Int(top)) + Int(left)).pointer(4 * half + 9), half, right - left, down - top,
            (quads(.openness, quad) + 8 * column).pointer(3 * half + 8), half)
        for part in 0..<4 { (quads(.isResampled, quad + part) + 8 * column).update(repeating: 1, count: 8) }
    }

    /// Returns the distances from the first colour plane to the planes of a block's four CFA positions. The colours are
    /// those of the reference's positions, whatever position of the frame they are read from.
    private var colorOffsets: [Int] { format.pattern.planes.map { $0 * linearRows * stride } }

    /// The number of interpolation weights of a block.
    private static var weightCount: Int { 10 }

    /// Stores the cubic weights of four columns and four rows, then the horizontal and vertical fraction.
    private static func setWeights(_ fraction: SIMD2<Float>, _ weights: MutableMemoryView<Float>) {
        CubicWeights.set(fraction.x, weights)
        CubicWeights.set(fraction.y, weights + 4)
        weights[8] = fraction.x
        weights[9] = fraction.y
    }
}
