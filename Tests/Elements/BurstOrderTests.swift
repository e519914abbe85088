import DNG
import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import TemporaryFolders
import Testing

/// The order of a burst's frames: from the shutter the reference first, as files and in the tags in order of time.
@Suite(.timeLimit(.minutes(10))) struct BurstOrderTests {
    init() throws { try GscapPlugin.register() }

    private static let caps = "video/x-bayer,format=rggb12le,width=4,height=2,framerate=50/1"

    private func frame(_ number: UInt64, _ tag: CaptureTag?) throws -> Buffer {
        var buffer = try Buffer(size: 16)
        var metadata = FrameMetadata(bitDepth: 12)
        (metadata.frameNumber, metadata.capture) = (number, tag)
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = number * 20_000_000
        return buffer
    }

    /// Pushes the frames of a burst of four into an encoder, the last in time first; its file comes last.
    private func harness(everyFrame: Bool = true) throws -> Harness {
        let harness = try Harness(factory: "dngenc")
        harness.send(caps: Self.caps)
        for index in [3, 0, 1, 2] {
            var tag = CaptureTag(id: 7, index: index, count: 4, isReference: index == 3)
            tag.storesEveryFrame = everyFrame
            harness.push(try frame(UInt64(index), tag))
        }
        return harness
    }

    /// Returns the place in time of the next file.
    private func nextIndex(_ harness: Harness) -> Int? { harness.waitAndPull()?.frameMetadata?.capture?.index }

    @Test func filesComeInOrderOfTime() throws {
        let harness = try harness()
        for expected in 0..<3 { #expect(nextIndex(harness) == expected) }
        harness.push(.endOfStream())
        let last = harness.waitAndPull()?.frameMetadata?.capture
        #expect(last?.index == 3 && last?.isReference == true)
    }

    @Test func theEndOfTheBurstReleasesTheReference() throws {
        let harness = try harness()
        harness.push(.customDownstream(Structure("gscap-capture-end", ["capture-id": .uint64(7)])))
        for expected in 0..<4 { #expect(nextIndex(harness) == expected) }
    }

    @Test func aFrameOfAnotherCaptureReleasesTheReference() throws {
        let harness = try harness()
        harness.push(try frame(9, CaptureTag(id: 8, index: 0, count: 1)))
        for expected in [0, 1, 2, 3, 0] { #expect(nextIndex(harness) == expected) }
    }

    /// A capture that stores the reference alone gets its file at once.
    @Test func aReferenceAloneIsNotHeldBack() throws {
        let harness = try harness(everyFrame: false)
        #expect(nextIndex(harness) == 3)
    }

    @Test func aFlushDropsTheReference() throws {
        let harness = try harness()
        for expected in 0..<3 { #expect(nextIndex(harness) == expected) }
        harness.push(.flushStart())
        harness.push(.flushStop(resetTime: true))
        harness.send(caps: Self.caps)
        harness.push(try frame(9, CaptureTag(id: 8, index: 0, count: 1)))
        #expect(harness.waitAndPull()?.frameMetadata?.capture?.id == 8)
    }

    @Test func theShutterPushesTheReferenceFirstAndTagsTheOrderOfTime() throws {
        let camera = try TestCamera()
        let found = Mutex<[CaptureTag]>([])
        let numbers = Mutex<[UInt64]>([])
        let probe = camera.shutter.pad("src")?.addBufferProbe { frame in
            guard let metadata = frame.frameMetadata, let tag = metadata.capture else { return .pass }
            found.withLock { $0.append(tag) }
            numbers.withLock { $0.append(metadata.frameNumber) }
            return .pass
        }
        try camera.start()
        try camera.push(4)
        #expect(try camera.press(["frames": 4, "id": .uint64(1)]) == 1)
        #expect(camera.waitForResult(of: 1) == .succeeded)
        #expect(numbers.withLock { $0 } == [4, 1, 2, 3])
        #expect(found.withLock { $0.map(\.index) } == [3, 0, 1, 2])
        #expect(found.withLock { $0.map(\.isReference) } == [true, false, false, false])
        probe?.remove()
    }

    /// The files state which frame is the reference; played, it is the reference again.
    @Test func aStoredBurstIsPlayedWithItsReference() throws {
        let folder = try TemporaryFolder()
        let harness = try harness()
        harness.push(.customDownstream(Structure("gscap-capture-end", ["capture-id": .uint64(7)])))
        for index in 0..<4 {
            guard let file = harness.waitAndPull() else {
                Issue.record("file \(index) is missing")
                return
            }
            let bytes = file.withValues(of: UInt8.self) { values in values.indices.map { values[$0] } }
            try Data(bytes).write(to: folder.url.appending(path: "frame-\(index).dng"))
            let burst = try DNGFile(bytes: bytes).metadata.receipt?.burst
            #expect(burst == BurstPlace(index: index, count: 4, isReference: index == 3))
        }
        let pipeline = try Pipeline(
            parsing: "dngsrc location=\(folder.url.path)/*.dng ! rawshutter captures=1 frames=4 ! appsink name=out "
                + "sync=false")
        let sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        var numbers: [UInt64] = []
        while let metadata = sink.nextSample(timeout: .seconds(20))?.buffer?.frameMetadata {
            numbers.append(metadata.frameNumber)
        }
        #expect(numbers == [3, 0, 1, 2])
    }
}
