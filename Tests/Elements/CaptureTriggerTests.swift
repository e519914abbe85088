import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import TemporaryFolders
import Testing

/// Captures of programs that cannot emit signals: by a period, by a frame's number, by an event. The stream goes on.
@Suite(.timeLimit(.minutes(10))) struct CaptureTriggerTests {
    init() throws { try GscapPlugin.register() }

    private static let bayer = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=10/1"

    private func harness(_ text: String) throws -> Harness {
        let harness = try Harness(Bin(parsing: text, name: "bin"))
        harness.send(caps: Self.bayer)
        harness.play()
        return harness
    }

    /// Pushes frames of these numbers, ten a second, and returns the numbers of those that come out.
    private func passed(_ numbers: [Int], through harness: Harness) throws -> [UInt64] {
        for number in numbers {
            var frame = try Buffer(size: 64 * 48 * 2)
            frame.presentationTime = UInt64(number) * 100_000_000
            frame.offset = UInt64(number)
            #expect(harness.push(frame) == 0)
        }
        var passed: [UInt64] = []
        while let frame = harness.pull() { passed.append(frame.offset ?? 0) }
        return passed
    }

    private func request(_ frames: Value = 1) -> Event {
        .customUpstream(Structure("gscap-capture-request", ["frames": frames]))
    }

    @Test(arguments: [
        (1.0, 1, [0, 10, 20] as [UInt64]), (0.95, 1, [0, 10, 19]), (1.0, 2, [0, 1, 10, 11, 20, 21]),
        // A period that is shorter than a burst begins the next one with the next frame.
        (0.1, 8, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]),
    ])
    func aPeriodTakesPhotosWithoutEndingTheStream(period: Double, frames: Int, expected: [UInt64]) throws {
        let harness = try harness("rawshutter capture-period=\(period) frames=\(frames)")
        #expect(try passed(Array(0..<25), through: harness) == expected)
        #expect(!harness.eventKinds().contains(.endOfStream))
    }

    /// The rate is kept although no frame is taken at the due time.
    @Test func aPeriodBetweenFramesKeepsItsRate() throws {
        let harness = try harness("rawshutter capture-period=0.25 frames=1")
        #expect(try passed(Array(0..<20), through: harness) == [0, 3, 5, 8, 10, 13, 15, 18])
    }

    @Test func aFrameIsTakenByItsNumberEachTimeThatItIsSet() throws {
        let harness = try harness("rawshutter name=shutter capture-frame=3 frames=1")
        #expect(try passed(Array(0..<8), through: harness) == [3])
        let shutter = try #require((harness.element as? Bin)?.element(named: "shutter"))
        try shutter.set("capture-frame", 12)
        // Frame 12 is lost: the first one after it is taken.
        #expect(try passed([8, 9, 10, 11, 13, 14, 15], through: harness) == [13])
        #expect(!harness.eventKinds().contains(.endOfStream))
    }

    /// A stream that stops between presses does not stop for ever.
    @Test func aWaitingStreamTakesItsPeriod() throws {
        let harness = try harness("rawshutter wait-for-capture=true capture-period=1 frames=1")
        #expect(try passed(Array(0..<12), through: harness) == [0, 10])
    }

    @Test func anEventFromDownstreamTakesAPhoto() throws {
        let harness = try harness("rawshutter")
        #expect(try passed([0, 1, 2], through: harness).isEmpty)
        #expect(harness.pushUpstream(request(2)))
        #expect(try passed([3, 4, 5, 6], through: harness) == [3, 4])
    }

    /// A tee passes the event of a pipeline on from each of its branches.
    @Test func theSameEventFromTwoBranchesTakesOnePhoto() throws {
        let harness = try harness("rawshutter")
        let event = request()
        #expect(harness.pushUpstream(event) && harness.pushUpstream(event))
        #expect(try passed([0, 1, 2], through: harness) == [0])
    }

    @Test func anEventPassesTheFusion() throws {
        let harness = try harness("rawshutter frames=2 ! rawfusion")
        #expect(harness.pushUpstream(request(2)))
        #expect(try passed([0, 1], through: harness).count <= 1)
    }

    @Test func anEventThatIsSentToTheShutterTakesAPhoto() throws {
        let harness = try harness("rawshutter name=shutter")
        let shutter = try #require((harness.element as? Bin)?.element(named: "shutter"))
        #expect(shutter.send(request()))
        #expect(try passed([0, 1, 2], through: harness) == [0])
    }

    /// In a live stream the frame of the number is the one in the photo, and the bin stores its file.
    @Test func theBinTakesAFrameOfALiveStreamByItsNumber() throws {
        let folder = try TemporaryFolder()
        let host = try PhotoBinHost(
            "frames=1 fusion-mode=speed capture-frame=5 location=\(folder.url.path)/")
        try host.start()
        let end = try #require(host.ends(1).first)
        #expect(end["result"] == "succeeded", "\(end)")
        let photos = host.photos(of: end["capture-id"]?.unsigned ?? 0)
        #expect(photos.first?.sample?.buffer?.frameMetadata?.frameNumber == 5)
        #expect(FileManager.default.fileExists(atPath: folder.path("photo-0001.jpg")))
        try host.bin.set("capture-frame", 6)
        #expect(host.ends(2).count == 2)
        #expect(host.allErrors.isEmpty)
    }

    /// The event reaches the bin through its pipeline, once for all branches, with the fields of a request.
    @Test func anEventThatIsSentToThePipelineTakesAPhotoOfTheBin() throws {
        let host = try PhotoBinHost("formats=bayer,jpeg frames=1 fusion-mode=speed")
        try host.start()
        let request = Structure("gscap-capture-request", ["id": .uint64(77), "formats": "jpeg", "title": "By event"])
        // Its result is also that of the other sink, whose camera does not know the event.
        host.pipeline.send(.customUpstream(request))
        #expect(host.result(of: 77) == "succeeded", "\(host.reason(of: 77))")
        #expect(host.photos(of: 77).map(\.format) == ["jpeg"])
        let metadata = host.photos(of: 77).first?.sample?.buffer?.frameMetadata
        #expect(metadata?.details.title == "By event")
        #expect(host.ends(1).count == 1)
    }

    @Test func theBinTakesPhotosInItsPeriod() throws {
        let host = try PhotoBinHost("frames=1 fusion-mode=speed capture-period=0.05")
        try host.start()
        #expect(host.ends(3).filter { $0["result"] == "succeeded" }.count >= 1)
        try host.bin.set("capture-period", 0.0)
        #expect(host.allErrors.isEmpty)
    }
}
