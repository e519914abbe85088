import Foundation
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Testing

/// Captures of the simulated camera that change its exposure or fire its flash, in running pipelines.
@Suite(.timeLimit(.minutes(10))) struct BracketCaptureTests {
    init() throws { try GscapPlugin.register() }

    /// The exposures of a bracket, relative to the camera's.
    private func bracket(_ biases: [Double]) -> Value {
        .array(biases.map { .structure(Structure("exposure", ["exposure-bias": .double($0)])) })
    }

    /// The automatic exposure of the simulated camera at ISO 100.
    private let ownTime = 0.01

    @Test(arguments: [0, 2, 6], [0, 0.3])
    func eachExposureIsRecordedAsRequested(delay: Int, drop: Double) throws {
        let camera = try SimulatedCamera("control-delay=\(delay) drop=\(drop)")
        let biases = [-2.0, 0, 2, 0]
        #expect(try camera.press(["id": .uint64(1), "frames": 2, "bracket": bracket(biases)]) == 1)
        let frames = camera.frames(8)
        #expect(frames.compactMap { $0.capture?.exposure } == [0, 0, 1, 1, 2, 2, 3, 3])
        #expect(frames.compactMap { $0.capture?.index } == [0, 1, 0, 1, 0, 1, 0, 1])
        for frame in frames {
            let tag = try #require(frame.capture)
            let time = ownTime * exp2(biases[min(3, tag.exposure)])
            #expect(abs(frame.exposureTime - time) <= 0.01 * time)
            #expect(tag.count == 2 && tag.exposureCount == 4 && tag.id == 1 && !tag.isBracket)
        }
        #expect(Set(frames.map(\.frameNumber)).count == 8, "equal exposures have frames of their own")
        #expect(camera.waitForResult(of: 1) == .succeeded)
        // The camera's own exposure is restored.
        #expect(camera.waitForExposure(ownTime))
    }

    @Test func theMessagesOfABracketAreInOrder() throws {
        let camera = try SimulatedCamera()
        #expect(try camera.press(["id": .uint64(2), "frames": 1, "bracket": bracket([-1, 0, 1])]) == 2)
        #expect(camera.waitForResult(of: 2) == .succeeded)
        let events = camera.messages(of: 2)
        #expect(events.first == .begun(id: 2, frames: 3))
        let exposures = events.filter { message in
            switch message {
            case .exposing, .exposed: true
            default: false
            }
        }
        #expect(
            exposures
                == (0..<3).flatMap {
                    [CaptureMessage.exposing(id: 2, index: $0, count: 3), .exposed(id: 2, index: $0, count: 3)]
                })
        #expect(events.filter { if case .taken = $0 { true } else { false } }.count == 1)
        for message in events { #expect(CaptureMessage(message.structure) == message) }
    }

    @Test func anOrdinaryCaptureHasOneExposure() throws {
        let camera = try SimulatedCamera()
        #expect(try camera.press(["id": .uint64(3), "frames": 1]) == 3)
        #expect(camera.waitForResult(of: 3) == .succeeded)
        let names = camera.messages(of: 3).compactMap { $0.structure["event"]?.text }
        #expect(names == ["begun", "exposing", "frame", "exposed", "taken", "done"])
    }

    /// The fused burst has the references of all exposures, the middle one first, and comes last.
    @Test func theReferencesAreAlsoMerged() throws {
        let camera = try SimulatedCamera("shake=0", size: "width=320,height=240", behind: "rawfusion")
        let fields: KeyValuePairs<String, Value> = [
            "id": .uint64(4), "frames": 1, "bracket": bracket([2, -2, 0]), "fuse-bracket": true,
        ]
        #expect(try camera.press(fields) == 4)
        let photos = camera.frames(4)
        #expect(photos.compactMap { $0.capture?.exposure } == [0, 1, 2, 3])
        #expect(photos.compactMap { $0.capture?.isBracket } == [false, false, false, true])
        #expect(photos.allSatisfy { $0.capture?.count == 1 && $0.capture?.exposureCount == 3 })
        let fused = try #require(photos.last)
        #expect(fused.fusion?.frames.count == 3)
        #expect(fused.fusion?.reference == 0)
        #expect(fused.fusion?.headroom ?? 0 > 0, "the short exposure extends the highlights")
        #expect(abs(fused.exposureTime - ownTime) <= 0.01 * ownTime)
        #expect(camera.waitForResult(of: 4) == .succeeded, "\(camera.messages(of: 4).map(\.structure))")
    }

    @Test func twoBracketsTakeTurns() throws {
        let camera = try SimulatedCamera("drop=0.2")
        for id in [5, 6] as [UInt64] {
            #expect(try camera.press(["id": .uint64(id), "frames": 1, "bracket": bracket([-2, 2])]) == id)
        }
        let frames = camera.frames(4)
        #expect(frames.compactMap { $0.capture?.id } == [5, 5, 6, 6])
        for frame in frames {
            // Both are relative to the camera's own exposure, not to the other bracket's.
            let time = ownTime * (frame.capture?.exposure == 0 ? 0.25 : 4)
            #expect(abs(frame.exposureTime - time) <= 0.01 * time)
        }
        for id in [5, 6] as [UInt64] { #expect(camera.waitForResult(of: id) == .succeeded) }
    }

    @Test func aBracketMayBeCancelledMidway() throws {
        let camera = try SimulatedCamera("control-delay=6")
        // The second exposure is out of the sensor's range, so that the bracket waits.
        let exposures: [Value] = [0.005, 600].map {
            .structure(Structure("exposure", ["exposure-time": .double($0)]))
        }
        #expect(try camera.press(["id": .uint64(7), "frames": 1, "bracket": .array(exposures)]) == 7)
        #expect(camera.wait { $0.contains(.exposed(id: 7, index: 0, count: 2)) })
        #expect(try camera.shutter.emit("cancel", 7))
        #expect(camera.waitForResult(of: 7) == .cancelled)
        #expect(camera.waitForExposure(ownTime))
        #expect(try camera.press(["id": .uint64(8), "frames": 1]) == 8)
        #expect(camera.waitForResult(of: 8) == .succeeded)
    }

    /// A source that obeys nothing: the bracket fails after a bounded number of requests and frames.
    @Test func aBracketOfASourceThatDoesNotObeyFails() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(2)
        let exposures: [Value] = [100, 800].map { .structure(Structure("exposure", ["iso": .double($0)])) }
        #expect(try camera.press(["frames": 1, "bracket": .array(exposures), "id": .uint64(9)]) == 9)
        for _ in 0..<40 where camera.result(of: 9) == nil { try camera.push(25) }
        #expect(camera.waitForResult(of: 9) == .failed)
        #expect(camera.reason(of: 9).contains("exposure 1 of the bracket"), "\(camera.reason(of: 9))")
        #expect(camera.requestedISOs.last == 100)
    }

    @Test func theFlashFires() throws {
        let camera = try SimulatedCamera()
        #expect(try camera.press(["id": .uint64(10), "frames": 2, "flash": "on"]) == 10)
        #expect(camera.frames(2).map(\.flashFired) == [true, true])
        #expect(camera.waitForResult(of: 10) == .succeeded)
        // The flash is off afterwards, also for a capture that follows at once.
        #expect(try camera.press(["id": .uint64(11), "frames": 1, "bracket": bracket([-1, 1])]) == 11)
        #expect(camera.frames(2).map(\.flashFired) == [false, false])
        #expect(camera.waitForResult(of: 11) == .succeeded)
    }

    @Test(arguments: [(0.01, nil), (0.0001, true)] as [(Double, Bool?)])
    func theAutomaticFlashFiresInTheDark(time: Double, fired: Bool?) throws {
        let camera = try SimulatedCamera("exposure-time=\(time)")
        #expect(try camera.press(["id": .uint64(12), "frames": 1, "flash": "auto"]) == 12)
        let frame = try #require(camera.frames(1).first)
        #expect(frame.flashFired == fired)
        #expect(camera.waitForResult(of: 12) == .succeeded)
    }

    @Test func withoutAFlashTheCaptureFails() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(2)
        #expect(try camera.press(["frames": 1, "flash": "on", "id": .uint64(13)]) == 13)
        for _ in 0..<40 where camera.result(of: 13) == nil { try camera.push(25) }
        #expect(camera.waitForResult(of: 13) == .failed)
        #expect(camera.reason(of: 13).contains("flash"), "\(camera.reason(of: 13))")
    }

    @Test func theRequestsMetadataIsTheFrames() throws {
        let camera = try SimulatedCamera()
        let values = Structure("values", ["quality": 0.8])
        let settings = Structure("settings", ["jpeg-encoder": .structure(values)])
        let fields: KeyValuePairs<String, Value> = [
            "id": .uint64(14), "frames": 1, "artist": "Ada", "title": "Test", "copyright": "CC0", "orientation": 6,
            "keywords": .array(["lake", "A, B"]),
            "latitude": 48.5, "longitude": -9.25, "altitude": 300.0, "settings": .structure(settings),
            "zero-shutter-lag": false,
        ]
        #expect(try camera.press(fields) == 14)
        let frame = try #require(camera.frames(1).first)
        #expect(frame.details.artist == "Ada" && frame.details.title == "Test" && frame.details.copyright == "CC0")
        #expect(frame.orientation == 6 && frame.details.keywords == ["lake", "A, B"])
        #expect(frame.details.location == Location(latitude: 48.5, longitude: -9.25, altitude: 300))
        #expect(frame.capture?.settings == ["jpeg-encoder": ["quality": "0.8"]])
    }

    /// Requests with a wrong field, and a part of the reason for their refusal.
    private static let wrongRequests: [(KeyValuePairs<String, Value>, String)] = [
        (["frames": "many"], "frames is not an integer"),
        (["exposure-time": "long"], "exposure-time is not a number above 0"),
        (["exposure-bias": .double(.nan)], "exposure-bias is not a number from -20 to 20 EV: nan"),
        (["exposure-bias": 400.0], "exposure-bias is not a number from -20 to 20 EV: 400"),
        (["exposure-bias": 1.0, "exposure-time": 0.1, "iso": 100.0], "no effect"),
        (["bracket": 3], "bracket is not an array of objects"),
        (["bracket": .array([1.0, 2.0])], "bracket is not an array of objects"),
        (["bracket": .array([exposure(.nan), exposure(1)])], "bracket[0].exposure-bias is not a number"),
        (["bracket": .array(Array(repeating: exposure(1), count: 17))], "more than 16 exposures"),
        (["bracket": .array(Array(repeating: exposure(1), count: 5)), "frames": 13], "more than 64"),
        (["bracket": .array([exposure(1), exposure(2)]), "iso": 100.0], "belong to the exposures"),
        (["bracket": .array([exposure(1), exposure(2)]), "flash": "on"], "flash cannot fire in a bracket"),
        (["fuse-bracket": true], "at least two exposures"),
        (
            ["bracket": .array(Array(repeating: exposure(1), count: 10)), "frames": 1, "fuse-bracket": true],
            "at most 9"
        ),
        (["flash": "torch"], "flash is not one of off, on, auto"), (["flash": 1], "flash is not one of"),
        (["zero-shutter-lag": "no"], "zero-shutter-lag is not a boolean"),
        (["orientation": 9], "orientation is not an integer from 1 to 8: 9"), (["artist": 7], "artist is not a string"),
        (["latitude": 10.0], "latitude has no meaning without longitude"),
        (["white-temperature": 5000.0, "white-tint": 1e300], "white-tint is not a number from -500 to 500: 1e+300"),
        (["latitude": 91.0, "longitude": 0.0], "latitude is not a number from -90 to 90 °: 91"),
        (["settings": 1], "settings is not a structure"),
        (["fusion-mode": "best"], "fusion-mode is not one of"),
    ]

    private static func exposure(_ bias: Double) -> Value {
        .structure(Structure("exposure", ["exposure-bias": .double(bias)]))
    }

    @Test(arguments: wrongRequests.indices) func aWrongRequestIsRefused(index: Int) throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(2)
        let (fields, reason) = Self.wrongRequests[index]
        var request = Structure("capture", fields)
        request["id"] = .uint64(99)
        #expect(try camera.shutter.emit("capture", request) == 0)
        #expect(camera.result(of: 99) == .failed)
        #expect(camera.reason(of: 99).contains(reason), "\(camera.reason(of: 99))")
    }

    /// A bias needs the exposure of the camera's frames.
    @Test func aBiasWithoutTheCamerasExposureFails() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(2)
        #expect(try camera.press(["frames": 1, "exposure-bias": 1.0, "id": .uint64(15)]) == 15)
        #expect(camera.waitForResult(of: 15) == .failed)
        #expect(camera.reason(of: 15).contains("exposure-bias"))
    }

    /// A recorded bracket: in a stream that is not live each frame counts, in order.
    @Test func aRecordedBracketIsTakenInOrder() throws {
        let harness = try Harness(factory: "rawshutter")
        harness.send(caps: "video/x-bayer,format=rggb12le,width=4,height=2,framerate=10/1")
        let times = [0.01, 0.0025, 0.04]
        let exposures = times.map { Value.structure(Structure("exposure", ["exposure-time": .double($0)])) }
        let id = try harness.element.emit("capture", Structure("capture", ["frames": 1, "bracket": .array(exposures)]))
        for (number, time) in times.enumerated() {
            var buffer = try Buffer(size: 16)
            var metadata = FrameMetadata(bitDepth: 12)
            (metadata.frameNumber, metadata.exposureTime, metadata.iso) = (UInt64(number), time, 100)
            try buffer.setFrameMetadata(metadata)
            buffer.presentationTime = UInt64(number) * 100_000_000
            #expect(harness.push(buffer) == 0)
        }
        var found: [FrameMetadata] = []
        while let buffer = harness.pull() { if let metadata = buffer.frameMetadata { found.append(metadata) } }
        #expect(found.map(\.frameNumber) == [0, 1, 2])
        #expect(found.compactMap { $0.capture?.exposure } == [0, 1, 2])
        #expect(found.allSatisfy { $0.capture?.id == id })
    }
}

