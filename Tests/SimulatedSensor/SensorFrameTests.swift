internal import RawImage
internal import SimulatedSensor
internal import Testing

@Suite struct SensorFrameTests {
    @Test(arguments: BayerPattern.allCases, [8, 10, 12, 14, 16])
    func sameBytesOnAnyNumberOfCoresAndInAnyOrder(pattern: BayerPattern, bitDepth: Int) throws {
        let settings = SensorSettings.of(331, 203) { settings in
            settings.pattern = pattern
            settings.bitDepth = bitDepth
        }
        let sensor = try SimulatedSensor(settings)
        let third = try sensor.frame(3, cores: 1)
        let second = try sensor.frame(2)
        #expect(try SimulatedSensor(settings).frame(3).digest == third.digest)
        #expect(second.digest != third.digest)
        let whiteLevel = 1 << bitDepth - 1
        #expect(Int(third.codes.max() ?? 0) == whiteLevel)
        #expect(third.metadata.whiteLevel == Double(whiteLevel))
        let blackLevel = Double(1 << (bitDepth - 4))
        #expect(third.metadata.blackLevel == [blackLevel, blackLevel, blackLevel, blackLevel])
    }

    @Test func anotherSeedMakesOtherNoiseOfTheSameScene() throws {
        let first = try SimulatedSensor(.of(128, 96)).frame()
        let second = try SimulatedSensor(.of(128, 96) { $0.seed = 2 }).frame()
        #expect(first.digest != second.digest)
        let truth = try SimulatedSensor(.of(128, 96) { $0.truth = true }).frame()
        #expect(try SimulatedSensor(.of(128, 96) { ($0.truth, $0.seed) = (true, 2) }).frame().digest == truth.digest)
    }

    @Test func patternsShowTheSameScene() throws {
        let frames = try BayerPattern.allCases.map { pattern in
            try SimulatedSensor(
                .of(64, 64) { settings in
                    settings.removeImperfections()
                    settings.pattern = pattern
                }
            ).frame()
        }
        // Where two Bayer patterns have the same colour at a pixel, the codes must be equal.
        for frame in frames {
            for (place, code) in frame.codes.enumerated() {
                let (row, column) = (place / 64, place % 64)
                let plane = frame.settings.pattern.plane(row: row, column: column)
                for other in frames where other.settings.pattern.plane(row: row, column: column) == plane {
                    #expect(other.codes[place] == code)
                }
            }
        }
    }

    @Test(arguments: [(16, 16), (17, 19), (31, 16), (33, 257), (1281, 721), (8064, 16), (16, 6048), (257, 64)])
    func anySize(width: Int, height: Int) throws {
        let sensor = try SimulatedSensor(.of(width, height))
        let stride = width + 5
        var codes = [UInt16](repeating: 0xbeef, count: stride * (height - 1) + width)
        var span = codes.mutableSpan
        _ = try sensor.read(frame: 1, controls: SensorControls(), into: &span, stride: stride)
        for row in 0..<height {
            let rowCodes = codes[row * stride..<row * stride + width]
            #expect(rowCodes.allSatisfy { $0 <= 4095 })
            #expect(codes[(row * stride + width)..<min((row + 1) * stride, codes.count)].allSatisfy { $0 == 0xbeef })
        }
    }

    @Test func sizesAndNumbersOutOfRangeAreErrors() {
        let changes: [(inout SensorSettings) -> Void] = [
            { $0.width = 15 }, { $0.width = 8065 }, { $0.height = -1 }, { $0.height = 6049 }, { $0.bitDepth = 11 },
            { $0.bitDepth = 0 }, { $0.colorTemperature = .nan }, { $0.colorTemperature = 100 }, { $0.shake = -1 },
            { $0.shake = .infinity }, { $0.vignetting = 1 }, { $0.hotPixels = 1e9 }, { $0.frameRate = 0 },
            { $0.controls.exposureTime = 0 }, { $0.controls.iso = .nan },
        ]
        for change in changes {
            let error = #expect(throws: SensorError.self) { try SimulatedSensor(.of(64, 48, change)) }
            #expect(error?.code == .badSetting)
        }
    }

