import Demosaic
import Glibc
import RawImage
import Testing

/// Measures the demosaic of X-Trans mosaics against known noise-free scenes, away from the edges.
///
/// The limits lie slightly below the measured quality, in PSNR in dB of the square roots of linear values.
/// Tests/Conformance/judge_xtrans.py compares it with LibRaw on more scenes.
@Suite(.timeLimit(.minutes(10))) struct XTransQualityTests {
    private static let side = 270

    private func quality(_ scene: (Int, Int) -> SIMD3<Double>, _ pattern: XTransPattern) throws -> Double {
        let side = Self.side
        var metadata = FrameMetadata(bitDepth: 16)
        metadata.blackLevel = [512, 512, 512, 512]
        metadata.neutral = SIMD3(0.5, 1, 0.7)
        let range = metadata.whiteLevel - 512
        let codes = (0..<side * side).map { pixel in
            let (row, column) = pixel.quotientAndRemainder(dividingBy: side)
            let plane = pattern.plane(row: row, column: column)
            return UInt16((512 + metadata.neutral[plane] * scene(row, column)[plane] * range).rounded())
        }
        let photo = try XTransDemosaic.linear(
            XTransMosaic(width: side, height: side, pattern: pattern, metadata: metadata, codes: codes))
        var error = 0.0
        for row in 16..<side - 16 {
            for column in 16..<side - 16 {
                let response = SIMD3(
                    (0..<3).map { DemosaicTests.response(photo.values[4 * (row * side + column) + $0]) })
                let light = pointwiseMax(response / metadata.neutral, .zero)
                let difference = light.squareRoot() - scene(row, column).squareRoot()
                error += (difference * difference).sum()
            }
        }
        return -10 * log10(error / Double(3 * (side - 32) * (side - 32)))
    }

    /// A mosaic at any phase, turned or mirrored is interpolated as well.
    @Test(arguments: [(0, false), (8, false), (21, true)]) func ringsAreSharp(_ phase: Int, _ isMirrored: Bool) throws {
        let standard = XTransPattern.standard
        let mirrored = XTransPattern((0..<36).map { standard.planes[$0 / 6 * 6 + 5 - $0 % 6] })
        let pattern = isMirrored ? try #require(mirrored) : standard
        let found = try quality(
            { row, column in
                let (y, x) = (Double(row - Self.side / 2), Double(column - Self.side / 2))
                let ring = 0.5 + 0.45 * cos((x * x + y * y) * .pi / (2.2 * Double(Self.side)))
                return ring * SIMD3(0.8, 1, 0.9)
            }, pattern.shifted(rows: phase / 6, columns: phase % 6))
        #expect(found > 37.5, "\(found) dB")
    }

    /// At borders of unrelated colours, green is not guessed far beyond its neighbours.
    @Test func bordersOfColoursAreClean() throws {
        let found = try quality(
            { row, column in
                let square = row / 9 * 73 + column / 10 * 151
                return SIMD3((0..<3).map { Double((square + $0 * 199) * 37 % 97) / 96 })
            }, .standard)
        #expect(found > 26, "\(found) dB")
    }
}
