internal import Kernels
internal import RawImage

/// Takes noise away from rows of light on their way to the look, holding only those that a row needs.
///
/// A row's brightness and colours become three scales of detail above a coarse picture. Each square of four details stays as far as
/// the details around are stronger than noise, and the coarse picture is smoothed; then all are put together again. Work goes on by bricks of eight
/// rows: a row of the coarse picture. Each step follows the one before by a brick, for it looks at the rows beside.
@safe
struct NoiseFilter: ~Copyable {
    private let plan: NoisePlan
    private let width: Int
    private let height: Int
    /// Rows that come out, and bricks that go in.
    private let rows: Range<Int>
    private let bricks: ClosedRange<Int>
    private let memory: LineMemory
    private let lines: UnsafeMutablePointer<Float>
    private let rings: Rings

    private static let levels = NoisePlan.levels
    private static let brick = 1 << levels
    /// Bricks between the one that comes in and the one that goes out.
    private static let delay = levels + 2
    /// Bricks on either side that a row's value depends on.
    private static let reach = 3

    /// A filter that gives some rows of a picture.
    init(_ plan: NoisePlan, _ frame: RenderFrame, rows: Range<Int>, _ memory: LineMemory) {
        self.plan = plan
        (width, height) = (frame.width, frame.height)
        self.rows = rows
        bricks = Self.bricks(for: rows, height)
        rings = Rings(width: frame.width, levels: Self.levels, depth: Self.delay + 1)
        self.memory = memory
        unsafe lines = memory.take(rings.count)
    }

    deinit { unsafe memory.give(lines, rings.count) }

    /// Rows that some rows are made of.
    static func sources(of rows: Range<Int>, height: Int) -> Range<Int> {
        let bricks = bricks(for: rows, height)
        return bricks.lowerBound * brick..<min(height, (bricks.upperBound + 1) * brick)
    }

    private static func bricks(for rows: Range<Int>, _ height: Int) -> ClosedRange<Int> {
        let last = (height - 1) / brick
        return max(0, rows.lowerBound / brick - reach)...min(last, (rows.upperBound - 1) / brick + reach)
    }

    /// Where the light of a row is to be put.
    func row(_ row: Int) -> ColorRow {
        unsafe ColorRow(
            red: line(rings.own[0], row, 0), green: line(rings.own[0], row, 1), blue: line(rings.own[0], row, 2))
    }

    /// Takes on the light of the next row, and calls `body` with each row that is done, when its light is where `target`
    /// said.
    func add(_ row: Int, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        let light = unsafe self.row(row)
        unsafe light.withEach { _, line in
            for column in width..<rings.width(0) { unsafe line[column] = unsafe line[width - 1] }
        }
        unsafe splitBrightness(light.red, light.green, light.blue, offset: plan.offset, count: rings.width(0))
        let isLast = row == min(height, (bricks.upperBound + 1) * Self.brick) - 1
        let brick = row / Self.brick
        if isLast {
            for other in row + 1..<(brick + 1) * Self.brick {
                copy(row, to: other)
            }
        }
        guard isLast || row % Self.brick == Self.brick - 1 else { return }
        for step in brick...(isLast ? brick + Self.delay : brick) { unsafe work(step, into: target, body) }
    }

    private func copy(_ row: Int, to other: Int) {
        let (from, to) = unsafe (self.row(row), self.row(other))
        unsafe from.withEach { plane, line in unsafe to[plane].update(from: line, count: rings.width(0)) }
    }

    /// All that can be done when a brick is there.
    private func work(_ brick: Int, into target: (Int) -> ColorRow, _ body: (Int) -> Void) {
        if bricks.contains(brick) { shrink(brick) }
        if bricks.contains(brick - 1) { takeDetails(brick - 1) }
        if bricks.contains(brick - 2) {
            judge(brick - 2)
            smooth(brick - 2)
        }
        for level in (0..<Self.levels).reversed() {
            let due = brick - 2 - Self.levels + level
            if bricks.contains(due) { join(due, level) }
        }
        let done = brick - Self.delay
        guard bricks.contains(done) else { return }
        for row in rows(of: done, 0) where rows.contains(row) {
            let (own, light) = unsafe (self.row(row), target(row))
            unsafe joinBrightness(
                own.red, own.green, own.blue, offset: plan.offset, count: width, red: light.red, green: light.green,
                blue: light.blue)
            body(row)
        }
    }

