internal import Kernels
internal import PixelMemory
internal import RawImage

/// Reduces noise in rows of linear values by wavelet-like shrinkage, streaming with few rows in memory.
///
/// Luminance and two colour differences are split into a pyramid: three or four levels of detail coefficients and a
/// coarse residual. Each 2×2 block of coefficients is attenuated according to how far the coefficients around it exceed
/// the expected noise; the residual is smoothed; then the pyramid is reconstructed. Rows are processed in bricks: the
/// rows of the picture, eight or sixteen, that are one row of the residual. Each stage runs one brick behind the
/// previous one because it reads neighbouring rows.
struct NoiseFilter: ~Copyable {
    private let plan: NoisePlan
    private let width: Int
    private let height: Int
    /// Output rows.
    private let rows: Range<Int>
    /// The bricks that the output rows depend on, by number.
    private let bricks: ClosedRange<Int>
    private let lines: ScratchMemory
    private let buffers: PyramidBuffers

    private var levels: Int { plan.levels }
    /// The number of rows in a brick.
    private var brick: Int { plan.brick }
    /// The number of bricks by which the output lags behind the input.
    private var delay: Int { plan.levels + 2 }
    /// The number of bricks above and below its own that an output row depends on.
    private static let reach = 3

    /// Creates a filter that outputs the given rows of the frame.
    init(_ plan: NoisePlan, _ frame: RenderFrame, rows: Range<Int>, _ memory: ScratchMemoryPool) {
        self.plan = plan
        (width, height) = (frame.width, frame.height)
        self.rows = rows
        bricks = Self.bricks(plan, for: rows, height)
        buffers = PyramidBuffers(width: frame.width, levels: plan.levels, depth: plan.levels + 3)
        lines = memory.take(buffers.count)
    }

    /// Returns the input rows that the given output rows depend on.
    static func sources(_ plan: NoisePlan, of rows: Range<Int>, height: Int) -> Range<Int> {
        let bricks = bricks(plan, for: rows, height)
        return bricks.lowerBound * plan.brick..<min(height, (bricks.upperBound + 1) * plan.brick)
    }

    private static func bricks(_ plan: NoisePlan, for rows: Range<Int>, _ height: Int) -> ClosedRange<Int> {
        let last = (height - 1) / plan.brick
        return max(0, rows.lowerBound / plan.brick - reach)...min(last, (rows.upperBound - 1) / plan.brick + reach)
    }

    /// Returns the buffer to fill with the linear values of an input row.
    func row(_ row: Int) -> ColorRow {
        ColorRow(
            red: line(buffers.pictures[0], row, 0), green: line(buffers.pictures[0], row, 1),
            blue: line(buffers.pictures[0], row, 2))
    }

    /// Processes the next input row, previously stored in `row(_:)`. Stores each finished output row at `target` and
    /// then calls `body` with its number.
    func add(_ row: Int, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        let pixels = self.row(row)
        pixels.withEach { _, line in
            for column in width..<buffers.width(0) { line[column] = line[width - 1] }
        }
        let count = buffers.width(0)
        unsafe splitLumaRoots(
            pixels.red.pointer(vectors: count), pixels.green.pointer(vectors: count),
            pixels.blue.pointer(vectors: count), offset: plan.offset, count: count)
        let isLast = row == min(height, (bricks.upperBound + 1) * brick) - 1
        let number = row / brick
        if isLast {
            for other in row + 1..<(number + 1) * brick {
                copy(row, to: other)
            }
        }
        guard isLast || row % brick == brick - 1 else { return }
        for step in number...(isLast ? number + delay : number) { work(step, into: target, body) }
    }

    private func copy(_ row: Int, to other: Int) {
        let (from, to) = (self.row(row), self.row(other))
        from.withEach { plane, line in to[plane].update(from: MemoryView(line), count: buffers.width(0)) }
    }

    /// Runs all stages that are due once input brick `brick` is complete.
    private func work(_ brick: Int, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        if bricks.contains(brick) { shrink(brick) }
        if bricks.contains(brick - 1) { splitDetails(brick - 1) }
        if bricks.contains(brick - 2) {
            computeFractions(brick - 2)
            smooth(brick - 2)
        }
        for level in (0..<levels).reversed() {
            let due = brick - 2 - levels + level
            if bricks.contains(due) { join(due, level) }
        }
        let done = brick - delay
        guard bricks.contains(done) else { return }
        for row in rows(of: done, 0) where rows.contains(row) {
            let (input, output) = (self.row(row), target(row))
            unsafe joinLumaRoots(
                input.red.pointer(vectors: width), input.green.pointer(vectors: width),
                input.blue.pointer(vectors: width), offset: plan.offset, count: width,
                red: output.red.pointer(vectors: width), green: output.green.pointer(vectors: width),
                blue: output.blue.pointer(vectors: width))
            body(row)
        }
    }

