internal import Glibc
internal import RawImage

/// Generates the frames of a hand-held burst one at a time: a tile of one megapixel with hard edges and texture at
/// every scale, repeated over the frame and shifted by another distance in each frame, with shot and read noise.
///
/// The edges are as sharp as a sensor can see them, so that each colour's samples alias there: fusion then works more
/// than on a soft scene.
struct BenchmarkScene {
    /// The width and height in pixels of the tile that is repeated over the frame.
    private static let side = 1024
    /// The sensor's response to neutral light in red, green and blue, relative to green.
    private static let response: [Float] = [0.5, 1, 0.62]

    let format: MosaicFormat
    let metadata: FrameMetadata
    /// The tile that is repeated over the frame: linear values 0…1 before the sensor's response.
    private let signals: [Float]
    /// 65,536 random numbers of a normal distribution with standard deviation 1.
    private let noise: [Float]

    init(width: Int, height: Int) {
        format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 12)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.noise = Array(repeating: NoiseProfile(shot: 1e-3, read: 6.25e-6), count: 3)
        metadata.exposureTime = 0.01
        metadata.iso = 800
        self.metadata = metadata
        var random = RandomNumbers()
        signals = Self.paint(&random)
        noise = (0..<65_536).map { _ in (0..<12).reduce(-6) { sum, _ in sum + random.unit() } }
    }

    /// Returns the codes of the burst's frame with this index; equal indices give equal frames.
    func frame(_ index: Int) -> [UInt16] {
        let (right, down) = (index * 7 % 23, index * 11 % 19)
        let profile = metadata.noise[0]
        let (shot, read) = (Float(profile.shot), Float(profile.read))
        let (black, range) = (Float(metadata.blackLevel[0]), Float(metadata.whiteLevel - metadata.blackLevel[0]))
        var random = RandomNumbers(seed: UInt32(index + 1))
        var codes: [UInt16] = []
        codes.reserveCapacity(format.codeCount)
        for row in 0..<format.height {
            let line = (row + down) % Self.side * Self.side
            let pair = (0..<2).map { Self.response[format.pattern.plane(row: row, column: $0)] }
            for column in 0..<format.width {
                let signal = signals[line + (column + right) % Self.side] * pair[column & 1]
                let noisy = signal + (shot * signal + read).squareRoot() * noise[Int(random.next() >> 16)]
                codes.append(UInt16(min(max(noisy * range + black + 0.5, 0), 4095)))
            }
        }
        return codes
    }

    /// Paints the tile: discs of all sizes that cover each other, with value noise as their texture.
    private static func paint(_ random: inout RandomNumbers) -> [Float] {
        let texture = noise(&random)
        var leaves = [Float](repeating: 0.5, count: side * side)
        for _ in 0..<discs {
            // With this distribution of radii the picture looks alike at every scale.
            let radius = smallest / max(1 - random.unit(), smallest * smallest / (largest * largest)).squareRoot()
            let (x, y, light) = (random.unit() * Float(side), random.unit() * Float(side), 0.08 + 0.6 * random.unit())
            for row in Int(y - radius)...Int(y + radius) {
                let height = Float(row) - y
                let half = max(radius * radius - height * height, 0).squareRoot()
                for column in Int(x - half)...Int(x + half) {
                    leaves[(row + side) % side * side + (column + side) % side] = light
                }
            }
        }
        return zip(leaves, texture).map { $0 * (0.6 + 0.8 * $1) }
    }

    /// The number of discs of a tile, and the radii of the smallest and the largest ones in pixels.
    private static let (discs, smallest, largest): (Int, Float, Float) = (12_000, 3, 120)

    /// Returns value noise: a sum of octaves of random values with bilinear interpolation between them. Each octave has
    /// half the amplitude of the octave with twice the spacing.
    private static func noise(_ random: inout RandomNumbers) -> [Float] {
        var sum = [Float](repeating: 0, count: side * side)
        for octave in 1...7 {
            let cells = side >> octave
            let lattice = (0..<cells * cells).map { _ in random.unit() }
            for row in 0..<side {
                let (top, below) = ((row >> octave) * cells, ((row >> octave) + 1) % cells * cells)
                let down = Float(row & (1 << octave - 1)) / Float(1 << octave)
                for column in 0..<side {
                    let (left, right) = (column >> octave, ((column >> octave) + 1) % cells)
                    let across = Float(column & (1 << octave - 1)) / Float(1 << octave)
                    let upper = lattice[top + left] * (1 - across) + lattice[top + right] * across
                    let lower = lattice[below + left] * (1 - across) + lattice[below + right] * across
                    sum[row * side + column] += (upper * (1 - down) + lower * down) * Float(1 << octave) / 256
                }
            }
        }
        return sum
    }
}

/// A linear congruential generator, whose random numbers are the same on every machine. Only their high bits are random
/// enough to use.
struct RandomNumbers {
    private var state: UInt32

    init(seed: UInt32 = 0) { state = seed &* 2_654_435_761 }

    /// Returns the next random number, of which only the high bits are used.
    mutating func next() -> UInt32 {
        state = state &* 1_664_525 &+ 1_013_904_223
        return state
    }

    /// Returns the next random number, scaled to 0..<1.
    mutating func unit() -> Float { Float(next() >> 8) * 0x1p-24 }
}