    // MARK: Steps

    /// Makes the coarser pictures of a brick.
    private func shrink(_ brick: Int) {
        for level in 1...Self.levels {
            for row in rows(of: brick, level) {
                for plane in 0..<3 {
                    unsafe halveRows(
                        line(rings.own[level - 1], 2 * row, plane), line(rings.own[level - 1], 2 * row + 1, plane),
                        count: rings.width(level), means: line(rings.own[level], row, plane))
                }
            }
        }
        for row in rows(of: brick, Self.levels) {
            for plane in 0..<3 {
                unsafe extend(line(rings.own[Self.levels], row, plane), rings.width(Self.levels), by: 2)
            }
        }
    }

    /// Takes from each picture what the coarser one has of it, and measures the rest.
    private func takeDetails(_ brick: Int) {
        for level in 0..<Self.levels {
            let count = rings.width(level + 1)
            for row in rows(of: brick, level) {
                for plane in 0..<3 {
                    let half = unsafe between(rings.own[level + 1], row, plane)
                    unsafe subtractDoubled(
                        half, count: count, from: line(rings.own[level], row, plane),
                        into: line(rings.rest[level], row, plane))
                }
            }
            for row in rows(of: brick, level + 1) {
                let ring = rings.strengths[level]
                let (brightness, color) = unsafe (line(ring, row, 0), line(ring, row, 1))
                unsafe detailStrengths(
                    line(rings.rest[level], 2 * row, 0), line(rings.rest[level], 2 * row + 1, 0),
                    planeLength: rings.rest[level].lineLength, scales: plan.scales[level], count: count,
                    brightness: brightness, color: color)
                if let map = plan.map {
                    let weights = unsafe line(rings.mixed, 0, 0)
                    unsafe map.fill(weights, row: row, of: 2 << level, count: count)
                    unsafe multiplyRow(brightness, weights, count: count)
                    unsafe multiplyRow(color, weights, count: count)
                }
                unsafe extend(brightness, count)
                unsafe extend(color, count)
            }
        }
    }

    /// Says how much of the details stays.
    private func judge(_ brick: Int) {
        for level in 0..<Self.levels {
            let ring = rings.strengths[level]
            for row in rows(of: brick, level + 1) {
                unsafe detailShares(
                    above: line(ring, near(row - 1, level + 1), 0), here: line(ring, row, 0),
                    below: line(ring, near(row + 1, level + 1), 0), planeLength: ring.lineLength,
                    brightnessLimit: plan.brightnessLimits[level], colorLimit: plan.colorLimits[level],
                    count: rings.width(level + 1), shares: line(rings.shares[level], row, 0))
            }
        }
    }

    /// Smooths the coarsest picture, whose noise no coarser one tells from the scene.
    private func smooth(_ brick: Int) {
        let (level, ring) = (Self.levels, rings.own[Self.levels])
        for row in rows(of: brick, level) {
            unsafe smoothCoarse(
                line(ring, near(row - 2, level), 0), line(ring, near(row - 1, level), 0), line(ring, row, 0),
                line(ring, near(row + 1, level), 0), line(ring, near(row + 2, level), 0),
                planeLength: ring.lineLength, scales: plan.coarseScales, shares: plan.coarseShares,
                count: rings.width(level), row: line(rings.rest[level], row, 0),
                rowPlaneLength: rings.rest[level].lineLength)
        }
    }

