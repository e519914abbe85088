/// Smooth randomness over a plane, for clouds, leaves and grain. The same on every machine.
struct ValueNoise: Sendable {
    /// Random values on a grid of 256×256 points, which repeats.
    private let grid: [Float]

    init(seed: UInt64) {
        grid = (0..<65_536).map { Float(SeededHash.unit(seed, 0, $0) * 2 - 1) }
    }

    /// A smooth value in −1…1; it changes over a distance of about 1.
    func value(_ x: Float, _ y: Float) -> Float {
        let (column, row) = (Self.floor(x), Self.floor(y))
        let (tx, ty) = (Self.smooth(x - Float(column)), Self.smooth(y - Float(row)))
        let (left, right) = (column & 255, (column &+ 1) & 255)
        let (above, below) = ((row & 255) << 8, ((row &+ 1) & 255) << 8)
        let upper = mixed(grid[above | left], grid[above | right], tx)
        let lower = mixed(grid[below | left], grid[below | right], tx)
        return mixed(upper, lower, ty)
    }

    /// Layers of noise, each finer by half than the one before and `fall` as strong; layers finer than two pixels fade
    /// away.
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

    /// The whole number below; faster here than the library's.
    private static func floor(_ x: Float) -> Int {
        let whole = Int(x)
        return Float(whole) > x ? whole - 1 : whole
    }

    private static func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

    private func mixed(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }
}
