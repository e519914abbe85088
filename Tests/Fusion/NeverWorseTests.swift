import Fusion
import RawImage
import Testing

/// Whatever a burst is like, no part of its photo is worse than the frame that the others were merged with.
@Suite struct NeverWorseTests {
    /// 1 dB.
    private static let bar = 1.26
    /// What rounding to whole codes alone makes: where light clips, the reference has no error at all.
    private static let rounding = 1.0 / 12

    @Test(arguments: 0..<200)
    func noBlockIsWorseThanInTheReference(_ seed: Int) throws { try check(RandomBurst(seed: seed), .balanced) }

    @Test(arguments: 0..<60, [FusionOptions.Mode.speed, .quality])
    func norIsItInOtherModes(_ seed: Int, _ mode: FusionOptions.Mode) throws {
        try check(RandomBurst(seed: seed), mode)
    }

    private func check(_ burst: RandomBurst, _ mode: FusionOptions.Mode) throws {
        let fused = try FusedBurst(burst, mode: mode)
        let report = fused.report
        let ours = BlockErrors(fused.photo, truth: fused.truth, width: burst.width, height: burst.height)
        let its = BlockErrors(fused.reference, truth: fused.truth, width: burst.width, height: burst.height)
        let ratios = zip(ours.values, its.values).map { $0 / max($1, Self.rounding) }
        let worst = try #require(ratios.indices.max { ratios[$0] < ratios[$1] })
        #expect(
            ratios[worst] <= Self.bar,
            """
            block \(worst / ours.columns), \(worst % ours.columns) (row, column) has \(ratios[worst]) times the \
            reference's error \(its.values[worst]), and \(ratios.count { $0 > Self.bar }) of \(ratios.count) blocks are \
            worse; \(burst); \
            merged \(report.frames.map { $0.rejection ?? "\($0.mergedShare)" }) with \(report.reference)
            """)
    }
}