/// The simulated camera at 100 frames per second, with a shutter and a sink; records the capture messages.
final class SimulatedCamera: @unchecked Sendable {
    // @unchecked Sendable: `recorded`, `received` and `newest` are accessed only while the condition is locked; the
    // rest is the test's own thread's.
    let pipeline: Pipeline
    let shutter: Element
    private let sink: AppSink
    private let condition = NSCondition()
    private var recorded: [CaptureMessage] = []
    /// The metadata of the frames or photos that were received and not yet taken by `frames`.
    private var received: [FrameMetadata] = []
    private var newest = 0.0

    init(_ properties: String = "", size: String = "width=64,height=48", behind elements: String = "identity") throws {
        pipeline = try Pipeline(
            parsing: "gscapsensorsrc motion=false \(properties) ! "
                + "video/x-bayer,format=rggb12le,\(size),framerate=100/1 ! rawunpack "
                + "! rawshutter name=shutter frames=1 ! \(elements) ! appsink name=out sync=false async=false")
        shutter = try #require(pipeline.element(named: "shutter"))
        sink = try #require(pipeline.element(named: "out").flatMap(AppSink.init))
        _ = shutter.pad("sink")?.addBufferProbe { [weak self] buffer in
            if let metadata = buffer.frameMetadata { self?.note(metadata.exposureTime) }
            return .pass
        }
        // Takes events as well as samples: an event that an appsink holds back delays the end of its capture.
        sink.setHandler { [weak self] sink in
            while case let item? = sink.next() {
                if case .sample(let sample) = item, let metadata = sample.buffer?.frameMetadata {
                    self?.receive(metadata)
                }
            }
            return nil
        } ended: {
        }
        pipeline.bus.setHandler { [weak self] message in
            guard case .element(let structure) = message.kind, let found = CaptureMessage(structure) else { return }
            self?.record(found)
        }
        try pipeline.setState(.playing)
        // A live source delivers frames from here on.
        waitUntil { newest > 0 }
    }

