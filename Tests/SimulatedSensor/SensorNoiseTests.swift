internal import KernelTypes
internal import KernelsBaseline
internal import KernelsV3
internal import RawImage
internal import SimulatedSensor
internal import Testing

/// Tests the measured noise of frames against the noise profile in their metadata.
@Suite struct SensorNoiseTests {
    /// Returns the deviations of a plane's linear values in a patch from the expected ones.
    private func residuals(
        _ settings: SensorSettings, _ controls: SensorControls, patch: Int, plane: Int, frames: Int
    ) throws -> (signal: Double, profile: NoiseProfile, values: [Double]) {
        let area = settings.chartPatches[patch]
        let sensor = try SimulatedSensor(settings)
        let expected = sensor.signal(of: area.color, controls: controls)[plane]
        var values: [Double] = []
        var profile = NoiseProfile(shot: 0, read: 0)
        for number in 0..<frames {
            let frame = try sensor.frame(UInt64(number), controls)
            profile = frame.metadata.noise[plane]
            values += frame.signals(plane, rows: area.rows, columns: area.columns).map { $0 - expected }
        }
        return (expected, profile, values)
    }

    private func still(_ bitDepth: Int) -> SensorSettings {
        .of(1008, 756) { settings in
            settings.removeImperfections()
            settings.noise = true
            settings.bitDepth = bitDepth
        }
    }

    @Test(arguments: [(10, 100.0), (12, 100.0), (12, 3200.0), (14, 400.0), (8, 800.0), (16, 1600.0)])
    func varianceIsAsStated(bitDepth: Int, iso: Double) throws {
        // The patches are white, mid grey and near black; the exposure keeps white below clipping.
        for patch in [18, 21, 23] {
            let controls = SensorControls(exposureTime: 0.008 * 100 / iso, iso: iso)
            let noise = try residuals(still(bitDepth), controls, patch: patch, plane: 1, frames: 24)
            let variance = mean(noise.values.map { $0 * $0 })
            let stated = noise.profile.variance(at: noise.signal)
            #expect(abs(variance / stated - 1) < 0.03, "patch \(patch): \(variance) measured, \(stated) stated")
            #expect(abs(mean(noise.values)) < 0.02 * stated.squareRoot() + 2e-5)
        }
    }

    @Test func theDarkIsAsStated() throws {
        var settings = still(12)
        settings.width = 400
        settings.height = 300
        let dark = SensorControls(exposureTime: SensorControls.exposureTimes.lowerBound, iso: 800)
        let noise = try residuals(settings, dark, patch: 23, plane: 1, frames: 200)
        let variance = mean(noise.values.map { $0 * $0 })
        #expect(abs(variance / noise.profile.variance(at: noise.signal) - 1) < 0.04)
    }

    @Test func noiseIsNormalAndWithoutMemory() throws {
        let controls = SensorControls(exposureTime: 0.001, iso: 800)
        let noise = try residuals(still(14), controls, patch: 21, plane: 1, frames: 60)
        let deviation = mean(noise.values.map { $0 * $0 }).squareRoot()
        let values = noise.values.map { $0 / deviation }
        #expect(abs(mean(values.map { $0 * $0 * $0 })) < 0.03)
        #expect(abs(mean(values.map { $0 * $0 * $0 * $0 }) - 3) < 0.1)
        let beyondThree = Double(values.count { abs($0) > 3 }) / Double(values.count)
        #expect(abs(beyondThree - 0.0027) < 0.0006)
        for distance in [1, 2, 16, 22, values.count / 60] {
            let products = zip(values, values.dropFirst(distance)).map { $0 * $1 }
            #expect(abs(mean(products)) < 0.015, "neighbours \(distance) apart are alike")
        }
    }

    @Test func gainRaisesNoiseAsStated() throws {
        let sensor = try SimulatedSensor(.of(64, 48))
        let low = try sensor.frame(0, SensorControls(iso: 100)).metadata.noise[0]
        let high = try sensor.frame(0, SensorControls(iso: 800)).metadata.noise[0]
        #expect(abs(high.shot / low.shot - 8) < 1e-9)
        #expect(high.read > low.read)
    }

    @Test func wideAndNarrowVectorsMakeTheSameCodes() {
        let plane = (0..<4000).map { UInt16(truncatingIfNeeded: $0 &* 40_503) }
        var light = [[Float](repeating: 0, count: 256), [Float](repeating: 0, count: 256)]
        var codes = [[UInt16](repeating: 0, count: 250), [UInt16](repeating: 0, count: 250)]
        unsafe KernelsBaseline.sampleScene(
            &light[0], count: 256, even: plane, odd: plane, stride: 320, right: 80_000, down: 100_001, slope: 3000)
        unsafe KernelsV3.sampleScene(
            &light[1], count: 256, even: plane, odd: plane, stride: 320, right: 80_000, down: 100_001, slope: 3000)
        let row = SensorRow(centre: 700, heightSquare: 1000, key: 123, secondKey: 456)
        let response = SensorResponse(scale: 1e-6, shading: 1e-13, shot: 0.3, read: 9, black: 256, white: 4095)
        unsafe KernelsBaseline.exposeSensor(
            &codes[0], light[0], count: 250, firstColumn: 512, row: row, response: response)
        unsafe KernelsV3.exposeSensor(
            &codes[1], light[1], count: 250, firstColumn: 512, row: row, response: response)
        #expect(light[0] == light[1])
        #expect(codes[0] == codes[1])
        #expect(Set(codes[0]).count > 100)
    }
}
