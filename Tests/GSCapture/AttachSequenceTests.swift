import Foundation
import RandomSequences
import TestClocks
import Testing

/// Random sequences of calls of attached outputs. GSCAP_SEED=N runs the sequence of one seed.
@Suite struct AttachSequenceTests {
    /// Each sequence has two cameras, so a third of the seeds keeps the test short.
    @Test(.timeLimit(.minutes(SequenceSeeds.minutes))) func everySequenceKeepsTheContract() async {
        let all = SequenceSeeds.ofLiveCameras
        let seeds = all.count == 1 ? all : all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let width = ProcessInfo.processInfo.activeProcessorCount
        await SequenceSeeds.carryOut(seeds, width: width) { await Self.carryOut($0) }
    }

    private static func carryOut(_ seed: UInt64) async {
        let run = AttachSequence(seed: seed)
        let hasEnded = await ends(within: .seconds(300)) { await run.carryOut() }
        if !hasEnded {
            Issue.record("the sequence did not end; GSCAP_SEED=\(seed) \(await run.report)")
        } else if await !run.violations.isEmpty {
            Issue.record("GSCAP_SEED=\(seed) \(await run.report)")
        }
    }
}
