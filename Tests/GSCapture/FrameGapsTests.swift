import Testing
import Waiting

@testable import GSCapture

/// When a camera counts as one that delivers no frames.
struct FrameGapsTests {
    private let start = WaitClock.Instant(nanoseconds: 1_000_000_000)

    @Test func aCameraWithoutFramesIsInterruptedUntilTheNext() {
        var gaps = FrameGaps(limit: 10, count: 0, at: start)
        #expect(gaps.look(count: 0, lastWork: nil, at: start + .seconds(9)) == nil)
        #expect(gaps.look(count: 0, lastWork: nil, at: start + .seconds(11)) == .interrupted)
        #expect(gaps.look(count: 0, lastWork: nil, at: start + .seconds(12)) == nil)
        #expect(gaps.look(count: 1, lastWork: nil, at: start + .seconds(13)) == .resumed)
        #expect(gaps.look(count: 1, lastWork: nil, at: start + .seconds(22)) == nil)
        #expect(gaps.look(count: 1, lastWork: nil, at: start + .seconds(24)) == .interrupted)
    }

    /// The fault: a simulated camera of 12 megapixels on a busy machine ended the first command.
    @Test func aCameraThatStillComputesIsLate() {
        var gaps = FrameGaps(limit: 10, count: 0, at: start)
        for second in 1...60 {
            let now = start + .seconds(second)
            #expect(gaps.look(count: 0, lastWork: now, at: now) == nil, "after \(second) s")
        }
        #expect(gaps.look(count: 0, lastWork: start + .seconds(60), at: start + .seconds(69)) == nil)
        #expect(gaps.look(count: 0, lastWork: start + .seconds(60), at: start + .seconds(71)) == .interrupted)
    }

    @Test func longExposuresAreNoGap() {
        var gaps = FrameGaps(limit: 10, count: 0, at: start)
        #expect(gaps.look(count: 1, lastWork: nil, at: start + .seconds(8)) == nil)
        #expect(gaps.look(count: 1, lastWork: nil, at: start + .seconds(30)) == nil, "three times the last one")
        #expect(gaps.look(count: 1, lastWork: nil, at: start + .seconds(33)) == .interrupted)
    }
}