    @Test func aShortBufferIsAnError() throws {
        let sensor = try SimulatedSensor(.of(64, 48))
        var codes = [UInt16](repeating: 0, count: 64 * 48 - 1)
        #expect(throws: RawImageError.self) {
            var span = codes.mutableSpan
            _ = try sensor.read(frame: 0, controls: SensorControls(), into: &span, stride: 64)
        }
        #expect(throws: RawImageError.self) {
            var span = codes.mutableSpan
            _ = try sensor.read(frame: 0, controls: SensorControls(), into: &span, stride: 32)
        }
    }

    @Test func metadataIsComplete() throws {
        let settings = SensorSettings.of(64, 48) { $0.frameRate = 25 }
        let frame = try SimulatedSensor(settings).frame(50, SensorControls(exposureTime: 0.02, iso: 400))
        let metadata = frame.metadata
        #expect(metadata.problem == nil)
        #expect(metadata.exposureTime == 0.02)
        #expect(metadata.iso == 400)
        #expect(metadata.frameNumber == 50)
        #expect(metadata.sensorTimestamp == 2_000_000_000)
        #expect(metadata.wallClock == settings.startTime + 2_000_000)
        #expect(metadata.noise.count == 3)
        #expect(metadata.calibrations.map(\.illuminant) == [.standardA, .d65])
        #expect(metadata.calibrations.allSatisfy { $0.forwardMatrix != nil })
        #expect(metadata.neutral.max() == 1)
        #expect(metadata.make == "gscap")
        #expect(metadata.model == "Simulated Sensor")
    }

    @Test func noFrameNumberAndNoControlTraps() throws {
        let sensor = try SimulatedSensor(.of(64, 48))
        let wild = SensorControls(exposureTime: .infinity, iso: -5)
        #expect(try sensor.frame(.max, wild).metadata.exposureTime == SensorControls.exposureTimes.upperBound)
        #expect(try sensor.frame(1 << 60, wild).metadata.iso == SensorControls.isos.lowerBound)
        let nonsense = SensorControls(exposureTime: .nan, iso: .nan)
        #expect(try sensor.frame(0, nonsense).metadata.exposureTime == SensorControls().exposureTime)
    }

    @Test func signalFollowsExposureAndGain() throws {
        let sensor = try SimulatedSensor(.of(400, 300) { $0.removeImperfections() })
        let patch = sensor.settings.chartPatches[21]
        func level(_ controls: SensorControls) throws -> Double {
            mean(try sensor.frame(0, controls).signals(1, rows: patch.rows, columns: patch.columns))
        }
        let base = try level(SensorControls())
        #expect(abs(try level(SensorControls(exposureTime: 0.02, iso: 100)) / base - 2) < 0.01)
        #expect(abs(try level(SensorControls(exposureTime: 0.01, iso: 50)) / base - 0.5) < 0.01)
        #expect(abs(try level(SensorControls(exposureTime: 0.001, iso: 1600)) / base - 1.6) < 0.01)
        #expect(try level(SensorControls(exposureTime: 1, iso: 100)) == 1)
    }

    @Test func theLensDarkensTheCorners() throws {
        let even = try SimulatedSensor(.of(200, 150) { $0.removeImperfections() }).frame()
        let shaded = try SimulatedSensor(
            .of(200, 150) { settings in
                settings.removeImperfections()
                settings.vignetting = 0.5
            }
        ).frame()
        func ratio(_ rows: Range<Int>, _ columns: Range<Int>) -> Double {
            mean(shaded.signals(2, rows: rows, columns: columns)) / mean(even.signals(2, rows: rows, columns: columns))
        }
        #expect(abs(ratio(0..<3, 0..<3) - 0.51) < 0.02)
        #expect(abs(ratio(0..<3, 197..<200) - 0.51) < 0.02)
        #expect(abs(ratio(73..<77, 98..<102) - 1) < 0.01)
    }
}
