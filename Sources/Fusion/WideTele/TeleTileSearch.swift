internal import Kernels
internal import PixelMemory
internal import RawImage

/// The shifts of the tiles of one level.
struct TeleTileSearch {
    let level: TeleLevel
    /// The shifts in pixels of the level, tile by tile.
    private(set) var shifts: [SIMD2<Float>]
    private let cores: Int?

    private static var tile: Int { TeleLevel.tile }
    private static var step: Int { TeleLevel.step }
    /// The fraction of a tile that the tele must see.
    private static let leastSeen: Float = 0.5
    /// The cost of a deviation by a pixel from the shifts of the coarser level, as a fraction of the tile's contrast
    /// and noise.
    private static let stiffness: Float = 0.02

    /// Searches the shifts of a level: between `least` and `most` at the coarsest, otherwise around those of the
    /// `coarser` one.
    init(
        level: TeleLevel, coarser: TeleTileSearch?, least: SIMD2<Double>, most: SIMD2<Double>, cores: Int?
    ) {
        self.level = level
        self.cores = cores
        shifts = Array(repeating: SIMD2(), count: level.columns * level.rows)
        let bounds = (
            SIMD2<Float>(Float(least.x.rounded(.down)), Float(least.y.rounded(.down))),
            SIMD2<Float>(Float(most.x.rounded(.up)), Float(most.y.rounded(.up)))
        )
        let tiles = self
        shifts.withMutableView { target in
            concurrentBands(rows: level.rows, of: 2, cores: cores) { band in
                for row in band {
                    for column in 0..<level.columns {
                        target[row * level.columns + column] =
                            coarser.map { tiles.searched(column, row, around: $0.near(column, row), bounds) }
                            ?? tiles.searched(column, row, in: bounds)
                    }
                }
            }
        }
    }

    /// Creates a search that has found these shifts.
    init(level: TeleLevel, shifts: [SIMD2<Float>], cores: Int?) {
        (self.level, self.shifts, self.cores) = (level, shifts, cores)
    }

    /// Returns the candidates that the tiles near a tile of the next finer level give it, the own one first.
    private func near(_ column: Int, _ row: Int) -> [SIMD2<Float>] {
        let (ownColumn, ownRow) = (column / 2, row / 2)
        var found: [SIMD2<Float>] = []
        for (right, down) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0), (0, 2), (0, -2)] {
            let (x, y) = (ownColumn + right, ownRow + down)
            let index = min(max(y, 0), level.rows - 1) * level.columns + min(max(x, 0), level.columns - 1)
            let shift = shifts[index] * 2
            if !found.contains(shift) { found.append(shift) }
        }
        return found
    }

    /// Returns the best shift of a tile within bounds.
    private func searched(_ column: Int, _ row: Int, in bounds: (SIMD2<Float>, SIMD2<Float>)) -> SIMD2<Float> {
        let center = ((bounds.0 + bounds.1) * 0.5).rounded(.toNearestOrAwayFromZero)
        var best = (cost: Float.infinity, shift: SIMD2<Float>())
        let reference = level.statistics(column, row).variance
        for down in stride(from: bounds.0.y, through: bounds.1.y, by: 1) {
            for right in stride(from: bounds.0.x, through: bounds.1.x, by: 1) {
                let shift = SIMD2(right, down)
                let distance = (shift - center) * (shift - center)
                let cost = cost(column, row, shift) + reference * Self.stiffness * 0.02 * distance.sum()
                if cost < best.cost { best = (cost, shift) }
            }
        }
        return best.shift
    }

    /// Returns the best shift of a tile among candidates and their neighbours.
    private func searched(
        _ column: Int, _ row: Int, around candidates: [SIMD2<Float>], _ bounds: (SIMD2<Float>, SIMD2<Float>)
    ) -> SIMD2<Float> {
        let reference = level.statistics(column, row).variance
        var best = (cost: Float.infinity, shift: candidates[0])
        for (index, shift) in candidates.enumerated() {
            let extra: Float = index == 0 ? 0 : reference * Self.stiffness
            let cost = cost(column, row, shift) + extra
            if cost < best.cost { best = (cost, shift) }
        }
        let start = best.shift
        for down in -2...2 {
            for right in -2...2 where right != 0 || down != 0 {
                let shift = start + SIMD2(Float(right), Float(down))
                let extra = reference * Self.stiffness * Float(right * right + down * down) * 0.5
                let cost = cost(column, row, shift) + extra
                if cost < best.cost { best = (cost, shift) }
            }
        }
        return pointwiseMax(bounds.0, pointwiseMin(bounds.1, best.shift))
    }

    /// Returns the variance of a tile's differences at a whole shift; infinite if the tele sees too little of it.
    private func cost(_ column: Int, _ row: Int, _ shift: SIMD2<Float>) -> Float {
        let corner = level.corner(column, row)
        let (x, y) = (corner.column + Int(shift.x), corner.row + Int(shift.y))
        guard x >= 0, y >= 0, x + Self.tile <= level.width, y + Self.tile <= level.height else { return .infinity }
        let sums = sums(corner.row * level.width + corner.column, y * level.width + x)
        guard sums.x >= Self.leastSeen * Float(Self.tile * Self.tile) else { return .infinity }
        let mean = sums.y / sums.x
        return max(sums.z / sums.x - mean * mean, 0)
    }

    private func sums(_ own: Int, _ other: Int) -> SIMD4<Float> {
        let (side, stride) = (Self.tile, level.width)
        return level.wide.withView { wide in
            level.tele.withView { tele in
                unsafe compareTeleTile(
                    (wide + own).pointer(columns: side, rows: side, stride: stride),
                    (tele + other).pointer(columns: side, rows: side, stride: stride), stride: stride, columns: side,
                    rows: side)
            }
        }
    }
}

