internal import Glibc

/// The scenes of random bursts, each difficult in a different way.
package enum TestScene: CaseIterable {
    /// Texture of all sizes, like stone and leaves.
    case texture
    /// Dark letters on paper.
    case text
    /// Smooth gradients with little contrast above the noise.
    case gradients
    /// Spokes that become finer than the sensor's sampling.
    case star
    /// Coloured lamps that clip, in the dark.
    case lamps
    /// A periodic pattern that also matches at wrong shifts.
    case bricks

    /// The camera's response to white: red, green and blue, relative to green.
    package static let neutral = SIMD3<Float>(0.5, 1, 0.62)

    /// Paints the scene for frames of this size; its white has the signal `level` in green.
    package func canvas(_ width: Int, _ height: Int, lens: Float, level: Float, _ random: inout Random) -> Canvas {
        let noise = LatticeNoise(&random)
        let size = SIMD2(Float(width), Float(height))
        let paint =
            switch self {
            case .texture: Self.texture(noise, &random)
            case .text: Self.text(noise, &random)
            case .gradients: Self.gradients(noise, &random)
            case .star: Self.star(size, &random)
            case .lamps: Self.lamps(size, &random)
            case .bricks: Self.bricks(noise, &random)
            }
        return Canvas(width, height, lens: lens) { x, y in paint(x, y) * Self.neutral * level }
    }
}

// MARK: - The paints

extension TestScene {
    private typealias Paint = (Float, Float) -> SIMD3<Float>

    private static func texture(_ noise: LatticeNoise, _ random: inout Random) -> Paint {
        // Fine texture may be as strong as the large forms, or weaker.
        let (contrast, slope) = (random.uniform(0.5, 2), random.uniform(0.5, 1))
        return { x, y in
            let light = expf(contrast * noise.fractal(x, y, slope: slope)) * 0.35
            let tint = noise.smooth(x / 90, y / 90) - 0.5
            return SIMD3(light * (1 + 0.4 * tint), light, light * (1 - 0.4 * tint))
        }
    }

    private static func text(_ noise: LatticeNoise, _ random: inout Random) -> Paint {
        let (size, ink) = (random.uniform(1.2, 4), random.uniform(0.02, 0.3))
        return { x, y in
            // Letters are random dots in 5×7 of the 6×10 dots of a cell.
            let (column, row) = (Int((x / size).rounded(.down)), Int((y / size).rounded(.down)))
            let (inX, inY) = (column - 6 * (column.quotient(by: 6)), row - 10 * (row.quotient(by: 10)))
            let isDot = inX < 5 && inY < 7 && noise.value(column, row) < 0.5
            let isWord = noise.value(column.quotient(by: 6), 1000 + row.quotient(by: 10)) < 0.8
            let paper = 0.8 + 0.2 * noise.smooth(x / 70, y / 70)
            return SIMD3(repeating: isDot && isWord ? ink : paper)
        }
    }

    private static func gradients(_ noise: LatticeNoise, _ random: inout Random) -> Paint {
        let (right, down) = (random.uniform(-0.002, 0.002), random.uniform(-0.002, 0.002))
        return { x, y in
            let hill = noise.smooth(x / 110, y / 110)
            let light = max(0.002, 0.35 + right * (x - 150) + down * (y - 110) + 0.2 * hill)
            return SIMD3(light * (0.8 + 0.4 * hill), light, light * (1.1 - 0.3 * hill))
        }
    }

    private static func star(_ size: SIMD2<Float>, _ random: inout Random) -> Paint {
        let spokes = Float(random.whole(12...72))
        let centre = size * SIMD2(random.uniform(0.3, 0.7), random.uniform(0.3, 0.7))
        return { x, y in
            let (right, down) = (x - centre.x, y - centre.y)
            let radius = max(1, (right * right + down * down).squareRoot())
            // The edge between two spokes is about two pixels wide, so that it can be sampled.
            let edge = sinf(atan2f(down, right) * spokes) * radius / spokes
            return SIMD3(repeating: 0.5 + 0.45 * min(max(edge, -1), 1))
        }
    }

