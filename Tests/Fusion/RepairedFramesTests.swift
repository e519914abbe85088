import Fusion
import RawImage
import SimulatedSensor
import Testing

/// Tests of frames whose defective pixels are repaired in memory that the fusion uses again for each frame.
@Suite struct RepairedFramesTests {
    private static let hotPixels = 300.0

    private func frame(_ number: UInt64) throws -> Mosaic {
        var settings = SensorSettings()
        (settings.width, settings.height, settings.hotPixels) = (320, 240, Self.hotPixels)
        settings.controls = SensorControls(exposureTime: 0.005, iso: 800)
        let (sensor, format) = (try SimulatedSensor(settings), settings.format())
        var codes = [UInt16](repeating: 0, count: format.codeCount)
        var span = codes.mutableSpan
        let metadata = try sensor.read(
            frame: number, controls: settings.controls, into: &span, stride: format.stride)
        return try Mosaic(format: format, metadata: metadata, codes: codes)
    }

    private func fuse(_ frames: [Mosaic]) throws -> (mosaic: Mosaic, report: FusionReport) {
        let fusion = BurstFusion(FusionOptions(reference: 0))
        for frame in frames {
            try fusion.add(frame.codes.span, format: frame.format, metadata: frame.metadata)
        }
        return try fusion.finish()
    }

    /// The sums do not depend on the order of the frames, so nothing of one frame remains in the memory of the next.
    @Test func theOrderOfLaterFramesDoesNotMatter() throws {
        let frames = try (0..<6).map { try frame($0) }
        let (mosaic, report) = try fuse(frames)
        #expect(report.repairedPixels > 0)
        let (other, _) = try fuse([0, 1, 2, 5, 3, 4].map { frames[$0] })
        #expect(mosaic.codes == other.codes)
    }

    /// The codes that the caller passes stay as they are.
    @Test func theCallersFramesAreNotChanged() throws {
        let frames = try (0..<5).map { try frame($0) }
        let before = frames.map(\.codes)
        #expect(try fuse(frames).report.repairedPixels > 0)
        #expect(frames.map(\.codes) == before)
    }
}
