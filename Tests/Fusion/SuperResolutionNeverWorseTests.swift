import BurstScenes
import Demosaic
import Fusion
import RandomSequences
import RawImage
import Testing

/// Tests that no block of a super-resolved photo is worse than the demosaic of the reference, whatever the burst.
@Suite struct SuperResolutionNeverWorseTests {
    /// The largest accepted ratio of a block's mean squared error to that of the demosaiced reference frame: 1 dB.
    private static let bar = 1.26
    /// The variance of rounding to whole codes of a frame, in squared codes, summed over three colours.
    private static let rounding = 3.0 / 12

    @Test(arguments: TestExtent.cases(0..<60, every: 5))
    func noBlockIsWorseThanInTheReference(_ seed: Int) throws { try check(RandomBurst(seed: seed), nil) }

    /// No block is worse either if super-resolution is requested at a fixed scale, although the shifts may not cover
    /// the cell.
    @Test(arguments: TestExtent.cases(60..<120, every: 5))
    func noBlockIsWorseAtAFixedScale(_ seed: Int) throws { try check(RandomBurst(seed: seed), .one) }

    private func check(_ burst: RandomBurst, _ scale: SuperResolutionScale?) throws {
        let signals = burst.signals()
        let frames = signals.indices.map { burst.codes(signals[$0], noise: UInt64($0)) }
        let options = FusionOptions(spatialDenoise: 1, reference: burst.reference, preparesSuperResolution: true)
        let fusion = BurstFusion(options, cores: 1)
        for (index, frame) in frames.enumerated() {
            try fusion.add(frame.span, format: burst.format, metadata: burst.metadata(index))
        }
        let (photo, report) = try fusion.finishLinearPhoto(scale)
        let reference = try Demosaic.linear(
            Mosaic(
                format: burst.format, metadata: burst.metadata(report.reference), codes: frames[report.reference]))
        let truths = burst.truths(frame: report.reference)
        let (photoErrors, referenceErrors) = (burst.blockErrors(photo, truths), burst.blockErrors(reference, truths))
        let ratios = zip(photoErrors, referenceErrors).map { $0 / max($1, Self.rounding) }
        let worst = try #require(ratios.indices.max { ratios[$0] < ratios[$1] })
        #expect(
            ratios[worst] <= Self.bar,
            """
            block \(worst) has \(ratios[worst]) times the reference's error \(referenceErrors[worst]), and \
            \(ratios.count { $0 > Self.bar }) of \(ratios.count) blocks are worse; \(burst); \
            merged \(report.frames.map { $0.rejection ?? "\($0.mergedShare)" }) with \(report.reference), \
            detail in \(report.superResolvedFraction ?? 0)
            """)
    }
}
