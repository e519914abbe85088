/// Two-dimensional value noise for clouds, leaves and wood grain; identical on every machine.
struct ValueNoise: Sendable {
    /// Pseudo-random values in −1…1 on a periodic grid of 256×256 points.
    private let grid: [Float]

    init(seed: UInt64) {
        grid = (0..<65_536).map { Float(SeededHash.unit(seed, 0, $0) * 2 - 1) }
    }

    /// Returns the noise at a point: a smooth function in −1…1 whose features have a size of about 1.
    func value(_ x: Float, _ y: Float) -> Float {
        let (column, row) = (Self.floor(x), Self.floor(y))
        let (tx, ty) = (Self.smooth(x - Float(column)), Self.smooth(y - Float(row)))
        let (left, right) = (column & 255, (column &+ 1) & 255)
        let (above, below) = ((row & 255) << 8, ((row &+ 1) & 255) << 8)
        let upper = mixed(grid[above | left], grid[above | right], tx)
        let lower = mixed(grid[below | left], grid[below | right], tx)
        return mixed(upper, lower, ty)
    }

    /// Returns a sum of octaves (fractal noise): each has half the feature size of the one before and `fall` times its
    /// amplitude. Octaves finer than two pixels fade out to avoid aliasing.
    func layers(_ x: Float, _ y: Float, count: Int, fall: Float = 0.5, pixel: Float) -> Float {
        var sum: Float = 0
        var (scale, weight): (Float, Float) = (1, 1)
        for layer in 0..<count {
            let visible = min(max(1 / (scale * pixel) - 1, 0), 1)
            if visible == 0 { break }
            let shift = Float(layer) * 17.3
            sum += weight * visible * value(x * scale + shift, y * scale - shift)
            scale *= 2
            weight *= fall
        }
        return sum
    }

    /// Returns the largest integer not above a number; faster here than the standard library's rounding.
    private static func floor(_ x: Float) -> Int {
        let whole = Int(x)
        return Float(whole) > x ? whole - 1 : whole
    }

    private static func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

    private func mixed(_ a: Float, _ b: Float, _ weight: Float) -> Float { a + (b - a) * weight }
}
