internal import KernelTypes
internal import Kernels
internal import PixelMemory
internal import RawImage

/// The grey values of the wide photo and the tele's at one resolution, divided into tiles that overlap by half.
struct TeleLevel: Sendable {
    let wide: [Float]
    let tele: [Float]
    let width: Int
    let height: Int

    /// Side of a tile in pixels of its level, and the distance between tiles.
    static let (tile, step) = (16, 8)

    /// The weight of the squared mean difference beside the variance of the differences: the brightness of the photos
    /// is known roughly.
    private static let meanWeight: Float = 0.25

    /// Number of tiles across and down.
    var columns: Int { max(1, (width - Self.tile) / Self.step + 1) }
    var rows: Int { max(1, (height - Self.tile) / Self.step + 1) }

    /// Returns the first pixel of a tile.
    func corner(_ column: Int, _ row: Int) -> (column: Int, row: Int) {
        (min(column * Self.step, max(0, width - Self.tile)), min(row * Self.step, max(0, height - Self.tile)))
    }

    /// Returns the centre of a tile.
    func center(_ column: Int, _ row: Int) -> SIMD2<Float> {
        let corner = corner(column, row)
        return SIMD2(Float(corner.column), Float(corner.row)) + Float(Self.tile) / 2
    }

    /// Returns the mean of a tile's wide values, and their variance, noise included.
    func statistics(_ column: Int, _ row: Int) -> (mean: Float, variance: Float) {
        let corner = corner(column, row)
        var (sum, squares): (Float, Float) = (0, 0)
        for line in 0..<Self.tile {
            let start = (corner.row + line) * width + corner.column
            for index in start..<start + Self.tile {
                sum += wide[index]
                squares += wide[index] * wide[index]
            }
        }
        let mean = sum / Float(Self.tile * Self.tile)
        return (mean, max(squares / Float(Self.tile * Self.tile) - mean * mean, 1e-12))
    }

    /// Returns the variance of the differences of `side`×`side` pixels at a shift, in which the squared mean counts a
    /// little; infinite if the tele sees less than half of them.
    func cost(_ column: Int, _ row: Int, side: Int, _ shift: SIMD2<Float>) -> Float {
        let whole = shift.rounded(.down)
        let (x, y) = (column + Int(whole.x), row + Int(whole.y))
        guard x >= 0, y >= 0, x + side < width, y + side < height else { return .infinity }
        let (own, other, part) = (row * width + column, y * width + x, shift - whole)
        let sums = wide.withView { wide in
            tele.withView { tele in
                unsafe compareTeleTileBetween(
                    (wide + own).pointer(columns: side, rows: side, stride: width),
                    (tele + other).pointer(columns: side + 1, rows: side + 1, stride: width), stride: width,
                    columns: side, rows: side, right: part.x, down: part.y)
            }
        }
        guard sums.x >= Float(side * side) / 2 else { return .infinity }
        let mean = sums.y / sums.x
        return max(sums.z / sums.x - mean * mean * (1 - Self.meanWeight), 0)
    }

    /// Returns the variance of the differences of a tile's pixels that noise explains.
    func noise(_ noise: TeleNoise, _ column: Int, _ row: Int) -> Float {
        let light = max(statistics(column, row).mean, 0)
        let wide = noise.wideShot.w * light + noise.wideRead.w
        let tele = (noise.teleShot.w * light + noise.teleRead.w) * noise.kept
        return wide + tele + noise.rendition * light * light
    }
}
