import Fusion
import RawImage
import SimulatedSensor
import Testing

/// Tests with bursts of the simulated sensor, compared with its noise-free truth.
@Suite struct SensorBurstTests {
    private func settings(_ change: (inout SensorSettings) -> Void = { _ in }) -> SensorSettings {
        var settings = SensorSettings()
        (settings.width, settings.height, settings.hotPixels) = (640, 480, 0)
        settings.controls = SensorControls(exposureTime: 0.005, iso: 800)
        change(&settings)
        return settings
    }

    private func frame(_ sensor: SimulatedSensor, _ number: UInt64) throws -> Mosaic {
        let format = sensor.settings.format()
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        var span = codes.mutableSpan
        let metadata = try sensor.read(
            frame: number, controls: sensor.settings.controls, into: &span, stride: format.stride)
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    private func fuse(_ frames: [Mosaic]) throws -> (mosaic: Mosaic, report: FusionReport) {
        let first = try #require(frames.first)
        let fusion = BurstFusion(FusionOptions(reference: 0))
        try fusion.add(first.codes.span, format: first.format, metadata: first.metadata)
        for frame in frames.dropFirst() {
            try fusion.add(frame.codes.span, format: frame.format, metadata: frame.metadata)
        }
        return try fusion.finish()
    }

    /// Returns the mean squared error of codes against the noise-free truth, in squared codes of the truth; `scale` is
    /// the number of units of `codes` per code of the truth.
    private func error(_ codes: [UInt16], scale: Double, _ truth: [UInt16]) -> Double {
        zip(codes, truth).reduce(0) { sum, pair in
            let difference = Double(pair.0) / scale - Double(pair.1)
            return sum + difference * difference
        } / Double(truth.count)
    }

    /// Returns the largest difference between fused codes and `scale` times a frame's codes.
    private func worst(_ fused: [UInt16], _ codes: [UInt16], scale: Int) -> Int {
        zip(fused, codes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1) * scale)) }
    }

    @Test func equalFramesGiveThatFrame() throws {
        let one = try frame(SimulatedSensor(settings()), 0)
        let (mosaic, report) = try fuse([one, one, one])
        #expect(mosaic.format.bitDepth == 16)
        #expect(worst(mosaic.codes, one.codes, scale: 16) <= 8)
        #expect(mosaic.metadata.blackLevel == one.metadata.blackLevel.map { $0 * 16 })
        #expect(report.frames.allSatisfy { $0.rejection == nil })
        #expect(mosaic.metadata.fusedFrames == 3)
    }

    @Test func noiseFallsAsTheRootOfTheCount() throws {
        let still = settings {
            $0.shake = 0
            $0.motion = false
        }
        let sensor = try SimulatedSensor(still)
        let truth = try frame(
            SimulatedSensor(
                settings {
                    $0.shake = 0
                    $0.motion = false
                    $0.truth = true
                }), 0)
        let frames = try (0..<8).map { try frame(sensor, $0) }
        let one = error(frames[0].codes, scale: 1, truth.codes)
        let (mosaic, report) = try fuse(frames)
        let fused = error(mosaic.codes, scale: 16, truth.codes)
        #expect(fused < one / 5.5, "\(one / fused) of 8")
        #expect(report.effectiveFrames > 6.5)
    }

    @Test func cameraShakeIsCompensated() throws {
        let sensor = try SimulatedSensor(
            settings {
                $0.shake = 6
                $0.motion = false
            })
        let truth = try frame(
            SimulatedSensor(
                settings {
                    $0.shake = 6
                    $0.motion = false
                    $0.truth = true
                }), 0)
        let frames = try (0..<8).map { try frame(sensor, $0) }
        let one = error(frames[0].codes, scale: 1, truth.codes)
        let (mosaic, report) = try fuse(frames)
        let fused = error(mosaic.codes, scale: 16, truth.codes)
        let motions = report.frames.map { "\($0.motion.x) \($0.motion.y) \($0.mergedShare)" }
        #expect(fused < one / 2, "\(one / fused) times better; \(motions)")
        #expect(report.frames.allSatisfy { $0.rejection == nil })
    }

    @Test func aMovingObjectLeavesNoGhost() throws {
        let sensor = try SimulatedSensor(settings { $0.shake = 2 })
        let frames = try (0..<6).map { try frame(sensor, $0 * 5) }
        let truth = try frame(
            SimulatedSensor(
                settings {
                    $0.shake = 2
                    $0.truth = true
                }), 0)
        let one = error(frames[0].codes, scale: 1, truth.codes)
        let (mosaic, _) = try fuse(frames)
        #expect(error(mosaic.codes, scale: 16, truth.codes) < one)
    }

    @Test func anotherSceneIsRejectedAndReported() throws {
        let sensor = try SimulatedSensor(settings())
        let first = try frame(sensor, 0)
        var other = first
        for index in other.codes.indices {
            other.codes[index] = UInt16(truncatingIfNeeded: 256 + (index &* 7919) % 3000)
        }
        let (mosaic, report) = try fuse([first, other])
        #expect(report.frames[1].rejection != nil)
        #expect(mosaic.metadata.fusedFrames == 1)
        #expect(worst(mosaic.codes, first.codes, scale: 16) == 0)
    }

    @Test func otherShapesAreErrors() throws {
        let first = try frame(SimulatedSensor(settings()), 0)
        let second = try frame(SimulatedSensor(settings { $0.pattern = .bggr }), 0)
        let failure = #expect(throws: FusionError.self) { try fuse([first, second]) }
        #expect(failure?.code == .differentFormat)
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 5), (17, 16), (33, 47), (65, 130)])
    func smallAndOddSizes(width: Int, height: Int) throws {
        let format = MosaicFormat(width: width, height: height, pattern: .rggb, bitDepth: 10)
        var metadata = FrameMetadata(bitDepth: 10)
        metadata.blackLevel = [64, 64, 64, 64]
        let codes = (0..<format.codeCount).map { (index: Int) -> UInt16 in UInt16(64 + index * 31 % 900) }
        let frame = try Mosaic(format: format, metadata: metadata, codes: codes)
        let (mosaic, _) = try fuse([frame, frame])
        #expect(worst(mosaic.codes, codes, scale: 64) <= 32)
    }

    @Test func cancellingStops() throws {
        let first = try frame(SimulatedSensor(settings()), 0)
        let fusion = BurstFusion(isCancelled: { true })
        let failure = #expect(throws: FusionError.self) { try fusion.add(first) }
        #expect(failure?.code == .cancelled)
    }

    /// The photo of a burst with defective pixels is compared with that of the same burst without: the visible defects
    /// are repaired, and most of their error is gone. Without camera shake fewer are found.
    @Test(arguments: [(shake: 6.0, least: 36, rest: 0.33), (0.4, 25, 0.5), (0, 25, 0.5)])
    func defectivePixelsAreRepaired(shake: Double, least: Int, rest: Double) throws {
        func sensor(_ defects: Double) throws -> SimulatedSensor {
            try SimulatedSensor(
                settings {
                    $0.shake = shake
                    $0.motion = false
                    $0.hotPixels = defects
                })
        }
        let frames = try (0..<4).map { try frame(sensor(300), 10 * $0) }
        let clean = try (0..<4).map { try frame(sensor(0), 10 * $0) }
        let (mosaic, report) = try fuse(frames)
        let expected = try fuse(clean)
        #expect(expected.report.repairedPixels == 0)
        #expect(report.repairedPixels >= least, "\(report.repairedPixels) of 92; \(report.frames.map(\.motion))")
        // The defects that remain do not exceed the noise or lie in texture.
        let left = error(mosaic.codes, scale: 1, expected.mosaic.codes)
        let before = error(frames[0].codes, scale: 1.0 / 16, clean[0].codes.map { $0 << 4 })
        #expect(left < rest * before, "\(left) of \(before)")
    }
}
