import FrameStream
import Testing
import Waiting

/// When a source reports that it still computes.
@Suite struct WorkReportsTests {
    private let start = WaitClock.Instant(nanoseconds: 1_000_000_000)

    @Test func workIsReportedFourTimesASecond() {
        var frame = WorkReports(at: start, reportsStart: false)
        var scene = WorkReports(at: start, reportsStart: true)
        let (ofFrame, ofScene) = (0..<100).reduce(into: (0, 0)) { sums, step in
            let now = start + .milliseconds(10 * step)
            if frame.isDue(at: now) { sums.0 += 1 }
            if scene.isDue(at: now) { sums.1 += 1 }
        }
        #expect((ofFrame, ofScene) == (3, 4))
    }

    @Test func aLongComputationIsSaidOnce() {
        var reports = WorkReports(at: start, reportsStart: true)
        #expect([1, 9, 11, 12].map { reports.becomesLong(at: start + .seconds($0)) } == [false, false, true, false])
    }

    @Test func aRateThatHasFallenIsSaidOnce() {
        var steady = ComputedPace()
        #expect((0..<100).compactMap { _ in steady.add(0.15, rate: 10) }.isEmpty)
        var slow = ComputedPace()
        #expect((0..<100).compactMap { _ in slow.add(0.5, rate: 10) } == [2])
        var halting = ComputedPace()
        #expect((0..<100).compactMap { halting.add($0 == 50 ? 0.5 : 0.05, rate: 10) }.isEmpty, "one slow frame")
    }
}