    private static func lamps(_ size: SIMD2<Float>, _ random: inout Random) -> Paint {
        let lamps = (0..<random.whole(2...6)).map { _ in
            (
                centre: size * SIMD2(random.uniform(0, 1), random.uniform(0, 1)), radius: random.uniform(3, 40),
                glow: random.uniform(1.5, 25),
                light: SIMD3(random.uniform(0.1, 6), random.uniform(0.1, 6), random.uniform(0.1, 6))
            )
        }
        return { x, y in
            lamps.reduce(SIMD3(repeating: 0.02 + 0.02 * y / size.y)) { light, lamp in
                let (right, down) = (x - lamp.centre.x, y - lamp.centre.y)
                let beyond = max(0, (right * right + down * down).squareRoot() - lamp.radius)
                return light + lamp.light * expf(-beyond / lamp.glow)
            }
        }
    }

    private static func bricks(_ noise: LatticeNoise, _ random: inout Random) -> Paint {
        let (width, height) = (random.uniform(5, 40), random.uniform(4, 20))
        let relief = random.uniform(0, 0.2)
        return { x, y in
            let row = (y / height).rounded(.down)
            let across = x / width + 0.5 * row
            let isMortar = (across - across.rounded(.down)) * width < 1.5 || y - row * height < 1.5
            let light = isMortar ? 0.7 : 0.3 + relief * noise.fractal(x, y, slope: 0.7)
            return SIMD3(light * 1.2, light, light * 0.8)
        }
    }
}

/// Random values at whole coordinates.
package struct LatticeNoise {
    private let values: [Float]

    package init(_ random: inout Random) { values = (0..<65536).map { _ in random.uniform(0, 1) } }

    /// Returns the random value 0…1 at whole coordinates; it repeats every 256 in both directions.
    package func value(_ x: Int, _ y: Int) -> Float { values[(y & 255) << 8 | x & 255] }

    /// Interpolates smoothly between the random values at whole coordinates.
    package func smooth(_ x: Float, _ y: Float) -> Float {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int(left), Int(top))
        let (u, v) = (Self.ease(x - left), Self.ease(y - top))
        let upper = value(column, row) * (1 - u) + value(column + 1, row) * u
        let lower = value(column, row + 1) * (1 - u) + value(column + 1, row + 1) * u
        return upper * (1 - v) + lower * v
    }

    /// Returns noise with cells from 1.5 to 96 pixels, about -1…1; each octave has 2^slope times the strength of the
    /// next finer one.
    package func fractal(_ x: Float, _ y: Float, slope: Float) -> Float {
        var (sum, all, strength, cell) = (Float(0), Float(0), Float(1), Float(1.5))
        for octave in 0..<7 {
            // Each octave has a different origin.
            sum += strength * (2 * smooth(x / cell + Float(37 * octave), y / cell + Float(91 * octave)) - 1)
            all += strength * strength
            strength *= exp2f(slope)
            cell *= 2
        }
        return 1.5 * sum / all.squareRoot()
    }

    private static func ease(_ t: Float) -> Float { t * t * (3 - 2 * t) }
}

extension Int {
    /// Returns the quotient rounded down, also for negative numbers.
    fileprivate func quotient(by divisor: Int) -> Int {
        Int((Double(self) / Double(divisor)).rounded(.down))
    }
}

extension Random {
    /// Returns a uniformly distributed random number between two bounds.
    package mutating func uniform(_ least: Float, _ most: Float) -> Float {
        least + (most - least) * Float(next() >> 40) * 0x1p-24
    }

    /// Returns a uniformly distributed random integer in a range.
    package mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 1) % range.count
    }

    /// Returns true at random, with a probability in percent.
    package mutating func percent(_ chance: Int) -> Bool { whole(0...99) < chance }
}
