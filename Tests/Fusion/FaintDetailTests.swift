import BurstScenes
import Fusion
import RawImage
import Testing

/// Tests that faint detail in a hand-held burst, and in what moves, keeps its contrast.
@Suite struct FaintDetailTests {
    /// A burst of print of 28 % contrast, on paper that is as bright as `paper`: lines of random strokes, five pixels
    /// wide.
    private static func burst(paper: Double = 0.03) -> SyntheticBurst {
        var burst = SyntheticBurst(640, 480)
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: 4e-3, read: 1e-4), count: 3)
        burst.scene = { x, y in
            // Means over a pixel, so that shifted strokes have no hard edges.
            let corners = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)]
            let strokes = corners.map { stroke(x + $0.0, y + $0.1) }.reduce(0, +) / 4
            return paper * (1 - 0.28 * strokes)
        }
        return burst
    }

    private static func stroke(_ x: Double, _ y: Double) -> Double {
        let (column, row) = (Int64((x / 5).rounded(.down)), Int64((y / 5).rounded(.down)))
        guard ((row % 6) + 6) % 6 < 3 else { return 0 }
        var random = Random(UInt64(bitPattern: column &* 7919 &+ row))
        return random.next() % 3 == 0 ? 1 : 0
    }

    /// Returns how much of the scene's contrast a merged mosaic shows.
    private func keptContrast(
        _ mosaic: Mosaic, _ burst: SyntheticBurst, columns: Range<Int> = 24..<616
    ) -> Double {
        let black = burst.metadata.blackLevel[0]
        let unit = Double(1 << (16 - burst.format.bitDepth))
        return keptContrast(burst, columns) { column, row in
            (Double(mosaic.codes[row * mosaic.format.stride + column]) / unit - black)
                / (burst.metadata.whiteLevel - black)
        }
    }

    /// Returns how much of the scene's contrast a picture shows: the slope of its signals over the scene's.
    private func keptContrast(
        _ burst: SyntheticBurst, _ columns: Range<Int>, _ signal: (_ column: Int, _ row: Int) -> Double
    ) -> Double {
        var (both, own, mean, truthMean, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for row in 24..<burst.format.height - 24 {
            for column in columns {
                let (truth, signal) = (burst.scene(Double(column), Double(row)), signal(column, row))
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

    /// Print that only the reference shows, because it moved away, and that each frequency takes for noise. 29 % was
    /// kept before the energy of all middle frequencies together decided.
    @Test func printThatMovesAwayIsKept() throws {
        let paper = 0.2
        let print = Self.burst(paper: paper).scene
        var (burst, empty) = (Self.burst(), Self.burst())
        burst.scene = { x, y in x < 200 ? print(x, y) : paper }
        empty.scene = { _, _ in paper }
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for index in 0..<8 {
            let codes = (index == 0 ? burst : empty).frame(seed: UInt64(index))
            try fusion.add(codes.span, format: burst.format, metadata: burst.metadata)
        }
        let kept = keptContrast(try fusion.finish().mosaic, burst, columns: 24..<190)
        #expect(kept > 0.55, "\(kept)")
    }

    /// The photo of the mode `quality`, on a tripod and with hand shake. A denoised merge, which a tripod's photo once
    /// was, keeps 66 to 67 %.
    @Test(arguments: [0.0, 3]) func denoisingKeepsFaintPrint(_ reach: Double) throws {
        let burst = Self.burst()
        var random = Random(7)
        var options = FusionOptions(photoIn: .quality)
        options.reference = 0
        let fusion = BurstFusion(options)
        for index in 0..<8 {
            let codes = burst.frame(
                right: index == 0 ? 0 : reach * random.normal(), down: index == 0 ? 0 : reach * random.normal(),
                seed: UInt64(index))
            try fusion.add(codes.span, format: burst.format, metadata: burst.metadata)
        }
        let photo = try fusion.finishLinearPhoto().photo
        let kept = keptContrast(burst, 24..<616) { column, row in
            Double(photo.values[row * photo.format.stride + 4 * column + 1]) / 65_535
        }
        #expect(kept > 0.74, "\(kept)")
    }

    /// A noise profile that is off by less than a factor of two stays as it is stated, but does not decide what is
    /// merged.
    @Test(arguments: [0.55, 1.8]) func aProfileThatIsOffMergesNoLess(_ factor: Double) throws {
        let burst = Self.burst()
        var metadata = burst.metadata
        metadata.noise = metadata.noise.map { NoiseProfile(shot: $0.shot * factor, read: $0.read * factor) }
        let shares = try [burst.metadata, metadata].map { metadata in
            let fusion = BurstFusion(FusionOptions(reference: 0))
            for index in 0..<4 {
                try fusion.add(burst.frame(seed: UInt64(index)).span, format: burst.format, metadata: metadata)
            }
            return try fusion.finish().report.frames[1].mergedShare
        }
        #expect(abs(shares[1] - shares[0]) < 0.03, "\(shares)")
    }
}
