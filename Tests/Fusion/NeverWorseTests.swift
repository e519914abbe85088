import BurstScenes
import Fusion
import RandomSequences
import RawImage
import Testing

/// Tests that no block of a fused photo is worse than the reference frame, whatever the burst.
@Suite struct NeverWorseTests {
    /// The largest accepted ratio of a block's mean squared error to the reference frame's: 1 dB.
    private static let bar = 1.26
    /// The variance of rounding to whole codes, in squared codes: in clipped areas the reference frame has no other
    /// error.
    private static let rounding = 1.0 / 12

    @Test(arguments: TestExtent.cases(0..<200, every: 5))
    func noBlockIsWorseThanInTheReference(_ seed: Int) throws { try check(RandomBurst(seed: seed), .balanced) }

    @Test(arguments: TestExtent.cases(0..<60, every: 5), [FusionMode.speed, .quality])
    func noBlockIsWorseInOtherModes(_ seed: Int, _ mode: FusionMode) throws {
        try check(RandomBurst(seed: seed), mode)
    }

    private func check(_ burst: RandomBurst, _ mode: FusionMode) throws {
        let fused = try FusedBurst(burst, mode: mode)
        let report = fused.report
        let photoErrors = BlockErrors(fused.photo, truth: fused.truth, width: burst.width, height: burst.height)
        let referenceErrors = BlockErrors(fused.reference, truth: fused.truth, width: burst.width, height: burst.height)
        let ratios = zip(photoErrors.values, referenceErrors.values).map { $0 / max($1, Self.rounding) }
        let worst = try #require(ratios.indices.max { ratios[$0] < ratios[$1] })
        #expect(
            ratios[worst] <= Self.bar,
            """
            block \(worst / photoErrors.columns), \(worst % photoErrors.columns) (row, column) has \(ratios[worst]) \
            times the reference's error \(referenceErrors.values[worst]), and \(ratios.count { $0 > Self.bar }) of \
            \(ratios.count) blocks are worse; \(burst); \
            merged \(report.frames.map { $0.rejection ?? "\($0.mergedShare)" }) with \(report.reference)
            """)
    }
}
