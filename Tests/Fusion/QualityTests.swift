import BurstScenes
internal import RawImage
import Testing

/// Measures the gain of merging, the reduction of the error in dB, on scenes as difficult as photos. The limits lie 0.5
/// dB below the measured results.
@Suite struct QualityTests {
    /// Returns a burst of eight frames with camera shake of up to 18 pixels, at one exposure.
    private func burst(_ scene: TestScene, seed: Int, iso: Double, lens: Float, objects: Int = 0) -> RandomBurst {
        var random = Random(UInt64(seed) + 9000)
        var burst = RandomBurst(seed: seed)
        (burst.scene, burst.width, burst.height, burst.bitDepth) = (scene, 400, 304, 12)
        (burst.iso, burst.lens, burst.level, burst.glints, burst.reference) = (iso, lens, 0.9, 0, 0)
        burst.views = (0..<8).map { index in
            let (reach, turn): (Float, Float) = index == 0 ? (0, 0) : (18, 0.0017)
            return RandomBurst.View(
                right: random.uniform(-reach, reach), down: random.uniform(-reach, reach),
                turn: random.uniform(-turn, turn))
        }
        burst.faults = Array(repeating: nil, count: 8)
        burst.exposures = Array(repeating: 1, count: 8)
        burst.flicker = Array(repeating: 1, count: 8)
        burst.objects = (0..<objects).map { index in
            var disc = MovingDisc(in: SIMD2(400, 304), &random)
            disc.centre = SIMD2(110 + 150 * Float(index), 150)
            (disc.radius, disc.velocity) = (45, SIMD2(random.uniform(-7, 7), random.uniform(-7, 7)))
            return disc
        }
        return burst
    }

    /// A scene and the least gain in dB (`bar`) that merging must achieve on it.
    struct Case: Sendable, CustomTestStringConvertible {
        var scene: TestScene
        var iso: Double
        /// The weight of each neighbour in the lens blur, as for `Canvas`.
        var lens: Float
        var bar: Double

        var testDescription: String { "\(scene), ISO \(Int(iso)), lens \(lens)" }
    }

    static let cases = [
        // Texture up to the sensor's Nyquist frequency, far above that of the samples of a single colour.
        Case(scene: .texture, iso: 800, lens: 0.12, bar: 8.65),
        Case(scene: .texture, iso: 3200, lens: 0.12, bar: 9.4),
        Case(scene: .texture, iso: 800, lens: 0.25, bar: 9.45),
        Case(scene: .text, iso: 800, lens: 0.18, bar: 1.85),
        Case(scene: .text, iso: 3200, lens: 0.18, bar: 3.9),
        Case(scene: .star, iso: 800, lens: 0.18, bar: 6.5),
        Case(scene: .gradients, iso: 800, lens: 0.18, bar: 9.6),
    ]

    @Test(arguments: cases)
    func mergingGains(_ what: Case) throws {
        let gains = try (0..<4).map { seed in
            try FusedBurst(burst(what.scene, seed: seed, iso: what.iso, lens: what.lens)).gain()
        }
        let mean = gains.reduce(0, +) / Double(gains.count)
        #expect(mean > what.bar, "\(mean) dB: \(gains)")
    }

    /// Measures the gain in the areas that moving objects cover in the reference or in another frame.
    @Test(arguments: [(800.0, 2.2), (3200, 3.8)])
    func motionGains(_ iso: Double, _ bar: Double) throws {
        let gains = try (0..<4).map { seed in
            let burst = burst(.texture, seed: seed, iso: iso, lens: 0.18, objects: 2)
            return try FusedBurst(burst).gain { column, row in
                burst.objects.contains { disc in
                    burst.views.indices.contains { index in
                        let away = SIMD2(Float(column), Float(row)) - disc.centre - disc.velocity * Float(index)
                        return (away * away).sum() < disc.radius * disc.radius
                    }
                }
            }
        }
        let mean = gains.reduce(0, +) / Double(gains.count)
        #expect(mean > bar, "\(mean) dB: \(gains)")
    }
}
