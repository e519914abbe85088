internal import RawImage
import Testing

/// Where a coloured lamp clips, one colour after the other: no cast around it.
@Suite struct ClippedLampTests {
    /// Lamps with nothing wrong but, if asked for, light that flickers.
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

    /// The mean error of a colour next to clipping, over some bursts, is that of the reference, which clips noise, or
    /// less, within what noise lets one say.
    @Test(arguments: [100.0, 800, 3200], [false, true])
    func coloursClipAsInTheReference(_ iso: Double, _ flickers: Bool) throws {
        var edges = Array(repeating: Edge(), count: 3)
        for seed in 0..<6 {
            let fused = try FusedBurst(lamps(seed: seed, iso: iso, flickers: flickers))
            for row in 0..<fused.burst.height {
                for column in 0..<fused.burst.width {
                    let place = row * fused.burst.width + column
                    guard (0.8...1.2).contains(fused.scene[place]) else { continue }
                    let truth = fused.truth[place]
                    edges[fused.burst.pattern.plane(row: row, column: column)].add(
                        Double(fused.photo[place] - truth), Double(fused.reference[place] - truth))
                }
            }
        }
        for (plane, edge) in edges.enumerated() {
            #expect(
                abs(edge.ours / edge.count) < abs(edge.its / edge.count) + 4 * edge.uncertainty,
                "plane \(plane): \(edge.ours / edge.count) counts, the reference \(edge.its / edge.count)")
        }
    }

    /// Errors of one colour at places next to clipping.
    private struct Edge {
        var count = 0.0
        var ours = 0.0
        var its = 0.0
        var squares = 0.0

        mutating func add(_ our: Double, _ its: Double) {
            count += 1
            ours += our
            self.its += its
            squares += its * its
        }

        /// The standard deviation of the reference's mean error.
        var uncertainty: Double { squares.squareRoot() / count }
    }
}
