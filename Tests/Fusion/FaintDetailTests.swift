import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests that faint detail in a hand-held burst keeps its contrast.
@Suite struct FaintDetailTests {
    /// A burst of dim print of 28 % contrast: lines of random strokes, five pixels wide.
    private static func burst() -> SyntheticBurst {
        var burst = SyntheticBurst(640, 480)
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: 4e-3, read: 1e-4), count: 3)
        burst.scene = { x, y in
            // Means over a pixel, so that shifted strokes have no hard edges.
            let corners = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)]
            let strokes = corners.map { stroke(x + $0.0, y + $0.1) }.reduce(0, +) / 4
            return 0.03 * (1 - 0.28 * strokes)
        }
        return burst
    }

    private static func stroke(_ x: Double, _ y: Double) -> Double {
        let (column, row) = (Int64((x / 5).rounded(.down)), Int64((y / 5).rounded(.down)))
        guard ((row % 6) + 6) % 6 < 3 else { return 0 }
        var random = Random(UInt64(bitPattern: column &* 7919 &+ row))
        return random.next() % 3 == 0 ? 1 : 0
    }

    /// Returns how much of the scene's contrast a merged mosaic shows: the slope of its signals over the scene's.
    private func keptContrast(_ mosaic: Mosaic, _ burst: SyntheticBurst) -> Double {
        let black = burst.metadata.blackLevel[0]
        let range = burst.metadata.whiteLevel - black
        let unit = Double(1 << (16 - burst.format.bitDepth))
        var (both, own, mean, truthMean, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for row in 24..<burst.format.height - 24 {
            for column in 24..<burst.format.width - 24 {
                let truth = burst.scene(Double(column), Double(row))
                let signal = (Double(mosaic.codes[row * mosaic.format.stride + column]) / unit - black) / range
                both += signal * truth
                own += truth * truth
                mean += signal
                truthMean += truth
                count += 1
            }
        }
        return (both - mean * truthMean / count) / (own - truthMean * truthMean / count)
    }

    /// Without the motion of the whole frame, 85 to 86.5 % is kept.
    @Test(arguments: [1, 2, 3] as [UInt64]) func faintDetailIsAligned(_ seed: UInt64) throws {
        let burst = Self.burst()
        var random = Random(seed)
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for index in 0..<8 {
            let reach = index == 0 ? 0.0 : 5
            let codes = burst.frame(
                right: reach * random.normal(), down: reach * random.normal(), seed: seed * 100 + UInt64(index))
            try fusion.add(codes.span, format: burst.format, metadata: burst.metadata)
        }
        let kept = keptContrast(try fusion.finish().mosaic, burst)
        #expect(kept > 0.87, "\(kept)")
    }
}
