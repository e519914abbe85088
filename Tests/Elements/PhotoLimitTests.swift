import GscapElements
import TestClocks
import Testing
import Waiting

/// The time limit on the photos of a capture whose frames are taken.
struct PhotoLimitTests {
    /// The limit on photos that are not finished begins again with each step, so that a slow machine may be slow.
    @Test func stepsOfACaptureAreRemembered() async throws {
        let (id, manual): (UInt64, _) = (1 << 60, ManualClock())
        #expect(CaptureOutcomes.lastReport(of: id) == nil)
        CaptureOutcomes.open(id, manual.clock)
        defer { CaptureOutcomes.close(id, interruption: nil) }
        #expect(CaptureOutcomes.lastReport(of: id) == manual.now)
        await manual.advance(by: .seconds(5))
        CaptureOutcomes.recordPhoto(of: id)
        #expect(CaptureOutcomes.lastReport(of: id) == manual.now)
    }
}
