internal import RawImage
internal import SimulatedSensor
internal import Testing

/// The flash, the automatic exposure and the dropped frames of the simulated sensor.
@Suite struct SensorFlashTests {
    private func sensor(_ change: (inout SensorSettings) -> Void = { _ in }) throws -> SimulatedSensor {
        try SimulatedSensor(
            .of(64, 48) { settings in
                settings.removeImperfections()
                change(&settings)
            })
    }

    /// Returns the mean signal of a frame, 0 at black and 1 at white.
    private func mean(_ sensor: SimulatedSensor, _ controls: SensorControls) throws -> Double {
        let frame = try sensor.frame(0, controls)
        let black = frame.metadata.blackLevel[0]
        let sum = frame.codes.reduce(0.0) { $0 + Double($1) - black }
        return sum / Double(frame.codes.count) / (frame.metadata.whiteLevel - black)
    }

    @Test func theFlashAddsLight() throws {
        let sensor = try sensor()
        let (without, with) = (try mean(sensor, SensorControls()), try mean(sensor, SensorControls(flash: true)))
        #expect(abs(with / without - 1.08) < 0.01)
        // White is not clipped at the defaults.
        let lit = try sensor.frame(0, SensorControls(flash: true)).codes
        let clipped = lit.count { $0 == 4095 }
        #expect(clipped * 50 < lit.count)
        // In the dark, the flash gives a correct exposure.
        let dark = SensorControls(exposureTime: 0.0001, iso: 100, flash: true)
        #expect(abs(try mean(sensor, dark) / without - 1) < 0.01)
    }

    @Test func theMetadataStatesTheFlash() throws {
        let sensor = try sensor()
        for flash in [nil, false, true] as [Bool?] {
            #expect(try sensor.frame(0, SensorControls(flash: flash)).metadata.flashFired == flash)
        }
    }

    @Test func automaticExposureKeepsTheBrightness() throws {
        #expect(SensorControls.automaticExposureTime(iso: 100) == 0.01)
        #expect(abs(SensorControls.automaticExposureTime(iso: 1600) - 0.000625) < 1e-12)
        #expect(SensorControls.automaticExposureTime(iso: .nan) == 0.01)
        let sensor = try sensor()
        let fast = SensorControls(exposureTime: SensorControls.automaticExposureTime(iso: 1600), iso: 1600)
        #expect(abs(try mean(sensor, SensorControls()) - mean(sensor, fast)) < 1e-3)
    }

    /// Returns the numbers of the dropped frames among the first 10,000.
    private func dropped(_ fraction: Double, seed: UInt64) throws -> [UInt64] {
        let sensor = try sensor { ($0.dropped, $0.seed) = (fraction, seed) }
        return (0..<10_000 as Range<UInt64>).filter { sensor.isDropped(frame: $0) }
    }

    @Test func droppedFramesFollowTheSeed() throws {
        let lost = try dropped(0.3, seed: 1)
        #expect((2800...3200).contains(lost.count))
        #expect(try dropped(0.3, seed: 1) == lost)
        #expect(try dropped(0.3, seed: 2) != lost)
        #expect(try dropped(0, seed: 1).isEmpty)
    }

    @Test(arguments: 0...6) func theDelayMayDiffer(frames: Int) {
        var delay = SensorDelay(SensorControls(), frames: frames)
        _ = delay.beginFrame()
        delay.request(SensorControls(iso: 200))
        var count = 1
        while delay.beginFrame().iso != 200, count < 10 { count += 1 }
        #expect(count == max(1, frames))
    }
}