    // MARK: Stages of the filter: splitting, shrinking and rebuilding the pyramid

    /// Downsamples a brick to all coarser levels of the pyramid by averaging 2×2 blocks.
    private func shrink(_ brick: Int) {
        for level in 1...levels {
            for row in rows(of: brick, level) {
                for plane in 0..<3 {
                    let count = buffers.width(level)
                    unsafe halveRows(
                        line(buffers.pictures[level - 1], 2 * row, plane).pointer(2 * count),
                        line(buffers.pictures[level - 1], 2 * row + 1, plane).pointer(2 * count), count: count,
                        means: line(buffers.pictures[level], row, plane).pointer(count))
                }
            }
        }
        for row in rows(of: brick, levels) {
            for plane in 0..<3 {
                extend(line(buffers.pictures[levels], row, plane), buffers.width(levels), by: 2)
            }
        }
    }

    /// Subtracts the upsampled coarser level from each level of the pyramid, leaving detail coefficients, and measures
    /// their energy in units of the expected noise energy.
    private func splitDetails(_ brick: Int) {
        for level in 0..<levels {
            let count = buffers.width(level + 1)
            for row in rows(of: brick, level) {
                for plane in 0..<3 {
                    let half = between(buffers.pictures[level + 1], row, plane)
                    unsafe subtractDoubled(
                        half.pointer(-1..<count + 1), count: count,
                        from: line(buffers.pictures[level], row, plane).pointer(2 * count),
                        into: line(buffers.details[level], row, plane).pointer(2 * count))
                }
            }
            for row in rows(of: brick, level + 1) {
                let ring = buffers.strengths[level]
                let (brightness, color) = (line(ring, row, 0), line(ring, row, 1))
                let planeLength = buffers.details[level].lineLength
                unsafe pyramidEnergies(
                    line(buffers.details[level], 2 * row, 0).pointer(2 * (planeLength + count)),
                    line(buffers.details[level], 2 * row + 1, 0).pointer(2 * (planeLength + count)),
                    planeLength: planeLength, scales: plan.scales[level], count: count,
                    brightness: brightness.pointer(count), color: color.pointer(count))
                if let map = plan.map {
                    let weights = line(buffers.scratch, 0, 0)
                    map.fill(weights, row: row, of: 2 << level, count: count)
                    unsafe multiplyRow(brightness.pointer(count), weights.pointer(count), count: count)
                    unsafe multiplyRow(color.pointer(count), weights.pointer(count), count: count)
                }
                extend(brightness, count)
                extend(color, count)
            }
        }
    }

    /// Computes the fraction, 0...1, of each 2×2 block of detail coefficients to retain: 0 if the energy around it is
    /// within the limit for noise.
    private func computeFractions(_ brick: Int) {
        for level in 0..<levels {
            let (ring, count) = (buffers.strengths[level], buffers.width(level + 1))
            let both = -1..<ring.lineLength + count + 1
            for row in rows(of: brick, level + 1) {
                unsafe pyramidFactors(
                    above: line(ring, clamped(row - 1, level + 1), 0).pointer(both),
                    here: line(ring, row, 0).pointer(both),
                    below: line(ring, clamped(row + 1, level + 1), 0).pointer(both), planeLength: ring.lineLength,
                    brightnessLimit: plan.brightnessLimits[level], colorLimit: plan.colorLimits[level], count: count,
                    shares: line(buffers.fractions[level], row, 0).pointer(ring.lineLength + count))
            }
        }
    }

    /// Smooths the residual, the coarsest level of the pyramid, because its noise is in none of the detail levels.
    private func smooth(_ brick: Int) {
        let (level, ring, smoothed) = (levels, buffers.pictures[levels], buffers.details[levels])
        let count = buffers.width(level)
        let wholeCount = (count + 7) / 8 * 8
        let planes = -2..<2 * ring.lineLength + wholeCount + 2
        for row in rows(of: brick, level) {
            unsafe smoothCoarse(
                line(ring, clamped(row - 2, level), 0).pointer(planes),
                line(ring, clamped(row - 1, level), 0).pointer(planes), line(ring, row, 0).pointer(planes),
                line(ring, clamped(row + 1, level), 0).pointer(planes),
                line(ring, clamped(row + 2, level), 0).pointer(planes), planeLength: ring.lineLength,
                scales: plan.coarseScales, shares: plan.coarseAmounts, count: count,
                row: line(smoothed, row, 0).pointer(2 * smoothed.lineLength + wholeCount),
                rowPlaneLength: smoothed.lineLength)
        }
    }

