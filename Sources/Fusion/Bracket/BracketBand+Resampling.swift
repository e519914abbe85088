internal import Demosaic
internal import Kernels
internal import RawImage

// Resampling another frame at the reference's viewpoint.

extension BracketBand {
    /// Resamples a frame at the reference's viewpoint: fills `resampled`, `openness` and `isResampled` of the band.
    func resample(_ view: BracketView, _ codes: UnsafePointer<UInt16>) {
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
        let colors = unsafe colorOffsets
        // Interpolation weights of a block (10 values), then the shot and read noise of the four CFA positions.
        let blockConstants = UnsafeMutablePointer<Float>.allocate(capacity: 18)
        defer { unsafe blockConstants.deallocate() }
        for position in 0..<4 {
            unsafe blockConstants[10 + position] = view.noise.shot[position]
            unsafe blockConstants[14 + position] = view.noise.read[position]
        }
        for row in 0..<blocks.down {
            for column in 0..<blocks.across {
                unsafe resampleBlock(column, row, motions[row * blocks.across + column], source, colors, blockConstants)
            }
        }
    }

    /// Returns the rows of the frame that the blocks read. Blocks whose motion differs far from the median are dropped.
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
        let scale = view.linearScale
        var rows = unsafe DemosaicLines(
            codes: codes, format: view.frame.format, plan: view.plan)
        let (half, cells) = unsafe (half, cells)
        unsafe rows.forEach(in: source) { row, colors in
            for phase in 0..<2 {
                let from = unsafe phase == 0 ? colors.even : colors.odd
                let line = row - source.lowerBound
                unsafe scaleHalfRow(from.red, scale.x, linear(0, line) + phase * half, cells)
                unsafe scaleHalfRow(from.green, scale.y, linear(1, line) + phase * half, cells)
                unsafe scaleHalfRow(from.blue, scale.z, linear(2, line) + phase * half, cells)
                for color in 0..<3 { unsafe widen(linear(color, line) + phase * half) }
            }
        }
    }

    /// Extends a line on both sides by repeating its end values.
    private func widen(_ line: UnsafeMutablePointer<Float>) {
        for position in unsafe 1...Self.margin {
            unsafe line[-position] = line[0]
            unsafe line[cells - 1 + position] = line[cells - 1]
        }
    }

    /// Computes the openness of each quad: 1 where the frame is unclipped, 0 where it is clipped.
    private func open(_ frame: BracketFrame, _ codes: UnsafePointer<UInt16>, _ source: Range<Int>) {
        let shoulder = BracketMerge.viewShoulder
        let low = Float(frame.black) + Float(frame.range) * shoulder.lowerBound
        let slope = 1 / (Float(frame.range) * shoulder.width)
        let needed = source.lowerBound / 2..<source.upperBound / 2
        for row in needed.lowerBound - 1..<needed.upperBound + 1 {
            unsafe peaks(frame.format, codes, row, scratch(5 + (row + 3) % 3))
            let ready = row - 1
            guard needed.contains(ready) else { continue }
            unsafe unclippedWeightRow(
                scratch(5 + (ready + 2) % 3), scratch(5 + (ready + 3) % 3), scratch(5 + (ready + 4) % 3), low, slope,
                frameOpenness(ready - needed.lowerBound), cells)
            unsafe widen(frameOpenness(ready - needed.lowerBound))
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

    private func resampleBlock(
        _ column: Int, _ row: Int, _ motion: SIMD2<Float>, _ source: Range<Int>, _ colors: [Int],
        _ blockConstants: UnsafeMutablePointer<Float>
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
                unsafe (quads(.isResampled, quad + part) + 8 * column).update(repeating: 0, count: 8)
            }
            return
        }
        unsafe Self.setWeights(motion - SIMD2<Float>(whole), blockConstants)
        unsafe interpolateBlock(
            linear(0, y + whole.y - source.lowerBound) + x / 2, colors, whole.x, stride, half, blockConstants,
            blockConstants + 10,
            resampled(line) + x / 2, stride, half)
        let (right, down) = (Float(x) / 2 + motion.x / 2, Float(y - source.lowerBound) / 2 + motion.y / 2)
        let (left, top) = (right.rounded(.down), down.rounded(.down))
        unsafe interpolateUnclippedBlock(
            frameOpenness(Int(top)) + Int(left), half, right - left, down - top, quads(.openness, quad) + 8 * column,
            half)
        for part in 0..<4 { unsafe (quads(.isResampled, quad + part) + 8 * column).update(repeating: 1, count: 8) }
    }

    /// Returns the distances from the first colour plane to the planes of a block's four CFA positions. The colours are
    /// those of the reference's positions, whatever position of the frame they are read from.
    private var colorOffsets: [Int] { unsafe format.pattern.planes.map { unsafe $0 * linearRows * stride } }

    /// Stores the cubic weights of four columns and four rows, then the horizontal and vertical fraction.
    private static func setWeights(_ fraction: SIMD2<Float>, _ weights: UnsafeMutablePointer<Float>) {
        unsafe CubicWeights.set(fraction.x, weights)
        unsafe CubicWeights.set(fraction.y, weights + 4)
        unsafe weights[8] = fraction.x
        unsafe weights[9] = fraction.y
    }
}
