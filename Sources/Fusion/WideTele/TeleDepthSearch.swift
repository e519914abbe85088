internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Finds the shifts of all tiles together, each on its line: their places on the lines change little from a tile to its
/// neighbours, or jump at the outline of a near thing.
///
/// The costs of the tiles and of the changes between neighbours are made small together along straight paths, and the
/// paths of eight directions decide by their sum (semi-global matching). So tiles without structure take the shift of
/// those around them, where a search tile by tile takes one by chance.
struct TeleDepthSearch {
    let level: TeleLevel
    let lines: TeleLines
    let noise: TeleNoise
    let cores: Int?

    /// The part of a tile's variance by which differences may be larger than noise: the lenses differ in sharpness, and
    /// shifts lie between places.
    private static let slack: Float = 0.05
    /// The greatest cost of a tile, in units of the differences that noise and slack explain: beyond it, nothing fits.
    private static let mostCost: Float = 10
    /// The cost of a change by a place from a tile to the next, and of a greater change.
    private static let (step, jump): (Float, Float) = (1, 4)
    private static let directions = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]

    /// Number of places on a line; they are a pixel apart.
    private var count: Int { Int((lines.range.upperBound - lines.range.lowerBound).rounded(.up)) + 1 }

    /// Returns the shifts of the tiles.
    func shifts() -> [SIMD2<Float>] {
        let (count, costs) = (count, costs())
        var sums = [Float](repeating: 0, count: costs.count)
        for direction in Self.directions { addPaths(direction, costs, to: &sums) }
        return (0..<level.columns * level.rows).map { tile in
            var best = (cost: Float.infinity, place: 0)
            for place in 0..<count where sums[tile * count + place] < best.cost {
                best = (sums[tile * count + place], place)
            }
            return shift(tile % level.columns, tile / level.columns, best.place)
        }
    }

    /// The shift of a tile at a place on its line.
    private func shift(_ column: Int, _ row: Int, _ place: Int) -> SIMD2<Float> {
        lines.shift(at: level.center(column, row), place: lines.range.lowerBound + Float(place))
    }

    /// Returns the costs of all places of all tiles.
    private func costs() -> [Float] {
        let (count, columns) = (count, level.columns)
        return [Float](filling: columns * level.rows * count) { target in
            concurrentBands(rows: level.rows, of: 2, cores: cores) { band in
                for tile in band.lowerBound * columns..<band.upperBound * columns {
                    setCosts(tile % columns, tile / columns, target + tile * count)
                }
            }
        }
    }

    private func setCosts(_ column: Int, _ row: Int, _ target: MutableMemoryView<Float>) {
        let corner = level.corner(column, row)
        let first = shift(column, row, 0)
        let step = shift(column, row, 1) - first
        let noise = level.noise(noise, column, row)
        let usual = noise + Self.slack * max(level.statistics(column, row).variance - noise, 0)
        for place in 0..<count {
            let cost = level.cost(
                corner.column, corner.row, side: TeleLevel.tile, first + step * Float(place))
            target[place] = min(cost / usual, Self.mostCost)
        }
    }

    /// Adds the costs of the cheapest paths in a direction to the sums of the places at which they end.
    private func addPaths(_ direction: (right: Int, down: Int), _ costs: [Float], to sums: inout [Float]) {
        let (count, columns, rows) = (count, level.columns, level.rows)
        // The paths of a row of tiles and of the row before.
        let paths = OwnedMemory(repeating: Float(0), count: 2 * columns * count)
        let start = OwnedMemory(repeating: Float(0), count: count)
        sums.withMutableView { sums in
            costs.withView { costs in
                for index in 0..<columns * rows {
                    let (line, across) = (index / columns, index % columns)
                    let row = direction.down < 0 ? rows - 1 - line : line
                    let column = direction.right < 0 ? columns - 1 - across : across
                    let (lastLine, lastColumn) = (line - abs(direction.down), column - direction.right)
                    let hasLast = lastLine >= 0 && lastColumn >= 0 && lastColumn < columns
                    let last = hasLast ? paths.view + (lastLine % 2 * columns + lastColumn) * count : start.view
                    let own = (row * columns + column) * count
                    unsafe followTelePaths(
                        (paths.view + (line % 2 * columns + column) * count).pointer(count),
                        (sums + own).pointer(count), (costs + own).pointer(count), MemoryView(last).pointer(count),
                        count: count, step: Self.step, jump: Self.jump)
                }
            }
        }
    }
}
