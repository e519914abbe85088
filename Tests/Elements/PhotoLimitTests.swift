import Dispatch
import GscapElements
import Testing

/// The time limit on the photos of a capture whose frames are taken.
struct PhotoLimitTests {
    /// The limit on photos that are not finished begins again with each step, so that a slow machine may be slow.
    @Test func stepsOfACaptureAreRemembered() throws {
        let id: UInt64 = 1 << 60
        #expect(CaptureOutcomes.lastReport(of: id) == nil)
        CaptureOutcomes.open(id)
        defer { CaptureOutcomes.close(id, interruption: nil) }
        let opened = try #require(CaptureOutcomes.lastReport(of: id))
        var posted: DispatchTime?
        CaptureOutcomes.recordPhoto(of: id) { posted = .now() }
        let reported = try #require(CaptureOutcomes.lastReport(of: id))
        #expect(reported > opened && reported <= posted ?? opened)
    }
}