    /// Puts a picture together of the coarser one and the details that stay.
    private func join(_ brick: Int, _ level: Int) {
        let count = rings.width(level + 1)
        for row in rows(of: brick, level) {
            var shares = unsafe between(rings.shares[level], row, 0, room: 1)
            for plane in 0..<3 {
                // Both colours have their shares in common.
                if plane == 1 { unsafe shares = between(rings.shares[level], row, 1, room: 1) }
                let half = unsafe between(rings.rest[level + 1], row, plane)
                unsafe addDetails(half, shares: shares, count: count, to: line(rings.rest[level], row, plane))
            }
        }
    }

    // MARK: Lines

    private func line(_ ring: Rings.Ring, _ row: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
        unsafe lines + (ring.start + (row % ring.depth * ring.planes + plane) * ring.lineLength + Rings.padding)
    }

    /// A coarser picture's line at a row of the finer one, with a value more at each end.
    private func between(_ ring: Rings.Ring, _ row: Int, _ plane: Int, room: Int = 0) -> UnsafeMutablePointer<Float> {
        let result = unsafe line(rings.mixed, room, 0)
        let beside = near(row / 2 + (row & 1 == 0 ? -1 : 1), ring.level)
        let count = rings.width(ring.level)
        unsafe rowBetween(line(ring, row / 2, plane), line(ring, beside, plane), count: count, row: result)
        unsafe extend(result, count)
        return unsafe result
    }

    private func extend(_ line: UnsafeMutablePointer<Float>, _ count: Int, by length: Int = 1) {
        for distance in 0..<length {
            unsafe line[-1 - distance] = unsafe line[0]
            unsafe line[count + distance] = unsafe line[count - 1]
        }
    }

    /// Rows of a scale in a brick.
    private func rows(of brick: Int, _ level: Int) -> Range<Int> {
        let height = Self.brick >> level
        return brick * height..<(brick + 1) * height
    }

    /// The row nearest to a place that there is.
    private func near(_ row: Int, _ level: Int) -> Int {
        let height = Self.brick >> level
        return min(max(row, bricks.lowerBound * height), (bricks.upperBound + 1) * height - 1)
    }
}

/// Where the filter's lines lie: of every scale those of the last bricks.
private struct Rings {
    /// Lines for rows of a scale, several for each row.
    struct Ring {
        let level: Int
        let start: Int
        let depth: Int
        let planes: Int
        let lineLength: Int

        var end: Int { start + depth * planes * lineLength }
    }

    /// Room either side of a line, for its neighbours and for whole vectors.
    static let padding = 16

    /// The pictures of all scales.
    private(set) var own: [Ring] = []
    /// Their details, and what comes of them and of the coarsest picture; the finest lie in their picture's place.
    private(set) var rest: [Ring] = []
    /// How strong details are, and how much of them stays.
    private(set) var strengths: [Ring] = []
    private(set) var shares: [Ring] = []
    /// Lines for what is needed once.
    let mixed: Ring
    let count: Int
    private let wholeWidth: Int

    init(width: Int, levels: Int, depth: Int) {
        let side = 1 << levels
        wholeWidth = (width + side - 1) / side * side
        let whole = wholeWidth
        var end = 0
        func ring(_ level: Int, _ rows: Int, _ planes: Int) -> Ring {
            // An odd number of cache lines: were it a power of two, equal places in all lines would compete for few slots.
            let length = ((whole >> level) + 2 * Self.padding + 15) / 16 / 2 * 32 + 16
            let ring = Ring(level: level, start: end, depth: rows, planes: planes, lineLength: length)
            end = ring.end
            return ring
        }
        for level in 0...levels { own.append(ring(level, depth * (side >> level), 3)) }
        for level in 0...levels {
            rest.append(level == 0 ? own[level] : ring(level, depth * (side >> level), 3))
        }
        for level in 1...levels {
            strengths.append(ring(level, depth * (side >> level), 2))
            shares.append(ring(level, depth * (side >> level), 2))
        }
        mixed = ring(1, 2, 1)
        count = end
    }

    /// Pixels in a row of a scale, whole squares of the coarsest.
    func width(_ level: Int) -> Int { wholeWidth >> level }
}