    deinit { pipeline.stopOnAnotherThread() }

    func press(_ fields: KeyValuePairs<String, Value>) throws -> UInt64 {
        var request = Structure("capture", fields)
        request["tolerance"] = .double(100)
        return try shutter.emit("capture", request)
    }

    /// Returns the metadata of the next frames or photos, waiting for them.
    func frames(_ count: Int) -> [FrameMetadata] {
        waitUntil { received.count >= count }
        return condition.withLock {
            defer { received.removeFirst(min(count, received.count)) }
            return Array(received.prefix(count))
        }
    }

    private func receive(_ metadata: FrameMetadata) {
        condition.withLock {
            received.append(metadata)
            condition.broadcast()
        }
    }

    private func note(_ exposureTime: Double) {
        condition.withLock {
            newest = exposureTime
            condition.broadcast()
        }
    }

    private func record(_ message: CaptureMessage) {
        condition.withLock {
            recorded.append(message)
            condition.broadcast()
        }
    }

    /// Waits until a condition holds, a minute at most; returns whether it does.
    @discardableResult
    private func waitUntil(_ holds: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            while !holds(), condition.wait(until: limit) {}
            return holds()
        }
    }

    /// Waits until the recorded messages fulfil a condition.
    func wait(_ holds: ([CaptureMessage]) -> Bool) -> Bool { waitUntil { holds(recorded) } }

    /// Waits for a frame with this exposure time.
    func waitForExposure(_ time: Double) -> Bool { waitUntil { abs(newest - time) <= 0.01 * time } }

    func messages(of id: UInt64) -> [CaptureMessage] {
        condition.withLock { recorded.filter { $0.structure["capture-id"]?.unsigned == id } }
    }

    /// Waits for the end of a capture.
    func waitForResult(of id: UInt64) -> CaptureResult? {
        func result() -> CaptureResult? {
            for case .done(id, let result, _, _) in recorded { return result }
            return nil
        }
        waitUntil { result() != nil }
        return condition.withLock { result() }
    }
}
