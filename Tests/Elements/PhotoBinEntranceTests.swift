import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import TestClocks
import Testing

/// The bin on the stream of a host: whatever arrives, the stream goes on, and photos are taken as soon as they can be.
@Suite(.timeLimit(.minutes(10))) struct PhotoBinEntranceTests {
    init() throws { try GscapPlugin.register() }

    private static let bayer = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"

    /// A host whose frames the test pushes; a press takes any of them.
    private final class PushedHost {
        let host: PhotoBinHost
        let source: AppSrc
        private var number: UInt64 = 0

        init() throws {
            host = try PhotoBinHost(
                "fusion-mode=speed frames=1", source: "appsrc name=in is-live=true format=time caps=\(bayer)")
            source = try #require(host.pipeline.element(named: "in").flatMap(AppSrc.init))
            try host.pipeline.setState(.playing)
        }

        func push(_ count: Int, bytes: Int = 64 * 48 * 2) throws {
            for _ in 0..<count {
                number += 1
                var frame = try Buffer(size: bytes)
                var metadata = FrameMetadata(bitDepth: 12)
                (metadata.frameNumber, metadata.exposureTime, metadata.iso) = (number, 0.01, 100)
                try frame.setFrameMetadata(metadata)
                frame.presentationTime = number * 33_000_000
                try source.push(frame)
            }
        }

        func press(_ id: UInt64, frames: Int32 = 1) throws -> UInt64 {
            try host.press([
                "id": .uint64(id), "frames": .int(frames), "time": .uint64(number * 33_000_000), "tolerance": 100.0,
            ])
        }

        /// Waits until a press is answered as expected, a minute at most.
        func waitForVerdict(_ verdict: String) throws -> String {
            var answer: Structure?
            let isGiven = try blocks {
                answer = try host.bin.query("admission", Structure("admission"))
                return answer?["verdict"]?.text == verdict
            }
            return isGiven ? answer?["reason"]?.text ?? "" : "no verdict \(verdict)"
        }
    }

    /// Frames of another format are dropped, with the reason in a warning and at each press, until they fit again.
    @Test func anotherFormatStopsNoStream() throws {
        let pushed = try PushedHost()
        let host = pushed.host
        try pushed.push(2)
        try host.waitForFrames(2)
        #expect(try pushed.press(1, frames: 64) == 1)
        pushed.source.setCaps(try Caps("video/x-raw,format=RGB,width=4,height=4,framerate=30/1"))
        try pushed.push(3, bytes: 48)
        #expect(host.result(of: 1) == "failed")
        #expect(host.reason(of: 1).contains("video/x-raw"))
        #expect(try pushed.waitForVerdict("closed").contains("Bayer"))
        #expect(try pushed.press(2) == 0)
        #expect(host.reason(of: 2).contains("Bayer"))
        pushed.source.setCaps(try Caps(Self.bayer))
        try pushed.push(3)
        _ = try pushed.waitForVerdict("accepted")
        try host.waitForFrames(2)
        #expect(try pushed.press(3) == 3)
        #expect(host.result(of: 3) == "succeeded", "\(host.reason(of: 3))")
        #expect(host.allErrors.isEmpty, "\(host.allErrors)")
        #expect(host.allWarnings.contains { $0.message.contains("photos need Bayer frames") })
    }

    /// A frame with too few bytes is dropped; the next one is taken.
    @Test func aBrokenFrameStopsNoStream() throws {
        let pushed = try PushedHost()
        let host = pushed.host
        try pushed.push(1)
        try pushed.push(2, bytes: 10)
        try pushed.push(3)
        try host.waitForFrames(4)
        _ = try pushed.waitForVerdict("accepted")
        #expect(try pushed.press(1) == 1)
        #expect(host.result(of: 1) == "succeeded", "\(host.reason(of: 1))")
        #expect(host.allErrors.isEmpty, "\(host.allErrors)")
    }

    /// The bin may be stopped and started, in place or behind a queue, while its stream goes on at full speed.
    @Test(arguments: ["", "queue leaky=downstream max-size-buffers=2 ! "])
    func aBinThatStopsStopsNoStream(queue: String) throws {
        let pipeline = try Pipeline(
            parsing: "videotestsrc is-live=true ! video/x-bayer,format=rggb,width=64,height=48,framerate=5000/1 "
                + "! tee name=raw raw. ! queue leaky=downstream ! fakesink name=screen sync=false async=false "
                + "raw. ! \(queue)gscapphotobin name=photos frames=1")
        defer { pipeline.stopOnAnotherThread() }
        let bin = try #require(pipeline.element(named: "photos"))
        let screen = try #require(pipeline.element(named: "screen")?.pad("sink"))
        let shown = Atomic(0)
        _ = screen.addBufferProbe { _ in
            shown.add(1, ordering: .relaxed)
            return .pass
        }
        func shows() -> Bool {
            let before = shown.load(ordering: .relaxed)
            return blocks { shown.load(ordering: .relaxed) > before }
        }
        try pipeline.setState(.playing)
        for cycle in 0..<100 {
            try bin.setState(cycle % 2 == 0 ? .null : .ready)
            // Frames meet the bin in this state, too.
            _ = shows()
            try bin.setState(.playing)
            try #require(shows(), "the stream ended in cycle \(cycle)")
        }
        // The bin takes frames again.
        #expect(
            try blocks { try bin.query("admission", Structure("admission"))?["verdict"]?.text == "accepted" })
    }

    /// Events that are lost when a pad is linked while the stream pushes a frame are taken from upstream.
    @Test(
        arguments: [
            [Event.Kind.streamStart], [.caps], [.segment], [.caps, .segment], [.streamStart, .caps, .segment],
        ])
    func missingEventsAreRepeated(kinds: [Event.Kind]) throws {
        let host = try PhotoBinHost("fusion-mode=speed frames=1")
        let output = try #require(host.bin.pad("sink")?.peer)
        let probe = output.addEventProbe { kinds.contains($0.kind) ? .drop : .pass }
        try host.start()
        probe.remove()
        let id = try host.press(["frames": 1, "tolerance": 60.0])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        #expect(host.photos(of: id).first?.receipt?.lag != nil)
        #expect(host.allErrors.isEmpty)
    }

    /// A bin that is linked in NULL to a running tee drops the frames; once it runs, it takes photos. It may stop too.
    @Test func aBinThatDoesNotRunStopsNoStream() throws {
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.start()
        let tee = try #require(host.pipeline.element(named: "raw"))
        let bin = try Bin(factory: "gscapphotobin")
        try bin.set("fusion-mode", "speed")
        bin.setStateLocked(true)
        try host.pipeline.add(bin)
        let (output, input) = (try #require(tee.requestPad("src_%u")), try #require(bin.pad("sink")))
        try output.link(to: input)
        let id = try host.press(["frames": 4, "zero-shutter-lag": false])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        bin.setStateLocked(false)
        #expect(bin.syncStateWithParent())
        let request = Structure("capture", ["frames": 1, "tolerance": 60.0])
        let own: UInt64 = try bin.emit("capture", request)
        #expect(host.result(of: own) == "succeeded", "\(host.reason(of: own))")
        bin.setStateLocked(true)
        output.unlink(from: input)
        try bin.setState(.null)
        try output.link(to: input)
        let last = try host.press(["frames": 4, "zero-shutter-lag": false])
        #expect(host.result(of: last) == "succeeded", "\(host.reason(of: last))")
        #expect(host.allErrors.isEmpty, "\(host.allErrors)")
        output.unlink(from: input)
        host.pipeline.remove(bin)
    }

    // MARK: - Flushes, ends and seeks

    /// A flush of the bin's pad alone ends the capture under way; the next capture has its photo.
    @Test func aFlushOfTheBranchAloneLosesNoLaterPhoto() throws {
        let host = try PhotoBinHost("formats=bayer,proraw,jpeg fusion-mode=speed frames=1")
        try host.start()
        let input = try #require(host.bin.pad("sink")?.peer?.parentElement?.pad("sink"))
        let (output, first) = (try #require(input.peer), try host.press(["frames": 64]))
        for round in 0..<3 {
            // A tee that pushes into a pad that is being flushed would end its stream.
            output.unlink(from: input)
            input.send(.flushStart())
            input.send(.flushStop(resetTime: false))
            try output.link(to: input)
            try host.waitForFrames(2)
            let id = try host.press(["frames": 2, "tolerance": 60.0])
            #expect(host.result(of: id) == "succeeded", "round \(round): \(host.reason(of: id))")
            #expect(host.photos(of: id).count == 3)
        }
        #expect(try host.bin.emit("cancel", first) || host.end(of: first) != nil)
        #expect(host.end(of: first) != nil)
        #expect(host.allErrors.isEmpty)
    }

    /// After the end of the branch's stream, another one may begin behind a flush.
    @Test func aNewStreamAfterTheEndIsTaken() throws {
        let host = try PhotoBinHost("fusion-mode=speed frames=1")
        try host.start()
        let input = try #require(host.bin.pad("sink")?.peer?.parentElement?.pad("sink"))
        let output = try #require(input.peer)
        let under = try host.press(["frames": 64, "zero-shutter-lag": false])
        output.unlink(from: input)
        input.send(.endOfStream())
        #expect(host.end(of: under)?["result"]?.text == "failed")
        input.send(.flushStart())
        input.send(.flushStop(resetTime: false))
        try output.link(to: input)
        try host.waitForFrames(2)
        let id = try host.press(["frames": 2, "tolerance": 60.0])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        #expect(host.allErrors.isEmpty)
    }

    /// A seek of the host's recording ends the capture under way; the next photo is from after the seek.
    @Test func aSeekOfTheHostIsFollowed() throws {
        let recording =
            "videotestsrc ! video/x-bayer,format=rggb,width=64,height=48,framerate=100/1 ! identity sync=true"
        let host = try PhotoBinHost("fusion-mode=speed frames=2", source: recording)
        // A seek resets the pipeline's base time only if a sink waits for the first frame after it.
        try host.pipeline.element(named: "screen")?.set("async", .boolean(true))
        try host.pipeline.setState(.playing)
        // A seek before its first frame makes videotestsrc begin at frame 0 of the new segment's time, out of step.
        try host.waitForFrames(2)
        var seeks: [UInt64] = [0, 3600, 60, 7200].map { $0 * 1_000_000_000 }
        let position = seeks.removeFirst()
        #expect(position == 0)
        for seek in seeks {
            let under = try host.press(["frames": 64])
            #expect(host.pipeline.send(.seek(to: seek)))
            if under > 0 { #expect(host.end(of: under) != nil) }
            let id = try host.press(["frames": 2, "tolerance": 60.0])
            #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
            let time = host.photos(of: id).first?.sample?.buffer?.presentationTime ?? 0
            #expect(time >= seek && time < seek + 60_000_000_000, "\(time) after a seek to \(seek)")
        }
        #expect(host.allErrors.isEmpty)
    }
}
