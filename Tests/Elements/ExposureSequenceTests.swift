import Foundation
import FrameStream
import GscapElements
import RandomSequences
import Testing

/// The sequence of requests for a capture's exposures, on a model of a sensor, without GStreamer.
@Suite struct ExposureSequenceTests {
    /// A sensor that applies requests after a delay, in steps of a third of a per cent, and loses frames.
    private struct ModelSensor {
        var random: SeededRandom
        let drop: Double
        private var upcoming: [Double]
        private var number: UInt64 = 0

        init(delay: Int, drop: Double, seed: UInt64, exposureTime: Double) {
            random = SeededRandom(seed)
            self.drop = drop
            upcoming = Array(repeating: exposureTime, count: max(1, delay))
        }

        /// Requests an exposure time during the current frame.
        mutating func request(_ time: Double) { upcoming[upcoming.count - 1] = Self.quantised(time) }

        private static func quantised(_ time: Double) -> Double {
            let step = log(1 + 1.0 / 300)
            return exp((log(time) / step).rounded() * step)
        }

        /// Returns the next frame that is not lost.
        mutating func next() -> FrameSummary {
            while true {
                let time = upcoming.removeFirst()
                upcoming.append(upcoming.last ?? time)
                number += 1
                if Double.random(in: 0..<1, using: &random) < drop { continue }
                return FrameSummary(number: number, start: Int64(number) * 10_000_000, exposureTime: time, iso: 100)
            }
        }
    }

    /// Takes a bracket; returns the frames of each exposure, and the number of frames that arrived meanwhile.
    private func take(
        _ times: [Double], frames: Int, _ sensor: inout ModelSensor
    ) -> (owned: [[FrameSummary]], seen: Int) {
        let newest = sensor.next()
        var sequence = ExposureSequence(
            steps: times.map { ExposureSequence.Step(exposureTime: $0, iso: 100) }, frames: frames, newest: newest)
        if let step = sequence.begin() { sensor.request(times[step]) }
        var owned = [[FrameSummary]](repeating: [], count: times.count)
        for seen in 1..<2000 {
            let frame = sensor.next()
            let (owner, next) = sequence.take(frame)
            if let owner { owned[owner].append(frame) }
            if let next { sensor.request(times[next]) }
            if sequence.isComplete || sequence.failed != nil { return (owned, seen) }
        }
        return (owned, 2000)
    }

    /// Requested = recorded in 1,000 frames: 100 brackets of five exposures with two frames each.
    @Test(arguments: 0...6, [1, 2, 3, 4] as [UInt64])
    func everyFrameHasItsRequestedExposure(delay: Int, seed: UInt64) {
        var sensor = ModelSensor(delay: delay, drop: seed == 1 ? 0 : 0.3, seed: seed, exposureTime: 0.01)
        var recorded = 0
        var numbers: Set<UInt64> = []
        for round in 0..<100 {
            // Equal exposures, and the current one, are among them.
            let times = [0.0025, 0.01, round.isMultiple(of: 2) ? 0.04 : 0.0025, 0.02, 0.005]
            let (owned, _) = take(times, frames: 2, &sensor)
            for (time, frames) in zip(times, owned) {
                #expect(frames.count == 2)
                recorded += frames.filter { abs($0.exposureTime - time) <= 0.01 * time }.count
                numbers.formUnion(frames.map(\.number))
            }
        }
        #expect(recorded == 1000)
        #expect(numbers.count == 1000, "a frame belongs to one exposure only")
    }

    /// Exposures are requested without waiting: a bracket of three takes the delay and three frames.
    @Test(arguments: 0...6) func aBracketIsPipelined(delay: Int) {
        var sensor = ModelSensor(delay: delay, drop: 0, seed: 1, exposureTime: 0.01)
        let (owned, seen) = take([0.0025, 0.04, 0.02], frames: 1, &sensor)
        #expect(owned.map(\.count) == [1, 1, 1])
        #expect(seen <= delay + 3)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func mostFramesMayBeLost(seed: UInt64) {
        var sensor = ModelSensor(delay: 3, drop: 0.9, seed: seed, exposureTime: 0.01)
        #expect(take([0.0025, 0.04, 0.02], frames: 2, &sensor).owned.map(\.count) == [2, 2, 2])
    }

