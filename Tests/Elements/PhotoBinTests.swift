import DNG
import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import Testing

/// The bin with the whole photo branch: its photos, messages, refusals and metrics.
@Suite(.timeLimit(.minutes(10))) struct PhotoBinTests {
    init() throws { try GscapPlugin.register() }

    private func bytes(_ photo: PhotoMessage) -> [UInt8] {
        photo.sample?.buffer?.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } } ?? []
    }

    /// Every message of a capture arrives in order, and each format is one photo whose bytes are the file.
    @Test func deliversEachFormat() throws {
        let host = try PhotoBinHost("formats=bayer,proraw,jpeg,png,uncompressed frames=3 fusion-mode=speed")
        try host.start()
        let id = try host.press()
        #expect(id > 0)
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        let events = host.events(of: id)
        #expect(events.first == "begun" && events.last == "done", "\(events)")
        #expect(events.filter { $0 == "done" }.count == 1 && events.contains("taken") && events.contains("fused"))
        let photos = host.photos(of: id)
        #expect(Set(photos.map(\.format)) == ["bayer", "proraw", "jpeg", "png", "uncompressed"])
        #expect(photos.count == 5 && photos.allSatisfy { $0.error == nil && $0.path == nil })
        for photo in photos {
            let start = Array(bytes(photo).prefix(4))
            switch photo.format {
            case "jpeg": #expect(start.prefix(2) == [0xFF, 0xD8])
            case "png": #expect(start == [0x89, 0x50, 0x4E, 0x47])
            case "uncompressed": #expect(bytes(photo).count >= 64 * 48 * 3)
            default:
                let file = try DNGFile(bytes: bytes(photo))
                #expect(file.metadata.receipt?.captureID == id)
                #expect(file.metadata.receipt?.frameNumber == photo.receipt?.frameNumber)
                // A file is encoded before it is delivered, and cannot state when that will be.
                let encoded = try #require(file.metadata.receipt?.age)
                let delivered = try #require(photo.receipt?.age)
                #expect(encoded < delivered)
            }
        }
    }

    /// The receipt states when the photo was taken; the metrics follow it.
    @Test func statesItsFreshness() throws {
        let host = try PhotoBinHost("fusion-mode=speed")
        try host.start()
        #expect(try host.bin.get("photo-age", as: Double.self) == -1)
        let id = try host.press(["frames": 3])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        let receipt = try #require(host.photos(of: id).first?.receipt)
        #expect(receipt.captureID == id && receipt.framesUsed >= 1 && receipt.sensorRunningTime != nil)
        #expect(receipt.lag.map { abs($0) < 60 } == true)
        #expect(receipt.age.map { $0 >= 0 && $0 < 60 } == true)
        #expect(try host.bin.get("photo-age", as: Double.self) >= 0)
        #expect(try host.bin.get("photo-latency", as: Double.self) >= 0)
        #expect(try host.bin.get("waiting", as: Int.self) == 0)
        #expect(try host.bin.get("bytes-held", as: Int.self) > 0)
    }

    /// A capture that is a part of another one states that one to the user, and itself in its messages.
    @Test func theReceiptStatesTheCaptureOfTheRequest() throws {
        let host = try PhotoBinHost("formats=bayer frames=1")
        try host.start()
        let id = try host.press(["receipt-id": 4321])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        let photo = try #require(host.photos(of: id).first)
        #expect(photo.captureID == id && photo.receipt?.captureID == 4321)
        #expect(try DNGFile(bytes: bytes(photo)).metadata.receipt?.captureID == 4321)
    }

    /// The signal has the same messages as the bus, for hosts whose bus belongs to somebody else.
    @Test func theSignalReportsEveryMessage() throws {
        let host = try PhotoBinHost("frames=2 fusion-mode=speed")
        let events = Mutex<[String]>([])
        try host.bin.connect("capture-event") { arguments in
            guard case .structure(let message)? = arguments.first, let event = message["event"]?.text else { return }
            events.withLock { $0.append(event) }
        }
        try host.start()
        let id = try host.press()
        #expect(host.result(of: id) == "succeeded")
        #expect(events.withLock { $0 } == host.events(of: id))
    }

    /// Requests that the issue names, and others: each is refused with the field, the value and what is allowed.
    @Test(
        arguments: [
            ("frames", Value.string("two"), "1 to 64"), ("frames", .int(100_000), "1 to 64"), ("frames", 0, "1 to 64"),
            ("fusion-mode", "nonsense", "speed"), ("exposure-time", -1.0, "above 0"), ("framse", 2, "no field"),
            ("formats", "png", "jpeg"), ("every-frame", 1, "boolean"), ("tolerance", -1.0, "from 0"),
            ("settings", .structure(Structure("settings", ["png-encoder": .structure(Structure("v"))])), "jpeg"),
            (
                "settings",
                .structure(
                    Structure("s", ["jpeg-encoder": .structure(Structure("v", ["quality": 7.0]))])), "quality"
            ),
            (
                "settings",
                .structure(
                    Structure("s", ["jpeg-encoder": .structure(Structure("v", ["name": "other"]))])), "may set"
            ),
            ("time", .uint64(.max), "running time"),
        ] as [(String, Value, String)])
    func aWrongRequestIsRefused(field: String, value: Value, allowed: String) throws {
        let host = try PhotoBinHost()
        try host.start()
        #expect(try host.press(["id": .uint64(7), field: value]) == 0)
        #expect(host.events(of: 7) == ["done"])
        #expect(host.result(of: 7) == "failed")
        let reason = host.reason(of: 7)
        #expect(reason.contains(field) && reason.contains(allowed), "\(reason)")
        #expect(try host.bin.get("refused", as: Int.self) == 1)
        #expect(try host.bin.query("admission", Structure("a", [field: value]))?["verdict"]?.text == "invalid")
    }

    @Test func aPressWithoutAStreamIsRefused() throws {
        let host = try PhotoBinHost()
        #expect(try host.press() == 0)
        #expect(try host.bin.get("refused", as: Int.self) == 1)
    }

    @Test(arguments: ["jpg", "", "jpeg,jpeg", "jpeg,", "proRAW"])
    func aWrongListOfFormatsIsAnError(formats: String) throws {
        let bin = try Element(factory: "gscapphotobin")
        try bin.set("formats", .string(formats))
        #expect(throws: GStreamerError.self) { try bin.setState(.ready) }
        try bin.set("formats", "jpeg, proraw")
        try bin.setState(.paused)
        try bin.setState(.null)
    }

    /// A capture may take some of the formats only, and each frame as a Bayer photo.
    @Test func aRequestSelectsFormats() throws {
        let host = try PhotoBinHost("formats=bayer,jpeg fusion-mode=speed")
        try host.start()
        let jpeg = try host.press(["frames": 2, "formats": "jpeg"])
        #expect(host.result(of: jpeg) == "succeeded")
        #expect(host.photos(of: jpeg).map(\.format) == ["jpeg"])
        let frames = try host.press(["frames": 3, "formats": "bayer", "every-frame": true])
        #expect(host.result(of: frames) == "succeeded")
        #expect(host.photos(of: frames).map(\.format) == ["bayer", "bayer", "bayer"])
        #expect(Set(host.photos(of: frames).map(\.receipt?.frameNumber)).count == 3)
    }

    /// A WebP encoder neither holds back the end of its capture nor loses its photo.
    @Test func aWebPPhotoEndsItsCapture() throws {
        let host = try PhotoBinHost("formats=webp fusion-mode=speed frames=1")
        try host.start()
        let start = Date()
        let id = try host.press(["frames": 1])
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        #expect(host.photos(of: id).map(\.format) == ["webp"])
        #expect(Date().timeIntervalSince(start) < 60)
    }
}
