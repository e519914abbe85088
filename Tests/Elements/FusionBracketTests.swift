import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// `rawfusion` on the bursts of a bracket: it fuses each exposure separately.
@Suite(.timeLimit(.minutes(10))) struct FusionBracketTests {
    init() throws { try GscapPlugin.register() }

    private let width = 256
    private let height = 192

    /// Returns a frame of a fixed scene with an exposure time; `isBroken` makes it too short for its format.
    private func frame(_ index: Int, time: Double, tag: CaptureTag, isBroken: Bool = false) throws -> Buffer {
        var buffer = try Buffer(size: isBroken ? 64 : width * height * 2)
        let width = width
        buffer.withMutableValues(of: UInt16.self) { codes in
            var noise = UInt32(index &* 2_654_435 &+ 1)
            for position in codes.indices {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let (row, column) = (position / width, position % width)
                let scene = Double(100 + (row / 24 * 7 + column / 24 * 3) % 11 * 60) * time / 0.01
                codes[position] = UInt16(min(4095, 256 + scene + Double(noise >> 29)))
            }
        }
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.blackLevel = [256, 256, 256, 256]
        metadata.noise = [NoiseProfile(shot: 1e-4, read: 4e-6)]
        (metadata.exposureTime, metadata.iso, metadata.frameNumber) = (time, 100, UInt64(index))
        metadata.capture = tag
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = UInt64(index) * 100_000_000
        return buffer
    }

    private func tag(_ index: Int, of count: Int, exposure: Int, isBracket: Bool = false) -> CaptureTag {
        var tag = CaptureTag(id: 5, index: index, count: count)
        (tag.exposure, tag.exposureCount, tag.isBracket) = (exposure, 3, isBracket)
        return tag
    }

    private func harness() throws -> Harness {
        let harness = try Harness(factory: "rawfusion")
        harness.send(caps: "video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=10/1")
        return harness
    }

    @Test func aBracketIsMergedAroundItsFirstFrame() throws {
        let harness = try harness()
        for (index, time) in [0.01, 0.0025, 0.04].enumerated() {
            harness.push(try frame(index, time: time, tag: tag(index, of: 3, exposure: 3, isBracket: true)))
        }
        let metadata = harness.waitAndPull()?.frameMetadata
        let photo = try #require(metadata)
        #expect(photo.fusion?.reference == 0)
        #expect(photo.fusion?.frames.count == 3)
        #expect(photo.exposureTime == 0.01)
        #expect(photo.capture?.isBracket == true && photo.capture?.exposure == 3 && photo.capture?.count == 1)
    }

    @Test func aFailedExposureLeavesTheOthersAlone() throws {
        let harness = try harness()
        for (exposure, time) in [0.01, 0.0025, 0.04].enumerated() {
            for index in 0..<2 {
                let tag = tag(index, of: 2, exposure: exposure)
                harness.push(try frame(2 * exposure + index, time: time, tag: tag, isBroken: exposure == 1))
            }
        }
        let photos = (0..<2).compactMap { _ in harness.waitAndPull()?.frameMetadata }
        #expect(photos.compactMap { $0.capture?.exposure } == [0, 2])
    }
}
