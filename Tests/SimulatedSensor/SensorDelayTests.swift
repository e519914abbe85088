internal import SimulatedSensor
internal import Testing

@Suite struct SensorDelayTests {
    private func controls(_ iso: Double) -> SensorControls { SensorControls(iso: iso) }

    @Test func aRequestTakesEffectTwoFramesLater() {
        var delay = SensorDelay(controls(100))
        #expect(delay.beginFrame() == controls(100))
        delay.request(controls(200))
        #expect(delay.beginFrame() == controls(100))
        #expect(delay.beginFrame() == controls(200))
        #expect(delay.beginFrame() == controls(200))
    }

    @Test func requestsOfEachFrameArriveInOrder() {
        var delay = SensorDelay(controls(100))
        var applied: [Double] = []
        for frame in 0..<6 {
            applied.append(delay.beginFrame().iso)
            delay.request(controls(Double(1000 + frame)))
        }
        #expect(applied == [100, 100, 1000, 1001, 1002, 1003])
    }

    @Test func theLastRequestDuringAFrameCounts() {
        var delay = SensorDelay(controls(100))
        _ = delay.beginFrame()
        delay.request(controls(200))
        delay.request(controls(300))
        _ = delay.beginFrame()
        #expect(delay.beginFrame() == controls(300))
    }

    @Test func beforeTheFirstFrameARequestHoldsAtOnce() {
        var delay = SensorDelay(controls(100))
        delay.request(controls(200))
        #expect(delay.beginFrame() == controls(200))
        #expect(delay.beginFrame() == controls(200))
        #expect(delay.beginFrame() == controls(200))
    }
}
