import FrameStream
import GscapElements
import RandomSequences
import Testing

/// The shutter's selection of frames, tested without GStreamer. Times are in milliseconds.
@Suite struct CaptureRequestTests {
    /// Frames 100 ms apart, with exposures of 20 ms: the instant of frame n is 100 n + 10 ms.
    private func ring(_ numbers: Range<Int>, iso: Double = 100) -> [FrameSummary] {
        numbers.map {
            FrameSummary(number: UInt64($0), start: Int64($0) * 100_000_000, exposureTime: 0.02, iso: iso)
        }
    }

    /// The timing of such frames, which arrive 100 ms after their exposure began.
    private var timing: FrameTiming {
        var timing = FrameTiming(nominalPeriod: 100_000_000)
        for frame in ring(0..<4) { timing.add(instant: frame.instant, arrival: frame.start + 100_000_000) }
        return timing
    }

    private func request(_ frames: Int, at time: Double?, _ change: (inout CaptureRequest) -> Void = { _ in })
        -> CaptureRequest
    {
        var request = CaptureRequest(id: 1, frames: frames, instant: time.map { Int64($0 * 1e6) })
        change(&request)
        return request
    }

    /// Returns the numbers of the selected frames.
    private func numbers(
        _ request: CaptureRequest, _ ring: [FrameSummary], after last: UInt64? = nil, isFinal: Bool = false
    ) -> [UInt64]? {
        let circumstances = CaptureRequest.Circumstances(timing: timing, lastReference: last, isFinal: isFinal)
        guard case .frames(let indices) = request.selection(from: ring, circumstances) else { return nil }
        return indices.map { ring[$0].number }
    }

    /// A seek restarts the running time, so that a press just after it lies near the first frames.
    @Test func aPressFollowsTheBaseTime() {
        var moved = request(1, at: 20_010)
        moved.rebase(to: 5_000_000_000)
        #expect(moved.instant == 20_010_000_000)
        moved.rebase(to: 25_000_000_000)
        #expect(moved.instant == 10_000_000 && moved.press == 10_000_000)
        #expect(numbers(moved, ring(0..<2)) == [0])
        moved.rebase(to: UInt64.max)
        moved.rebase(to: 0)
        var timing = timing
        timing.forgetDelays()
        #expect(timing.delay == 0 && timing.period == 100_000_000)
    }

    @Test func timingIsMeasured() {
        #expect(timing.period == 100_000_000)
        #expect(timing.delay == 90_000_000)
        #expect(timing.tolerance == 290_000_000)
    }

    @Test func oneFrameIsTheNewestAtOnce() {
        #expect(numbers(request(1, at: 609), ring(0..<6)) == [5])
        #expect(numbers(request(1, at: 520), ring(0..<6)) == [5])
    }

    @Test func aBurstWaitsForANearerFrame() {
        // Frame 5 is at 510 ms and the next one is expected at 610 ms.
        #expect(numbers(request(3, at: 550), ring(0..<6)) == [5, 3, 4])
        #expect(numbers(request(3, at: 570), ring(0..<6)) == nil)
        #expect(numbers(request(3, at: 570), ring(0..<7)) == [6, 4, 5])
        #expect(numbers(request(3, at: 570), ring(0..<6), isFinal: true) == [5, 3, 4])
    }

    /// The fault that made one photo in five show the scene of 350 ms before the press: the oldest frames of the ring
    /// were chosen. The fault after that: the frames came in the order of their distance from the press.
    @Test func theOthersAreTheNearestInOrderOfTime() {
        #expect(numbers(request(5, at: 312), ring(0..<12)) == [3, 1, 2, 4, 5])
        #expect(numbers(request(4, at: 1105), ring(0..<12)) == [11, 8, 9, 10])
    }

