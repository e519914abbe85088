import BurstScenes
internal import RawImage
import Testing

/// Tests that coloured lamps, whose colours clip one after the other, get no colour cast around them.
@Suite struct ClippedLampTests {
    /// Returns a burst of the scene of lamps, without faults other than optional flicker.
    private func lamps(seed: Int, iso: Double, flickers: Bool) -> RandomBurst {
        var random = Random(UInt64(seed))
        var burst = RandomBurst(seed: seed)
        burst.scene = .lamps
        (burst.bitDepth, burst.iso, burst.level, burst.glints, burst.reference) = (12, iso, 1, 0, 0)
        burst.objects = []
        burst.views = (0..<8).map { index in
            let reach: Float = index == 0 ? 0 : 6
            return RandomBurst.View(right: random.uniform(-reach, reach), down: random.uniform(-reach, reach))
        }
        burst.faults = Array(repeating: nil, count: 8)
        burst.exposures = Array(repeating: 1, count: 8)
        burst.flicker = (0..<8).map { _ in flickers ? random.uniform(0.9, 1.1) : 1 }
        return burst
    }

    /// The mean error of each colour at pixels next to clipping, over several bursts, does not exceed the reference
    /// frame's (where noise is clipped) by more than the statistical uncertainty.
    @Test(arguments: [100.0, 800, 3200], [false, true])
    func coloursClipAsInTheReference(_ iso: Double, _ flickers: Bool) throws {
        var edges = Array(repeating: Edge(), count: 3)
        for seed in 0..<6 {
            let fused = try FusedBurst(lamps(seed: seed, iso: iso, flickers: flickers))
            for row in 0..<fused.burst.height {
                for column in 0..<fused.burst.width {
                    let position = row * fused.burst.width + column
                    guard (0.8...1.2).contains(fused.scene[position]) else { continue }
                    let truth = fused.truth[position]
                    edges[fused.burst.pattern.plane(row: row, column: column)].add(
                        Double(fused.photo[position] - truth), Double(fused.reference[position] - truth))
                }
            }
        }
        for (plane, edge) in edges.enumerated() {
            #expect(
                abs(edge.photo / edge.count) < abs(edge.reference / edge.count) + 4 * edge.uncertainty,
                "plane \(plane): \(edge.photo / edge.count) counts, the reference \(edge.reference / edge.count)")
        }
    }

    /// The accumulated errors of one colour at pixels next to clipping.
    private struct Edge {
        var count = 0.0
        var photo = 0.0
        var reference = 0.0
        var squares = 0.0

        mutating func add(_ photoError: Double, _ referenceError: Double) {
            count += 1
            photo += photoError
            self.reference += referenceError
            squares += referenceError * reference
        }

        /// The statistical uncertainty of the reference frame's mean error.
        var uncertainty: Double { squares.squareRoot() / count }
    }
}