    /// Reconstructs one level: the upsampled coarser level plus the retained detail.
    private func join(_ brick: Int, _ level: Int) {
        let count = buffers.width(level + 1)
        for row in rows(of: brick, level) {
            var fractions = between(buffers.fractions[level], row, 0, slot: 1)
            for plane in 0..<3 {
                // Both colour differences use the same fractions.
                if plane == 1 { fractions = between(buffers.fractions[level], row, 1, slot: 1) }
                let half = between(buffers.details[level + 1], row, plane)
                unsafe reconstructPyramidRow(
                    half.pointer(-1..<count + 1), shares: fractions.pointer(-1..<count + 1), count: count,
                    to: line(buffers.details[level], row, plane).pointer(2 * count))
            }
        }
    }

    // MARK: Access to rows of the pyramid

    private func line(_ ring: PyramidBuffers.Ring, _ row: Int, _ plane: Int) -> MutableMemoryView<Float> {
        lines.view.part(ring.start, count: ring.end - ring.start)
            + ((row % ring.depth * ring.planes + plane) * ring.lineLength + PyramidBuffers.padding)
    }

    /// Returns a row of the coarser level interpolated vertically at `row` of the finer level, with one value of
    /// padding at each end. `slot` selects one of two scratch rows.
    private func between(
        _ ring: PyramidBuffers.Ring, _ row: Int, _ plane: Int, slot: Int = 0
    ) -> MutableMemoryView<Float> {
        let result = line(buffers.scratch, slot, 0)
        let beside = clamped(row / 2 + (row & 1 == 0 ? -1 : 1), ring.level)
        let count = buffers.width(ring.level)
        unsafe interpolateQuarter(
            line(ring, row / 2, plane).pointer(vectors: count), line(ring, beside, plane).pointer(vectors: count),
            count: count, row: result.pointer(vectors: count))
        extend(result, count)
        return result
    }

    private func extend(_ line: MutableMemoryView<Float>, _ count: Int, by length: Int = 1) {
        for distance in 0..<length {
            line[-1 - distance] = line[0]
            line[count + distance] = line[count - 1]
        }
    }

    /// Returns the rows of a pyramid level that a brick covers.
    private func rows(of brick: Int, _ level: Int) -> Range<Int> {
        let height = self.brick >> level
        return brick * height..<(brick + 1) * height
    }

    /// Clamps a row of a pyramid level to the rows in memory.
    private func clamped(_ row: Int, _ level: Int) -> Int {
        let height = self.brick >> level
        return min(max(row, bricks.lowerBound * height), (bricks.upperBound + 1) * height - 1)
    }
}

/// Offsets of the noise filter's ring buffers: the rows of the last few bricks at each pyramid level.
private struct PyramidBuffers {
    /// A ring buffer of rows of one pyramid level; each row has `planes` lines.
    struct Ring {
        let level: Int
        let start: Int
        let depth: Int
        let planes: Int
        let lineLength: Int

        var end: Int { start + depth * planes * lineLength }
    }

    /// The number of padding values before and after each line, for neighbours and for whole SIMD vectors.
    static let padding = 16

    /// The averaged picture at each level.
    private(set) var pictures: [Ring] = []
    /// The detail coefficients of each level, later replaced by its reconstruction; for the coarsest level, the
    /// smoothed residual. Level 0 reuses the memory of `pictures[0]`.
    private(set) var details: [Ring] = []
    /// At each level, the energy of each 2×2 block of detail coefficients, in units of the expected noise energy.
    private(set) var strengths: [Ring] = []
    /// At each level, the fraction, 0…1, of each 2×2 block of detail coefficients to retain.
    private(set) var fractions: [Ring] = []
    /// Two scratch rows, for vertically interpolated rows of a coarser level and for the weights of the noise map.
    let scratch: Ring
    let count: Int
    private let wholeWidth: Int

    init(width: Int, levels: Int, depth: Int) {
        let side = 1 << levels
        wholeWidth = (width + side - 1) / side * side
        let whole = wholeWidth
        var end = 0
        func ring(_ level: Int, _ rows: Int, _ planes: Int) -> Ring {
            // An odd number of cache lines: with a power of two, the same column of every line would map to the same
            // cache sets.
            let length = ((whole >> level) + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
            let ring = Ring(level: level, start: end, depth: rows, planes: planes, lineLength: length)
            end = ring.end
            return ring
        }
        for level in 0...levels { pictures.append(ring(level, depth * (side >> level), 3)) }
        for level in 0...levels {
            details.append(level == 0 ? pictures[level] : ring(level, depth * (side >> level), 3))
        }
        for level in 1...levels {
            strengths.append(ring(level, depth * (side >> level), 2))
            fractions.append(ring(level, depth * (side >> level), 2))
        }
        scratch = ring(1, 2, 1)
        count = end
    }

    /// The number of values in a row of a pyramid level, for a picture width rounded up to whole blocks of the coarsest
    /// level.
    func width(_ level: Int) -> Int { wholeWidth >> level }
}
