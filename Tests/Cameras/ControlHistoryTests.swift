import Testing

@testable import Cameras

/// What frames were taken with.
@Suite struct ControlHistoryTests {
    /// A camera whose values show after delays, and the history that watches it.
    private struct Camera {
        var history: ControlHistory
        var exposureDelay: Int
        var gainDelay: Int
        var number: UInt64 = 0
        /// The values asked for before each frame, and long before the first one.
        var exposures = [Double](repeating: 1, count: 8)
        var gains = [Double](repeating: 1, count: 8)
        /// The values asked for last.
        var asked = (exposure: 1.0, gain: 1.0)
        var light = 0.02
        var hasGap = false

        init(_ exposureDelay: Int, _ gainDelay: Int, known: (Int?, Int?)) {
            (self.exposureDelay, self.gainDelay) = (exposureDelay, gainDelay)
            history = ControlHistory(
                ControlHistory.Values(exposureTime: 1, gain: 1), exposureDelay: known.0, gainDelay: known.1)
        }

        mutating func set(exposure: Double? = nil, gain: Double? = nil) {
            asked = (exposure ?? asked.exposure, gain ?? asked.gain)
            history.set(ControlHistory.Values(exposureTime: exposure, gain: gain), at: number * 100)
        }

        /// Takes a frame; returns its real values and those stated.
        mutating func frame(isSeen: Bool = true, isLost: Bool = false) -> (
            real: (Double, Double), stated: ControlHistory.Values
        ) {
            exposures.append(asked.exposure)
            gains.append(asked.gain)
            let real = (
                exposures[exposures.count - 1 - exposureDelay], gains[gains.count - 1 - gainDelay]
            )
            defer { number += 1 }
            var frame = ControlHistory.Frame(
                number: number, end: number * 100,
                brightness: isSeen ? RawBrightness(flat: light * real.0 * real.1) : nil)
            if isLost { return (real, ControlHistory.Values()) }
            frame.followsGap = hasGap
            hasGap = false
            return (real, history.values(of: frame))
        }

        /// Loses a frame that the camera does not count, and that nobody notices.
        mutating func skip() {
            exposures.append(asked.exposure)
            gains.append(asked.gain)
        }

        /// Loses a frame that the camera does not count.
        mutating func loseUncounted() {
            exposures.append(asked.exposure)
            gains.append(asked.gain)
            hasGap = true
        }
    }

    @Test(arguments: 0...6)
    func aChangeShowsAfterTheDelay(_ delay: Int) {
        var camera = Camera(delay, delay, known: (nil, nil))
        for _ in 0..<4 { _ = camera.frame() }
        camera.set(exposure: 4)
        let stated = (0..<12).map { _ in camera.frame().stated.exposureTime }
        #expect(stated == (0..<12).map { $0 < delay ? 1.0 : 4 })
    }

    @Test func withoutEvidenceFramesThatMayHaveEitherValueStateNone() {
        var camera = Camera(2, 2, known: (2, 2))
        for _ in 0..<4 { _ = camera.frame(isSeen: false) }
        camera.set(exposure: 2)
        let stated = (0..<12).map { _ in camera.frame(isSeen: false).stated.exposureTime }
        #expect(stated == (0..<12).map { $0 < 7 ? nil : 2 })
    }

    @Test func lostFramesCount() {
        var camera = Camera(3, 3, known: (nil, nil))
        _ = camera.frame()
        for round in 0..<8 {
            camera.set(exposure: round.isMultiple(of: 2) ? 4 : 1)
            for step in 0..<12 {
                if step == 1 { _ = camera.frame(isLost: true) }
                let (real, stated) = camera.frame()
                #expect(stated.exposureTime == real.0)
            }
        }
    }

    @Test func uncountedLossesContradictNoFrame() {
        var camera = Camera(3, 3, known: (3, 3))
        for round in 0..<30 {
            camera.set(exposure: round.isMultiple(of: 2) ? 4 : 1)
            for step in 0..<12 {
                if step == round % 4, round > 10 { camera.loseUncounted() }
                let (real, stated) = camera.frame()
                #expect(stated.exposureTime == nil || stated.exposureTime == real.0)
            }
        }
    }

