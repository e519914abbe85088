import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// The bin in streams that change: failing branches, files, flushes, stops, deadlines, two bins.
@Suite(.timeLimit(.minutes(10))) struct PhotoBinStreamTests {
    init() throws { try GscapPlugin.register() }

    private func folder() throws -> String {
        let path = NSTemporaryDirectory() + "gscap-bin-\(UUID().uuidString)/"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Files appear whole under free numbers; none is replaced.
    @Test func storesFilesUnderFreeNumbers() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = FileManager.default.createFile(atPath: folder + "cam-0001.jpg", contents: Data([1]))
        let host = try PhotoBinHost("formats=bayer,proraw,jpeg frames=1 fusion-mode=speed location=\(folder)cam")
        try host.start()
        for number in ["0002", "0003"] {
            let id = try host.press(["frames": 1])
            #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
            let names = Set(host.photos(of: id).compactMap { $0.path?.split(separator: "/").last.map(String.init) })
            #expect(names == ["cam-\(number)-bayer.dng", "cam-\(number)-proraw.dng", "cam-\(number).jpg"])
            for photo in host.photos(of: id) {
                let stored = FileManager.default.contents(atPath: photo.path ?? "")
                #expect(stored?.count == photo.sample?.buffer?.size)
            }
        }
        #expect(FileManager.default.contents(atPath: folder + "cam-0001.jpg") == Data([1]))
    }

    /// A folder that is deleted while the bin runs fails the photos with the reason, and nothing else.
    @Test func aMissingFolderFailsThePhoto() throws {
        let folder = try folder()
        let host = try PhotoBinHost("frames=1 fusion-mode=speed location=\(folder)")
        try host.start()
        try FileManager.default.removeItem(atPath: folder)
        let id = try host.press(["frames": 1])
        #expect(host.result(of: id) == "failed")
        let photo = try #require(host.photos(of: id).first)
        #expect(photo.sample == nil && photo.error?.contains("folder does not exist") == true)
        try host.bin.set("location", "")
        let next = try host.press(["frames": 1])
        #expect(host.result(of: next) == "succeeded")
        #expect(host.allErrors.isEmpty)
    }

    /// An element that takes no frames fails the photo of its branch alone.
    @Test func aFailingBranchFailsAlone() throws {
        let host = try PhotoBinHost("formats=bayer,jpeg frames=1 fusion-mode=speed")
        try host.start()
        let inside = try #require(host.pipeline.element(named: "jpeg-look"))
        try inside.setState(.null)
        let id = try host.press(["frames": 1])
        #expect(host.result(of: id) == "partial", "\(host.reason(of: id))")
        #expect(host.photos(of: id).first { $0.format == "bayer" }?.error == nil)
        #expect(host.allErrors.isEmpty)
    }

    @Test func aCancelledCaptureEnds() throws {
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.start()
        let id = try host.press(["frames": 64, "zero-shutter-lag": false])
        #expect(try host.bin.emit("cancel", id))
        #expect(host.result(of: id) == "cancelled")
    }

    /// Stops and restarts in mid-capture: every ticket ends once, and the bin works again.
    @Test func everyTicketEndsAtAStop() throws {
        let host = try PhotoBinHost("formats=proraw,jpeg fusion-mode=speed")
        for round in 0..<5 {
            try host.start()
            let id = try host.press(["frames": 4])
            if round % 2 == 1 { host.wait(for: "frame", of: id) }
            try host.pipeline.setState(.null)
            let events = host.events(of: id)
            #expect(events.last == "done" && events.filter { $0 == "done" }.count == 1, "round \(round): \(events)")
        }
        try host.start()
        let id = try host.press()
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
    }

    /// Flushes and new formats in mid-capture end its ticket; the stream goes on.
    @Test func aFlushOrANewFormatEndsTheTicket() throws {
        let caps = "video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"
        let host = try PhotoBinHost(
            "fusion-mode=speed", source: "appsrc name=in is-live=true format=time caps=\(caps)")
        let source = try #require(host.pipeline.element(named: "in").flatMap(AppSrc.init))
        try host.pipeline.setState(.playing)
        var number: UInt64 = 0
        func push(_ count: Int, width: Int = 64, height: Int = 48) throws {
            for _ in 0..<count {
                number += 1
                var frame = try Buffer(size: width * height * 2)
                var metadata = FrameMetadata(bitDepth: 12)
                (metadata.frameNumber, metadata.exposureTime, metadata.iso) = (number, 0.01, 100)
                try frame.setFrameMetadata(metadata)
                frame.presentationTime = number * 33_000_000
                try source.push(frame)
            }
        }
        func press(_ id: UInt64, frames: Int32) throws -> UInt64 {
            try host.press([
                "id": .uint64(id), "frames": .int(frames), "time": .uint64(number * 33_000_000), "tolerance": 100.0,
            ])
        }
        try push(4)
        #expect(try press(1, frames: 8) == 1)
        source.send(.flushStart())
        source.send(.flushStop(resetTime: false))
        source.setCaps(try Caps("video/x-bayer,format=bggr12le,width=32,height=24,framerate=30/1"))
        try push(9, width: 32, height: 24)
        #expect(host.end(of: 1) != nil)
        // A press before the new format would end with the old one.
        try host.waitForFrames(8)
        #expect(try press(2, frames: 2) == 2)
        try push(3, width: 32, height: 24)
        #expect(host.result(of: 2) == "succeeded", "\(host.reason(of: 2))")
    }

    /// Two bins on one tee take photos at the same time, each with its own messages.
    @Test func twoBinsShareAStream() throws {
        let host = try PhotoBinHost(
            "fusion-mode=speed frames=2",
            source: "gscapsensorsrc is-live=true ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1 "
                + "! tee name=more more. ! queue ! gscapphotobin name=others formats=png fusion-mode=speed "
                + "more. ! queue"
        )
        let other = try #require(host.pipeline.element(named: "others"))
        try host.start()
        let first = try host.press()
        let second = try other.emit("capture", Structure("capture", ["frames": 2]))
        #expect(first > 0 && second > 0 && first != second)
        #expect(host.result(of: first) == "succeeded" && host.result(of: second) == "succeeded")
        #expect(host.photos(of: first).map(\.format) == ["jpeg"])
        #expect(host.photos(of: second).map(\.format) == ["png"])
    }

    /// The end of the stream passes the bin, and every capture has ended.
    @Test func theEndOfTheStreamArrives() throws {
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.start()
        let id = try host.press(["frames": 3])
        host.wait(for: "taken", of: id)
        host.pipeline.element(named: "camera")?.send(.endOfStream())
        #expect(host.waitForEndOfStream())
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
    }
}
