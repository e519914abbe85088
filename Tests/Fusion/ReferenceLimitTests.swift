import BurstScenes
import Fusion
import Kernels
import KernelsBaseline
import KernelsV3
import KernelsV4
import RawImage
import Testing

/// Tests that a merged mosaic is no farther from the reference than the noise of its own pixels explains.
@Suite struct ReferenceLimitTests {
    private static let paper = 0.2

    /// Sparse black print, two pixels wide, on bright paper.
    private static func print(_ x: Double, _ y: Double) -> Double {
        // Means over a pixel, so that shifted strokes have no hard edges.
        let corners = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)]
        let strokes = corners.map { stroke(x + $0.0, y + $0.1) }.reduce(0, +) / 4
        return paper * (1 - 0.98 * strokes)
    }

    private static func stroke(_ x: Double, _ y: Double) -> Double {
        let (column, row) = (Int64((x / 2).rounded(.down)), Int64((y / 2).rounded(.down)))
        guard ((row % 8) + 8) % 8 < 4 else { return 0 }
        var random = Random(UInt64(bitPattern: column &* 7919 &+ row))
        return random.next() % 12 == 0 ? 1 : 0
    }

    /// Black print has a twentieth of the noise of the paper, by which a tile's differences are judged. Its squared
    /// error was 19 times that of the reference before each pixel's own noise decided, and is 1.7 times that now.
    @Test func blackPrintStaysBlack() throws {
        var burst = SyntheticBurst(320, 320)
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: 1e-3, read: 6e-6), count: 3)
        burst.scene = Self.print
        let fusion = BurstFusion(FusionOptions(reference: 0))
        let reference = burst.frame(seed: 0)
        for index in 0..<8 {
            let distance = Double(index)
            let codes =
                index == 0
                ? reference : burst.frame(right: 2.3 * distance, down: 1.6 * distance, seed: UInt64(index))
            try fusion.add(codes.span, format: burst.format, metadata: burst.metadata)
        }
        let mosaic = try fusion.finish().mosaic
        let (own, frame) = (blackError(mosaic.codes, burst, unit: 16), blackError(reference, burst, unit: 1))
        #expect(own < 2.5 * frame, "\(own / frame)")
    }

    /// Noise of the reference passes the limits so rarely that smooth areas have no dots.
    @Test func smoothAreasHaveNoDots() throws {
        var burst = SyntheticBurst(512, 512)
        burst.metadata.noise = Array(repeating: NoiseProfile(shot: 1e-3, read: 6e-6), count: 3)
        burst.scene = { _, _ in 0.02 }
        let fusion = BurstFusion(FusionOptions(spatialDenoise: 1, reference: 0))
        for index in 0..<8 {
            let codes = burst.frame(seed: UInt64(index))
            try fusion.add(codes.span, format: burst.format, metadata: burst.metadata)
        }
        let mosaic = try fusion.finish().mosaic
        let level = burst.metadata.blackLevel[0] + 0.02 * (burst.metadata.whiteLevel - burst.metadata.blackLevel[0])
        let errors = (0..<448 * 448).map { index in
            abs(Double(mosaic.codes[(32 + index / 448) * 512 + 32 + index % 448]) / 16 - level)
        }
        let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        let dots = errors.count { $0 > 6 * deviation }
        #expect(dots < 10, "\(dots) dots")
    }

    /// Returns the mean squared error of the blackest pixels, in squared codes of the frames.
    private func blackError(_ codes: [UInt16], _ burst: SyntheticBurst, unit: Double) -> Double {
        let (black, range) = (burst.metadata.blackLevel[0], burst.metadata.whiteLevel - burst.metadata.blackLevel[0])
        var (sum, count) = (0.0, 0.0)
        for row in 24..<296 {
            for column in 24..<296 {
                let signal = Self.print(Double(column), Double(row))
                guard signal < 0.06 else { continue }
                let error = Double(codes[row * burst.format.stride + column]) / unit - black - signal * range
                sum += error * error
                count += 1
            }
        }
        return sum / count
    }
}

/// Tests that the builds of the kernels that limit the distance from the reference return the same, correct numbers.
@Suite(.enabled(if: hasWideVectors)) struct ReferenceLimitKernelTests {
    private let count = 21
    private var stride: Int { 2 * count }
    /// The reference's codes: two rows.
    private var reference: [UInt16] { (0..<2 * stride).map { UInt16(1000 + ($0 * 37) % 500) } }

    @Test func energiesAlike() {
        let merged = reference.enumerated().map { UInt16(Int($0.element) * 16 + $0.offset % 90 - 45) }
        let kernels = unsafe [
            KernelsBaseline.referenceEnergies, KernelsV3.referenceEnergies,
            hasWidestVectors ? KernelsV4.referenceEnergies : KernelsV3.referenceEnergies,
        ]
        let results = unsafe kernels.map { referenceEnergies in
            var energies = [Float](repeating: 0, count: count)
            var variances = energies
            unsafe referenceEnergies(
                merged, stride, reference, stride, count, 16, SIMD4(4096, 4096, 4096, 4096), SIMD4(1, 2, 3, 4),
                SIMD4(100, 200, 300, 400), &energies, &variances)
            return (energies, variances)
        }
        for result in results {
            for quad in 0..<count {
                var (expected, variance): (Float, Float) = (0, 0)
                for (position, place) in [2 * quad, 2 * quad + 1, stride + 2 * quad, stride + 2 * quad + 1].enumerated()
                {
                    let difference = Float(merged[place]) - 16 * Float(reference[place])
                    let factor = Float(position + 1)
                    let own = factor * (Float(merged[place]) - 4096) + 100 * factor
                    expected += difference * difference / own
                    variance += own
                }
                #expect(abs(result.0[quad] - expected) < 1e-5 * expected + 1e-6)
                #expect(abs(result.1[quad] - variance) < 1e-5 * variance)
            }
        }
    }

    /// Of quads with a large energy, or with much energy around them, a quarter of the difference remains; others do
    /// not change. The lower limits apply where the variance around is larger.
    @Test func whatExceedsALimitApproaches() {
        let merged = reference.map { $0 * 16 + 64 }
        var energies = [Float](repeating: 3, count: 3 * (count + 2))
        // Quad 5 by its own energy, quads 11 to 13 by that of the 3×3 quads, to which the row above belongs.
        energies[count + 2 + 6] = 30
        energies[13] = 62
        // Quad 17 would exceed the lower limits, which do not apply to it.
        energies[count + 2 + 18] = 30
        var variances = [Float](repeating: 1, count: energies.count)
        for column in 0..<16 { variances[column] = 4 }
        let kernels = unsafe [
            KernelsBaseline.approachReference, KernelsV3.approachReference,
            hasWidestVectors ? KernelsV4.approachReference : KernelsV3.approachReference,
        ]
        let results = unsafe kernels.map { approachReference in
            var result = merged
            unsafe approachReference(
                &result, stride, reference, stride, count, 16, energies, variances, count + 2, [60, 95, 17, 61])
            return result
        }
        for result in results {
            for place in result.indices {
                let remains = [5, 11, 12, 13].contains(place % stride / 2) ? 16 : 64
                #expect(Int(result[place]) == 16 * Int(reference[place]) + remains)
            }
        }
    }
}
