internal import RawImage
internal import SimulatedSensor
internal import Testing

/// Tests of the chart's colours in the codes, and as recovered from the codes with the metadata's matrices, as a raw
/// converter does.
@Suite struct SensorColorTests {
    /// The matrix from linear sRGB to CIE XYZ adapted to D50.
    private let sRGBToD50 = Matrix3(
        SIMD3(0.4360747, 0.3850649, 0.1430604), SIMD3(0.2225045, 0.7168786, 0.0606169),
        SIMD3(0.0139322, 0.0971045, 0.7138633))

    private func truth(_ temperature: Double, _ pattern: BayerPattern = .rggb) throws -> (SimulatedSensor, Frame) {
        let sensor = try SimulatedSensor(
            .of(800, 600) { settings in
                settings.truth = true
                settings.vignetting = 0
                settings.bitDepth = 16
                settings.colorTemperature = temperature
                settings.pattern = pattern
            })
        return (sensor, try sensor.frame(5))
    }

    private func color(of patch: ChartPatch, in frame: Frame) -> SIMD3<Double> {
        let means = (0..<3).map { mean(frame.signals($0, rows: patch.rows, columns: patch.columns)) }
        return SIMD3(means[0], means[1], means[2])
    }

    @Test(arguments: [2000, 2856, 4000, 5500, 6504, 9000])
    func patchesAreWhatTheCameraModelSays(temperature: Double) throws {
        let (sensor, frame) = try truth(temperature)
        let patches = sensor.settings.chartPatches
        #expect(patches.count == 24)
        for patch in patches {
            #expect(patch.rows.count > 20)
            let expected = sensor.signal(of: patch.color, controls: SensorControls())
            let found = color(of: patch, in: frame)
            for plane in 0..<3 {
                #expect(abs(found[plane] - expected[plane]) < 0.005 * expected[plane], "\(patch.name) \(plane)")
            }
        }
    }

    @Test(arguments: BayerPattern.allCases)
    func aConverterFindsTheChartsColors(pattern: BayerPattern) throws {
        for temperature in [2856.0, 4000, 5500, 6504] {
            let (sensor, frame) = try truth(temperature, pattern)
            let warm = try #require(frame.metadata.calibrations[0].forwardMatrix).values
            let cool = try #require(frame.metadata.calibrations[1].forwardMatrix).values
            let share = (1 / temperature - 1 / 6504) / (1 / 2856 - 1 / 6504)
            let forward = try #require(Matrix3(zip(warm, cool).map { $0 * share + $1 * (1 - share) }))
            let toSRGB = try #require(sRGBToD50.inverse)
            for patch in sensor.settings.chartPatches {
                let balanced = color(of: patch, in: frame) / frame.metadata.neutral
                let found = toSRGB * (forward * balanced) * (1 / SimulatedSensor.whiteSignal)
                for channel in 0..<3 {
                    #expect(abs(found[channel] - patch.color[channel]) < 0.004, "\(patch.name) \(channel)")
                }
            }
        }
    }

    @Test func neutralIsTheCamerasAnswerToTheLight() throws {
        // The colour temperatures and CIE XYZ of standard illuminant A and of D65.
        let lights: [(Double, SIMD3<Double>)] = [(2856, SIMD3(1.0985, 1, 0.3558)), (6504, SIMD3(0.9504, 1, 1.0888))]
        for (index, (temperature, white)) in lights.enumerated() {
            let metadata = try SimulatedSensor(.of(16, 16) { $0.colorTemperature = temperature }).frame().metadata
            let answer = metadata.calibrations[index].colorMatrix * white
            let neutral = answer * (1 / answer.max())
            for plane in 0..<3 { #expect(abs(neutral[plane] - metadata.neutral[plane]) < 0.01) }
        }
    }

    @Test func warmLightIsRedAndColdLightBlue() throws {
        let neutrals = try [2000.0, 2850, 3500, 4500, 5500, 6500, 9000].map { temperature in
            try SimulatedSensor(.of(16, 16) { $0.colorTemperature = temperature }).frame().metadata.neutral
        }
        for (warm, cold) in zip(neutrals, neutrals.dropFirst()) {
            #expect(warm.x / warm.z > cold.x / cold.z * 1.02)
        }
    }

    @Test func theSceneSpansFourteenStops() throws {
        // Two exposure times far apart: the long one resolves the wedge's darkest step, the brief one does not clip the
        // lamp.
        let sensor = try SimulatedSensor(
            .of(800, 600) { settings in
                settings.removeImperfections()
                settings.bitDepth = 16
            })
        let brief = try sensor.frame(0, SensorControls(exposureTime: 0.01 / 20, iso: 100))
        let long = try sensor.frame(0, SensorControls(exposureTime: 1, iso: 100))
        let lamp = mean(brief.signals(1, rows: 226..<230, columns: 370..<374)) * 20
        let dark = mean(long.signals(1, rows: 542..<556, columns: 720..<740)) / 100
        #expect(lamp / dark > 16_384)
    }
}