    /// The fault: a camera with a long delivery delay gave the newest frame that had arrived, of three frames earlier.
    @Test func oneFrameWaitsForThoseOnTheirWay() {
        let late = request(1, at: 850) { $0.tolerance = 1_000_000_000 }
        #expect(numbers(late, ring(0..<6)) == nil)
        #expect(numbers(late, ring(0..<8)) == nil)
        #expect(numbers(late, ring(0..<9)) == [8])
        #expect(numbers(late, ring(0..<6), isFinal: true) == [5])
    }

    @Test func waitsUntilAllFramesAreThere() {
        #expect(numbers(request(4, at: 212), ring(0..<3)) == nil)
        #expect(numbers(request(4, at: 212), ring(0..<4)) == [2, 0, 1, 3])
    }

    @Test func twoPressesOverAPeriodApartShareNoReference() {
        #expect(numbers(request(1, at: 609), ring(0..<6), after: 5) == nil)
        #expect(numbers(request(1, at: 609), ring(0..<7), after: 5) == [6])
        #expect(numbers(request(2, at: 609), ring(0..<7), after: 5) == [6, 5])
    }

    @Test func aFrameTooFarFromThePressIsMissed() {
        let stalled = ring(0..<3) + ring(9..<10)
        guard case .missed(let reason) = request(1, at: 560).selection(from: stalled, .init(timing: timing)) else {
            Issue.record("the photo is of the wrong moment")
            return
        }
        #expect(reason.contains("350 ms before the press") || reason.contains("350 ms after the press"), "\(reason)")
        #expect(numbers(request(1, at: 560) { $0.tolerance = 400_000_000 }, stalled) != nil)
    }

    @Test func aStalledCameraMakesThePressWait() {
        #expect(numbers(request(1, at: 700), ring(0..<3)) == nil)
        #expect(numbers(request(1, at: 700), ring(0..<3) + ring(7..<8)) == [7])
    }

    @Test func framesFromBeforeThePressCanBeLeftOut() {
        let late = request(2, at: 550) { $0.usesPast = false }
        #expect(numbers(late, ring(0..<7)) == nil)
        #expect(numbers(late, ring(0..<8)) == [6, 7])
    }

    /// The fault: a press while the first frame was on its way got that frame, although it was from before the press.
    @Test func framesFromBeforeAPressBeforeTheFirstFrameCanBeLeftOut() {
        let early = request(1, at: nil) {
            $0.press = 50_000_000
            $0.usesPast = false
        }
        #expect(numbers(early, ring(0..<1)) == nil)
        #expect(numbers(early, ring(0..<2)) == [1])
    }

    @Test func theReferencesExposureIsTheBursts() {
        #expect(numbers(request(3, at: 312), ring(0..<4) + ring(4..<7, iso: 800)) == [3, 1, 2])
    }

    @Test func aFrameCountsOnce() {
        #expect(numbers(request(3, at: 112), ring(0..<2) + ring(1..<2)) == nil)
    }

    @Test func beforeTheFirstFrameAPressMeansTheFirstFrame() {
        #expect(numbers(request(1, at: nil), ring(7..<8)) == [7])
    }

    /// Random instants and bursts: the lag of the reference is within its bounds.
    @Test(arguments: 0..<200 as Range<UInt64>) func lagIsBounded(seed: UInt64) {
        var random = SeededRandom(seed)
        let frames = Int.random(in: 1...12, using: &random)
        let time = Double.random(in: 1300...2500, using: &random)
        let request = request(frames, at: time)
        // Frames arrive 100 ms after their exposure began; the ring holds the last twelve.
        for newest in stride(from: Int((time - 100) / 100), to: 60, by: 1) {
            let ring = ring(newest - 11..<newest + 1)
            guard let numbers = numbers(request, ring) else { continue }
            let lag = time - (Double(numbers[0]) * 100 + 10)
            if frames == 1 { #expect(lag >= 0 && lag <= 100) } else { #expect(abs(lag) <= 50.001) }
            #expect(Set(numbers).count == frames)
            return
        }
        Issue.record("the capture never got its frames")
    }
}