    @Test func framesFromBeforeTheRequestDoNotCount() {
        let old = FrameSummary(number: 1, start: 0, exposureTime: 0.02, iso: 100)
        var sequence = ExposureSequence(
            steps: [.init(exposureTime: 0.01), .init(exposureTime: 0.02)], frames: 2, newest: old)
        #expect(sequence.begin() == 0)
        // The second exposure is not requested before the first was held for two frames.
        #expect(sequence.take(old).owner == nil)
        #expect(sequence.take(old).request == 1)
        #expect(sequence.take(old).owner == 1)
        #expect(sequence.completed == 0)
    }

    @Test func aSensorThatDoesNotObeyFails() {
        let frame = FrameSummary(number: 1, start: 0, exposureTime: 0.01, iso: 100)
        var sequence = ExposureSequence(
            steps: [.init(exposureTime: 0.5), .init(exposureTime: 0.01)], frames: 1, newest: frame)
        _ = sequence.begin()
        var count = 0
        while sequence.failed == nil, count < 5000 {
            _ = sequence.take(frame)
            count += 1
        }
        #expect(sequence.failed == 0)
        #expect(count < 1000)
        #expect(!sequence.isComplete)
    }

    /// A sensor whose range ends below the second exposure is not asked for it again and again.
    @Test(arguments: 0...6, [1, 2, 3] as [UInt64]) func aSensorAtTheEndOfItsRangeFailsSoon(delay: Int, seed: UInt64) {
        var sensor = ModelSensor(delay: delay, drop: 0.3, seed: seed, exposureTime: 0.01)
        var sequence = ExposureSequence(
            steps: [.init(exposureTime: 0.02), .init(exposureTime: 600)], frames: 1, newest: sensor.next())
        if sequence.begin() == 0 { sensor.request(0.02) }
        var count = 0
        while sequence.failed == nil, count < 5000 {
            count += 1
            if let step = sequence.take(sensor.next()).request { sensor.request(step == 0 ? 0.02 : 0.5) }
        }
        #expect(sequence.failed == 1)
        #expect(count < 60, "two waits for at most the longest delay, and the exposures themselves")
    }

    @Test func framesWithoutTheFlashDoNotCount() {
        var frame = FrameSummary(number: 1, start: 0, exposureTime: 0.01, iso: 100)
        var sequence = ExposureSequence(steps: [.init(flashFired: true)], frames: 1, newest: frame)
        _ = sequence.begin()
        #expect(sequence.take(frame).owner == nil)
        frame.flashFired = false
        #expect(sequence.take(frame).owner == nil)
        frame.flashFired = true
        #expect(sequence.take(frame).owner == 0)
        #expect(sequence.isComplete)
    }

    @Test func aBiasIsRelativeToTheCamerasExposure() throws {
        let camera = CaptureExposure(exposureTime: 0.01, iso: 400)
        let bias = try #require(CaptureExposure(bias: 1).resolved(from: camera))
        #expect(bias == CaptureExposure(exposureTime: 0.02, iso: 400))
        let time = try #require(CaptureExposure(iso: 100, bias: 0).resolved(from: camera))
        #expect(abs((time.exposureTime ?? 0) - 0.04) < 1e-9)
        let speed = try #require(CaptureExposure(exposureTime: 0.04, bias: 0).resolved(from: camera))
        #expect(abs((speed.iso ?? 0) - 100) < 1e-9)
        #expect(CaptureExposure(bias: 1).resolved(from: CaptureExposure()) == nil)
        #expect(CaptureExposure(iso: 800).resolved(from: CaptureExposure()) == CaptureExposure(iso: 800))
    }
}