// MARK: - Fractions of a pixel

extension TeleTileSearch {
    /// The number of least-squares steps.
    private static let steps = 4
    /// The largest correction in pixels that least squares may make.
    private static let mostCorrection: Float = 1.2
    /// The reach of the means, in tiles, and the largest difference in pixels from the own tile's shift.
    private static let reach = 2
    private static let mostChange: Float = 0.8

    /// Returns the shifts refined to fractions of a pixel.
    ///
    /// Demosaicing moves edges by up to half a pixel, towards their dark or bright side. Therefore the fractions are
    /// means over the tiles around, weighted by their structure in each direction.
    func refined() -> TeleTileSearch {
        var result = self
        let fractions = fractions()
        result.shifts.withMutableView { target in
            concurrentBands(rows: level.rows, of: 2, cores: cores) { band in
                for row in band {
                    for column in 0..<level.columns {
                        target[row * level.columns + column] = mean(of: fractions, column, row)
                    }
                }
            }
        }
        return result
    }

    /// A tile's shift, and the sums of its squared gradients in each direction.
    private struct Fraction: BitwiseCopyable {
        var shift = SIMD2<Float>()
        var structure = SIMD2<Float>()
    }

    /// Returns what the tiles say of the lines on which the shifts lie.
    func samples() -> [TeleLines.Sample] {
        fractions().enumerated().map { index, fraction in
            TeleLines.Sample(
                place: level.center(index % level.columns, index / level.columns), shift: fraction.shift,
                structure: fraction.structure)
        }
    }

    private func fractions() -> [Fraction] {
        [Fraction](filling: level.columns * level.rows) { target in
            concurrentBands(rows: level.rows, of: 2, cores: cores) { band in
                for row in band {
                    for column in 0..<level.columns {
                        let index = row * level.columns + column
                        target[index] = fraction(column, row, shifts[index])
                    }
                }
            }
        }
    }

    /// Returns the mean of a tile's shift and those of the tiles around it that differ little.
    private func mean(of fractions: [Fraction], _ column: Int, _ row: Int) -> SIMD2<Float> {
        let own = fractions[row * level.columns + column]
        var (sum, weights) = (SIMD2<Float>(), SIMD2<Float>())
        for y in max(0, row - Self.reach)...min(level.rows - 1, row + Self.reach) {
            for x in max(0, column - Self.reach)...min(level.columns - 1, column + Self.reach) {
                let other = fractions[y * level.columns + x]
                let change = other.shift - own.shift
                guard (change * change).sum() < Self.mostChange * Self.mostChange else { continue }
                sum += other.structure * other.shift
                weights += other.structure
            }
        }
        return SIMD2(
            weights.x > 0 ? sum.x / weights.x : own.shift.x, weights.y > 0 ? sum.y / weights.y : own.shift.y)
    }

    /// Returns a tile's shift to a fraction of a pixel, by least squares from a whole shift.
    private func fraction(_ column: Int, _ row: Int, _ start: SIMD2<Float>) -> Fraction {
        let corner = level.corner(column, row)
        let inset = 1
        var result = Fraction(shift: start)
        let terms = OwnedMemory(repeating: Float(0), count: 9)
        for _ in 0..<Self.steps {
            let whole = result.shift.rounded(.down)
            let (x, y) = (corner.column + inset + Int(whole.x), corner.row + inset + Int(whole.y))
            let side = Self.tile - 2 * inset
            let unrefined = Fraction(shift: start)
            guard x >= 0, y >= 0, x + side < level.width, y + side < level.height else { return unrefined }
            shiftTerms(
                (corner.row + inset) * level.width + corner.column + inset, y * level.width + x, result.shift - whole,
                terms.view)
            guard let change = Self.solution(terms.view) else { return unrefined }
            result.shift += change
            result.structure = SIMD2(terms.view[0], terms.view[2])
            let correction = result.shift - start
            if (correction * correction).sum() > Self.mostCorrection * Self.mostCorrection { return unrefined }
        }
        return result
    }

    private func shiftTerms(_ own: Int, _ other: Int, _ part: SIMD2<Float>, _ terms: MutableMemoryView<Float>) {
        let (side, stride) = (Self.tile - 2, level.width)
        level.wide.withView { wide in
            level.tele.withView { tele in
                unsafe teleShiftTerms(
                    terms.pointer(9), (wide + own).pointer(columns: side + 1, rows: side + 1, stride: stride),
                    (tele + other).pointer(columns: side + 1, rows: side + 1, stride: stride), stride: stride,
                    columns: side, rows: side, right: part.x, down: part.y)
            }
        }
    }

    /// Returns the change of the shift that minimises the squared differences, whose mean does not count; nil if too
    /// little is seen. A small ridge keeps the shift of tiles without structure.
    private static func solution(_ terms: MutableMemoryView<Float>) -> SIMD2<Float>? {
        let count = terms[8]
        guard count >= 64 else { return nil }
        let (right, down, mean) = (terms[5] / count, terms[6] / count, terms[7] / count)
        let ridge = 0.02 * (terms[0] + terms[2]) + 1e-7 * count
        let xx = terms[0] - count * right * right + ridge
        let xy = terms[1] - count * right * down
        let yy = terms[2] - count * down * down + ridge
        let (x, y) = (terms[3] - count * right * mean, terms[4] - count * down * mean)
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return nil }
        return SIMD2(yy * x - xy * y, xx * y - xy * x) / determinant
    }
}
