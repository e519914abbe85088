import BurstScenes
import Fusion
import RawImage
import Testing

/// `BurstFusion.fuse(alone:)`, which reads and writes a single frame in one pass, gives what a burst of that frame
/// gives.
@Suite(.timeLimit(.minutes(10))) struct FrameAloneTests {
    private func merged(
        _ frame: [UInt16], _ burst: SyntheticBurst, cores: Int? = nil
    ) throws -> (mosaic: Mosaic, report: FusionReport) {
        let fusion = BurstFusion(cores: cores)
        try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
        return try fusion.finish()
    }

    /// Expects the same codes, metadata and report from both ways, except for the times.
    private func expectSame(_ frame: [UInt16], _ burst: SyntheticBurst, cores: Int? = nil) throws -> FusionReport {
        let expected = try merged(frame, burst, cores: cores)
        let alone = try BurstFusion.fuse(
            alone: frame.span, format: burst.format, metadata: burst.metadata, cores: cores)
        #expect(alone.mosaic.codes == expected.mosaic.codes)
        #expect(alone.mosaic.format == expected.mosaic.format)
        var (metadata, other) = (alone.mosaic.metadata, expected.mosaic.metadata)
        #expect(metadata.fusion?.repairedPixels == other.fusion?.repairedPixels)
        (metadata.fusion, other.fusion) = (nil, nil)
        #expect(metadata == other)
        #expect(alone.report.frames == expected.report.frames && alone.report.reference == 0)
        #expect(alone.report.repairedPixels == expected.report.repairedPixels)
        #expect(alone.report.measuredNoiseGain == expected.report.measuredNoiseGain)
        #expect(alone.report.effectiveFrames == expected.report.effectiveFrames)
        return alone.report
    }

    @Test(arguments: BayerPattern.allCases, [8, 12, 16])
    func framesAreAsInABurst(_ pattern: BayerPattern, _ depth: Int) throws {
        let burst = SyntheticBurst(175, 158, pattern: pattern, bitDepth: depth, stride: 180)
        let frame = burst.frame(seed: 7)
        for cores in [1, nil] { _ = try expectSame(frame, burst, cores: cores) }
    }

    /// Denoising reduces the noise of a frame alone, if that is requested.
    @Test func aFrameAloneIsDenoised() throws {
        var burst = SyntheticBurst(256, 192)
        burst.scene = { x, y in 0.1 + 0.0002 * x }
        let frame = burst.frame(seed: 4)
        func noise(_ denoising: Double) throws -> Double {
            var options = FusionOptions(spatialDenoise: denoising)
            options.denoisesFrameAlone = true
            let alone = try BurstFusion.fuse(
                alone: frame.span, format: burst.format, metadata: burst.metadata, options)
            let fusion = BurstFusion(options)
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata)
            #expect(try fusion.finish().mosaic.codes == alone.mosaic.codes)
            #expect(alone.report.denoising == denoising || denoising == 0)
            let range = burst.metadata.whiteLevel - burst.metadata.blackLevel[0]
            let errors = alone.mosaic.codes.enumerated().map { index, code in
                let truth = burst.metadata.blackLevel[0] + range * burst.scene(Double(index % 256), 0)
                return (Double(code) / 16 - truth) * (Double(code) / 16 - truth)
            }
            return errors.reduce(0, +) / Double(errors.count)
        }
        let (noisy, clean) = (try noise(0), try noise(1))
        #expect(clean < 0.4 * noisy, "\(clean / noisy)")
    }

    @Test func hotPixelsAreRepairedAsInABurst() throws {
        let burst = SyntheticBurst(256, 192, stride: 260)
        var frame = burst.frame(seed: 3)
        // Two pixels of one colour beside each other, so that the second repair reads the first, and single ones, one
        // of them between neighbours whose sum is odd.
        for (row, column) in [(20, 30), (20, 34), (91, 7), (130, 201), (188, 250)] { frame[row * 260 + column] = 4000 }
        frame[91 * 260 + 5] |= 1
        frame[91 * 260 + 9] &= ~1
        let report = try expectSame(frame, burst)
        #expect(report.repairedPixels > 0)
    }

    @Test(arguments: [(2, 2), (3, 5), (4, 64), (64, 4), (5, 5)])
    func smallFramesAreAsInABurst(_ width: Int, _ height: Int) throws {
        let burst = SyntheticBurst(width, height)
        _ = try expectSame(burst.frame(seed: 1), burst)
    }

    @Test func anotherReferenceThanTheOnlyFrameIsAnError() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame(seed: 1)
        #expect(throws: FusionError.self) {
            try BurstFusion.fuse(
                alone: frame.span, format: burst.format, metadata: burst.metadata, FusionOptions(reference: 1))
        }
        #expect(throws: FusionError.self) {
            try BurstFusion.fuse(
                alone: frame.span, format: burst.format, metadata: burst.metadata, FusionOptions(strength: 9))
        }
    }

    @Test func invalidFramesAndCancellationAreErrors() throws {
        let burst = SyntheticBurst(64, 48)
        let frame = burst.frame(seed: 1)
        #expect(throws: FusionError.self) {
            try BurstFusion.fuse(
                alone: frame.span.extracting(first: 100), format: burst.format, metadata: burst.metadata)
        }
        #expect(throws: FusionError.self) {
            try BurstFusion.fuse(alone: frame.span, format: burst.format, metadata: burst.metadata) { true }
        }
    }
}
