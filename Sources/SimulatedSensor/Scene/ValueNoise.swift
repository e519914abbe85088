/// Smooth randomness over a plane, for clouds, leaves and grain. The same on every machine.
struct ValueNoise: Sendable {
    let seed: UInt32

    /// A smooth value in −1…1; it changes over a distance of about 1.
    func value(_ x: Float, _ y: Float) -> Float {
        let (floorX, floorY) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int32(floorX), Int32(floorY))
        let (tx, ty) = (Self.smooth(x - floorX), Self.smooth(y - floorY))
        let upper = mixed(corner(column, row), corner(column &+ 1, row), tx)
        let lower = mixed(corner(column, row &+ 1), corner(column &+ 1, row &+ 1), tx)
        return mixed(upper, lower, ty)
    }

    /// Layers of noise, each finer by half than the one before and `fall` as strong; layers finer than two pixels fade away.
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

    private func corner(_ column: Int32, _ row: Int32) -> Float {
        var hash = UInt32(bitPattern: column) &* 0x9e37_79b1 ^ UInt32(bitPattern: row) &* 0x85eb_ca77 ^ seed
        hash = (hash ^ hash >> 15) &* 0x2c1b_3c6d
        hash = (hash ^ hash >> 12) &* 0x297a_2d39
        hash ^= hash >> 15
        return Float(Int32(bitPattern: hash)) * (1 / 2_147_483_648)
    }

    private static func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }

    private func mixed(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }
}
