internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// Chooses the shift at each point of a flow among those of the tiles around it, so that the outline of a near object
/// is followed more closely than by whole tiles.
struct TeleShiftChoice {
    /// The tiles of the finest level.
    let tiles: TeleTileSearch
    let noise: TeleNoise

    /// Side of the window around a point, in pixels.
    private static let window = 8
    /// The fraction of the cost by which another tile's shift must be better than the own tile's.
    private static let preference: Float = 0.9
    /// What a cost may be smaller by chance, relative to the noise.
    private static let significance: Float = 0.4

    private var level: TeleLevel { tiles.level }

    /// Sets the shifts of a flow.
    func write(to flow: inout TeleFlow, cores: Int?) {
        let columns = flow.columns
        let rows = flow.rows
        flow.shifts.withMutableView { target in
            concurrentBands(rows: rows, of: 4, cores: cores) { band in
                for row in band {
                    for column in 0..<columns { target[row * columns + column] = shift(column, row) }
                }
            }
        }
    }

    /// Returns the shift at a point of the flow.
    private func shift(_ column: Int, _ row: Int) -> SIMD2<Float> {
        let (x, y) = (column * TeleFlow.step, row * TeleFlow.step)
        let half = TeleLevel.tile / 2
        let (tileColumn, tileRow) = (tile(x - half, level.columns), tile(y - half, level.rows))
        let own = tiles.shifts[tileRow * level.columns + tileColumn]
        let chance = level.noise(noise, tileColumn, tileRow) * Self.significance
        var best = (cost: cost(x, y, own) * Self.preference - chance, shift: own)
        for down in -1...1 {
            for right in -1...1 where right != 0 || down != 0 {
                let (column, row) = (tileColumn + right, tileRow + down)
                guard column >= 0, row >= 0, column < level.columns, row < level.rows else { continue }
                let shift = tiles.shifts[row * level.columns + column]
                let change = shift - own
                guard (change * change).sum() > 0.04 else { continue }
                let cost = cost(x, y, shift)
                if cost < best.cost { best = (cost, shift) }
            }
        }
        return best.shift
    }

    /// Returns the index of the tile whose corner is nearest to a place.
    private func tile(_ place: Int, _ count: Int) -> Int {
        min(max((place + TeleLevel.step / 2) / TeleLevel.step, 0), count - 1)
    }

    /// Returns the cost of a shift around a pixel; infinite if the tele does not see its surroundings.
    private func cost(_ x: Int, _ y: Int, _ shift: SIMD2<Float>) -> Float {
        let side = Self.window
        let (left, top) = (
            min(max(x - side / 2, 0), level.width - side), min(max(y - side / 2, 0), level.height - side)
        )
        return level.cost(left, top, side: side, shift)
    }
}