    @Test(arguments: 0...6)
    func theDelayIsLearnedFromTheBrightness(_ delay: Int) {
        var camera = Camera(delay, delay, known: (nil, nil))
        for round in 0..<4 {
            camera.set(exposure: round.isMultiple(of: 2) ? 4 : 1)
            for _ in 0..<12 {
                let (real, stated) = camera.frame()
                #expect(stated.exposureTime == nil || stated.exposureTime == real.0)
            }
        }
        #expect(camera.history.delays.exposure == delay)
    }

    @Test(arguments: [(2, 4), (3, 0), (6, 1)])
    func aDelayThatIsStatedWronglyContradictsNoFrame(_ stated: Int, _ real: Int) {
        var camera = Camera(real, real, known: (stated, stated))
        _ = camera.frame()
        for round in 0..<6 {
            camera.set(exposure: round.isMultiple(of: 2) ? 4 : 1)
            for _ in 0..<10 {
                let (real, stated) = camera.frame()
                #expect(stated.exposureTime == nil || stated.exposureTime == real.0)
            }
        }
        #expect(camera.history.delays.exposure == real)
    }

    @Test func aDelayThatChangesIsNoticed() {
        var camera = Camera(2, 1, known: (2, 1))
        for round in 0..<40 {
            if round == 10 { (camera.exposureDelay, camera.gainDelay) = (4, 3) }
            camera.set(exposure: round.isMultiple(of: 2) ? 3 : 1)
            for _ in 0..<9 {
                let (real, stated) = camera.frame()
                #expect(stated.exposureTime == nil || stated.exposureTime == real.0)
            }
        }
        #expect(camera.history.delays.exposure == 4)
    }

    /// Brackets of a camera that delivers only some of its frames and does not count the others, so that a change shows
    /// after fewer frames than usual. Each exposure is asked for when a frame states the one before.
    @Test(arguments: 1...4, [[0.4, 1, 2.5], [2, 0.5, 0.3, 1.2]])
    func bracketsContradictNoFrame(_ taken: Int, _ bracket: [Double]) {
        var camera = Camera(2, 2, known: (nil, nil))
        _ = camera.frame()
        var (waiting, complete) = (0, 0)
        for capture in 0..<40 {
            let exposures = bracket + [1]
            var step = 0
            camera.set(exposure: exposures[0])
            while step < exposures.count, waiting < 60 {
                for _ in 1..<(capture > 20 ? taken : 1) { camera.skip() }
                let (real, stated) = camera.frame()
                #expect(stated.exposureTime == nil || stated.exposureTime == real.0, "capture \(capture), step \(step)")
                waiting += 1
                guard stated.exposureTime == exposures[step] else { continue }
                (step, waiting) = (step + 1, 0)
                if step < exposures.count { camera.set(exposure: exposures[step]) }
            }
            complete += step == exposures.count ? 1 : 0
        }
        #expect(complete == 40)
    }

    /// Random requests of both values: no frame states a value that it does not have, and nearly all state one.
    @Test(arguments: 0..<8)
    func randomChangesAreStatedTruly(_ seed: UInt64) {
        var random = Generator(state: seed &* 7919 &+ 1)
        let (exposureDelay, gainDelay) = (Int.random(in: 0...6, using: &random), Int.random(in: 0...6, using: &random))
        var camera = Camera(exposureDelay, gainDelay, known: (nil, nil))
        var silent = 0
        for _ in 0..<500 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                camera.set(
                    exposure: Bool.random(using: &random) ? Double.random(in: 0.2...5, using: &random) : nil,
                    gain: Bool.random(using: &random) ? Double.random(in: 1...8, using: &random) : nil)
            }
            let (real, stated) = camera.frame()
            if stated.isInferred { silent += 1 }
            #expect(stated.exposureTime == nil || (stated.exposureTime == real.0 && stated.gain == real.1))
        }
        // While nothing is known, a few frames state nothing.
        #expect(silent <= 15)
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}

/// Frames that are lost without a gap in the camera's numbers.
@Suite struct FramePaceTests {
    @Test func onlyALongerIntervalThanUsualIsAGap() {
        var pace = FramePace()
        let times: [UInt64] = [0, 100, 205, 300, 390, 500, 710, 810, 1300]
        #expect(times.map { pace.isGap(before: $0) } == [false, false, false, false, false, false, true, false, true])
    }
}
