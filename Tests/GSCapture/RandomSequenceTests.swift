import Foundation
import RandomSequences
import TestClocks
import Testing

/// Random sequences of calls, after each of which the contract is checked. GSCAP_SEED=N runs the sequence of one seed.
@Suite struct RandomSequenceTests {
    /// Several sequences run at once, because a sequence mostly waits for frames.
    @Test(.timeLimit(.minutes(SequenceSeeds.minutes))) func everySequenceKeepsTheContract() async {
        let width = 2 * ProcessInfo.processInfo.activeProcessorCount
        await SequenceSeeds.carryOut(width: width) { await Self.carryOut($0) }
    }

    private static func carryOut(_ seed: UInt64) async {
        let run = SequenceRun(seed: seed)
        let hasEnded = await ends(within: .seconds(300)) { await run.carryOut() }
        if !hasEnded {
            Issue.record("the sequence did not end; GSCAP_SEED=\(seed) \(await run.report)")
        } else if await !run.violations.isEmpty {
            Issue.record("GSCAP_SEED=\(seed) \(await run.report)")
        }
    }
}
