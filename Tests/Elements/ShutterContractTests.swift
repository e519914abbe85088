import Dispatch
import Foundation
import FrameStream
import GStreamer
import GscapElements
import RandomSequences
import RawImage
import Testing

/// The shutter's contract in a running pipeline: every ticket begins with `begun` and ends with `done`, exactly once,
/// whatever happens to the stream.
@Suite(.timeLimit(.minutes(10))) struct ShutterContractTests {
    init() throws { try GscapPlugin.register() }

    /// A press in NULL is refused: it had a ticket and `begun`, and then nothing.
    @Test func aPressWithoutAStreamIsRefused() throws {
        let camera = try TestCamera()
        #expect(try camera.press(["frames": 1]) == 0)
    }

    @Test func aPressAfterTheEndOfTheStreamIsRefused() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push()
        camera.source.endOfStream()
        camera.waitForEnd()
        #expect(try camera.press(["frames": 1, "id": .uint64(5)]) == 0)
        #expect(camera.result(of: 5) == .failed)
        #expect(camera.reason(of: 5).contains("has ended"))
    }

    /// The fault: a capture with an exposure that no frame ever shows held up all later captures, for good.
    @Test func anExposureThatNoFrameShowsHoldsUpNothing() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 2, "iso": 51_200.0, "id": .uint64(6)]) == 6)
        try camera.push(3)
        #expect(try camera.press(["frames": 1, "id": .uint64(7)]) == 7)
        #expect(camera.waitForResult(of: 7) == .succeeded)
        #expect(camera.waitForResult(of: 6) == .failed)
        #expect(camera.reason(of: 6).contains("ISO 51200"))
    }

    /// The fault: the end of the stream overtook `done` of most captures in flight.
    @Test func everyCaptureEndsBeforeTheStream() throws {
        for _ in 0..<5 {
            let camera = try TestCamera(behind: "queue ! identity ! tee ! queue")
            try camera.start()
            try camera.push(3)
            camera.blocksOutput = true
            for id in 1...15 as ClosedRange<UInt64> { _ = try camera.press(["frames": 1, "id": .uint64(id)]) }
            camera.source.endOfStream()
            camera.blocksOutput = false
            camera.waitForEnd()
            #expect(camera.openAtEnd == [])
            for id in 1...15 as ClosedRange<UInt64> { #expect(camera.result(of: id) == .succeeded) }
        }
    }

    /// An encoder of GStreamer holds the event that ends a burst until the end of the stream, which must reach it.
    @Test func anEncoderThatHoldsEventsBackGetsTheEndOfTheStream() throws {
        let camera = try TestCamera(
            behind: "rawdevelop ! video/x-raw,format=RGB ! jpegenc", width: 16, height: 16)
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 1, "id": .uint64(1)]) == 1)
        camera.waitForFrames(of: 1)
        camera.source.endOfStream()
        camera.waitForEnd()
        #expect(camera.waitForResult(of: 1) == .succeeded)
    }

    /// The messages of a capture stay its own if another press names the same id.
    @Test func anIdUnderWayIsRefusedInSilence() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push()
        #expect(try camera.press(["frames": 4, "id": .uint64(11)]) == 11)
        #expect(try camera.press(["frames": 1, "id": .uint64(11)]) == 0)
        #expect(try camera.press(["iso": -1.0, "id": .uint64(11)]) == 0)
        try camera.push(4)
        #expect(camera.waitForResult(of: 11) == .succeeded)
        #expect(camera.events(of: 11).filter { $0 == "done" }.count == 1)
    }

    @Test(arguments: ["exposure-time", "iso"], [-1.0, 0, .nan, .infinity])
    func anImpossibleExposureIsRefused(field: String, value: Double) throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push()
        #expect(
            try camera.shutter.emit("capture", Structure("capture", ["id": .uint64(12), field: .double(value)])) == 0)
        #expect(camera.result(of: 12) == .failed)
        #expect(camera.reason(of: 12).contains(field))
    }

    /// After a capture that changed the exposure, the camera's former exposure is requested again.
    @Test func theFormerExposureIsRestored() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 2, "iso": 800.0, "id": .uint64(13)]) == 13)
        #expect(camera.requestedISOs == [800])
        camera.iso = 800
        try camera.push(2)
        #expect(camera.waitForResult(of: 13) == .succeeded)
        #expect(camera.requestedISOs == [800, 100])
    }

    @Test func aCameraThatStallsEndsItsCaptures() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(2)
        #expect(try camera.press(["frames": 8, "id": .uint64(8)]) == 8)
        #expect(camera.waitForResult(of: 8) == .failed)
        #expect(camera.reason(of: 8).contains("did not deliver"))
    }

    /// A source that waits until its camera is back says so: what waits for frames ends, and the next frame opens the
    /// shutter again.
    @Test func aCameraThatIsGoneEndsItsCapturesUntilItReturns() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        let id = try camera.press(["frames": 8, "zero-shutter-lag": false])
        try camera.push()
        camera.source.send(CameraLoss.event("the camera was disconnected"))
        #expect(camera.waitForResult(of: id) == .failed)
        #expect(camera.reason(of: id).contains("disconnected"))
        #expect(try camera.press(["frames": 1]) == 0)
        try camera.push(2)
        let next = try camera.press(["frames": 1])
        try camera.push()
        #expect(camera.waitForResult(of: next) == .succeeded, "\(camera.reason(of: next))")
    }

    @Test func aCaptureThatIsCancelledEnds() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(2)
        #expect(try camera.press(["frames": 8, "id": .uint64(9)]) == 9)
        #expect(try camera.cancel(9))
        #expect(camera.waitForResult(of: 9) == .cancelled)
        #expect(try !camera.cancel(9))
    }

    /// Frames that an element behind the shutter drops end their capture, too.
    @Test func aFilterThatDropsTheFramesEndsTheCapture() throws {
        let camera = try TestCamera(behind: "identity drop-probability=1")
        try camera.start()
        try camera.push(2)
        #expect(try camera.press(["frames": 1, "id": .uint64(10)]) == 10)
        #expect(camera.waitForResult(of: 10) != nil)
    }

    /// The fault: while the elements behind the shutter were busy, the camera's thread waited for them, and presses got
    /// frames from before.
    @Test func theCameraNeverWaitsForTheElementsBehind() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.shutter.set("max-queued", 1)
        try camera.push(2)
        camera.blocksOutput = true
        #expect(try camera.press(["frames": 1, "id": .uint64(20)]) == 20)
        // Each of these pushes would wait for ever.
        for id in 21..<40 as Range<UInt64> {
            try camera.push()
            #expect(try camera.press(["frames": 1, "id": .uint64(id)]) == id)
        }
        camera.blocksOutput = false
        for id in 20..<40 as Range<UInt64> { #expect(camera.waitForResult(of: id) == .succeeded) }
        let numbers = camera.references(of: 20..<40)
        #expect(Set(numbers).count == 20, "each press has a frame of its own: \(numbers)")
    }

    /// A press beyond the memory that captures may hold is refused with a time to retry.
    @Test func aPressBeyondTheBudgetIsRefused() throws {
        let camera = try TestCamera(width: 1024, height: 512)
        try camera.start()
        try camera.shutter.set("max-queued", 4)
        try camera.push(4)
        camera.blocksOutput = true
        #expect(try camera.press(["frames": 3, "id": .uint64(41)]) == 41)
        #expect(try camera.press(["frames": 3, "id": .uint64(42)]) == 0)
        #expect(camera.result(of: 42) == .failed)
        #expect(camera.retryTime(of: 42) ?? 0 > 0)
        camera.blocksOutput = false
        #expect(camera.waitForResult(of: 41) == .succeeded)
        #expect(try camera.press(["frames": 3, "id": .uint64(43)]) == 43)
    }

    /// Random sequences of frames, presses, cancellations, flushes, blocked outputs, stops and restarts: each ticket
    /// that was accepted begins once and ends once, and nothing of it comes after its end.
    @Test(arguments: SequenceSeeds.all) func everyTicketEndsOnce(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let camera = try TestCamera()
        try camera.start()
        var accepted: Set<UInt64> = []
        for step in 0..<40 as Range<UInt64> {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9: try camera.push(Int.random(in: 1...4, using: &random))
            case 9..<15:
                let id = seed * 1000 + step + 100
                var fields = Structure("capture", ["id": .uint64(id)])
                fields["frames"] = .int(Int32.random(in: 1...6, using: &random))
                if Bool.random(using: &random) {
                    fields["iso"] = .double([100, 800].randomElement(using: &random) ?? 1)
                }
                fields["time"] = .uint64(camera.now)
                fields["tolerance"] = .double(100)
                if try camera.shutter.emit("capture", fields) == id { accepted.insert(id) }
            case 15: if let id = accepted.randomElement(using: &random) { _ = try camera.cancel(id) }
            case 16: camera.blocksOutput.toggle()
            case 17: camera.flush()
            case 18: camera.iso = camera.iso == 100 ? 800 : 100
            default:
                try camera.stop()
                try camera.start()
            }
        }
        if Bool.random(using: &random) {
            camera.blocksOutput = false
            camera.source.endOfStream()
            camera.waitForEnd()
            #expect(camera.openAtEnd == [], "the end of the stream came before the end of these captures")
        }
        try camera.stop()
        for id in accepted.sorted() {
            let events = camera.events(of: id)
            #expect(events.first == "begun", "capture \(id): \(events)")
            #expect(events.last == "done", "capture \(id): \(events)")
            #expect(events.filter { $0 == "done" }.count == 1, "capture \(id): \(events)")
            #expect(events.filter { $0 == "begun" }.count == 1, "capture \(id): \(events)")
        }
    }
}

/// A live camera whose frames the test pushes, with a shutter behind it; records the capture messages.
final class TestCamera: @unchecked Sendable {
    // @unchecked Sendable: `messages` and `isBlocked` are accessed only while the condition is locked; the rest is the
    // test's own thread's.
    let pipeline: Pipeline
    let source: AppSrc
    let shutter: Element
    var iso = 100.0

    private let size: (width: Int, height: Int)
    private var number: UInt64 = 0
    private let condition = NSCondition()
    private var messages: [CaptureMessage] = []
    private var isBlocked = false
    private var hasEnded = false
    private var open: Set<UInt64> = []
    private var isOpenAtEnd: [UInt64] = []
    private var lastMarker: UInt64 = 0
    private var isos: [Double] = []

    init(behind filter: String = "identity", width: Int = 4, height: Int = 2, isLive: Bool = true) throws {
        size = (width, height)
        pipeline = try Pipeline(
            parsing: "appsrc name=in is-live=\(isLive) format=time "
                + "caps=video/x-bayer,format=rggb12le,width=\(width),height=\(height),framerate=50/1 "
                + "! rawshutter name=shutter frames=2 ! \(filter) ! fakesink name=out sync=false async=false")
        source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        shutter = try #require(pipeline.element(named: "shutter"))
        _ = shutter.pad("src")?.addBufferProbe { [weak self] _ in
            self?.waitUntilUnblocked()
            return .pass
        }
        _ = shutter.pad("sink")?.addEventProbe(.upstream) { [weak self] event in
            if let iso = event.structure?["iso"]?.number { self?.note(iso: iso) }
            return .pass
        }
        _ = shutter.pad("src")?.addEventProbe { [weak self] event in
            if let number = event.structure?["number"]?.unsigned { self?.mark(number) }
            return .pass
        }
        pipeline.bus.setHandler { [weak self] message in self?.record(message) }
    }

    deinit {
        blocksOutput = false
        pipeline.stopOnAnotherThread()
    }

    /// The time of the stream: shortly after the newest frame.
    var now: UInt64 { number * 20_000_000 + 5_000_000 }

    func start() throws { try pipeline.setState(.playing) }

    func stop() throws {
        blocksOutput = false
        try pipeline.setState(.null)
    }

    func flush() {
        // A flush ends a push that waits in an element; it cannot end the test's own block.
        blocksOutput = false
        source.send(.flushStart())
        source.send(.flushStop(resetTime: false))
    }

    /// Pushes frames 20 ms apart, and waits until the shutter has processed them.
    func push(_ count: Int = 1) throws {
        for _ in 0..<count {
            var buffer = try Buffer(size: size.width * size.height * 2)
            var metadata = FrameMetadata(bitDepth: 12)
            number += 1
            (metadata.frameNumber, metadata.iso) = (number, iso)
            try buffer.setFrameMetadata(metadata)
            buffer.presentationTime = number * 20_000_000
            try source.push(buffer)
        }
        // An event that follows the frames through the shutter.
        source.send(.customDownstream(Structure("test-marker", ["number": .uint64(number)])))
        let limit = Date(timeIntervalSinceNow: 60)
        condition.withLock { while lastMarker < number, condition.wait(until: limit) {} }
    }

    func press(_ fields: KeyValuePairs<String, Value>, tolerance: Double? = 100, time: UInt64? = nil) throws
        -> UInt64
    {
        var request = Structure("capture", fields)
        request["tolerance"] = tolerance.map(Value.double)
        request["time"] = .uint64(time ?? now)
        return try shutter.emit("capture", request)
    }

    /// Cancels a capture; returns whether it was under way.
    func cancel(_ id: UInt64) throws -> Bool { try shutter.emit("cancel", id) }

    /// Whether the shutter's output is blocked.
    var blocksOutput: Bool {
        get { condition.withLock { isBlocked } }
        set {
            condition.withLock {
                isBlocked = newValue
                condition.broadcast()
            }
        }
    }

    private func waitUntilUnblocked() {
        let limit = Date(timeIntervalSinceNow: 60)
        condition.withLock { while isBlocked, condition.wait(until: limit) {} }
    }

    private func mark(_ number: UInt64) {
        condition.withLock {
            lastMarker = number
            condition.broadcast()
        }
    }

    private func note(iso: Double) { condition.withLock { isos.append(iso) } }

    /// The ISO numbers that the shutter has requested from the camera.
    var requestedISOs: [Double] { condition.withLock { isos } }

    private func record(_ message: Message) {
        condition.withLock {
            switch message.kind {
            case .element(let structure):
                guard let found = CaptureMessage(structure) else { break }
                messages.append(found)
                if case .begun(let id, _) = found { open.insert(id) }
                if case .done(let id, _, _, _) = found { open.remove(id) }
            case .endOfStream: (hasEnded, isOpenAtEnd) = (true, open.sorted())
            default: break
            }
            condition.broadcast()
        }
    }

    // MARK: - Messages

    /// The captures that had begun and not ended when the end of the stream was posted.
    var openAtEnd: [UInt64] { condition.withLock { isOpenAtEnd } }

    func waitForEnd() {
        let limit = Date(timeIntervalSinceNow: 60)
        condition.withLock { while !hasEnded, condition.wait(until: limit) {} }
    }

    func events(of id: UInt64) -> [String] {
        condition.withLock { messages.filter { $0.structure["capture-id"]?.unsigned == id } }
            .compactMap { $0.structure["event"]?.text }
    }

    private func done(_ id: UInt64) -> (result: CaptureResult, reason: String, retry: Double?)? {
        for case .done(id, let result, let reason, let retry) in messages { return (result, reason, retry) }
        return nil
    }

    func result(of id: UInt64) -> CaptureResult? { condition.withLock { done(id)?.result } }

    func reason(of id: UInt64) -> String { condition.withLock { done(id)?.reason ?? "" } }

    func retryTime(of id: UInt64) -> Double? { condition.withLock { done(id)?.retry } }

    /// Waits for the end of a capture, a minute at most.
    func waitForResult(of id: UInt64) -> CaptureResult? {
        let limit = Date(timeIntervalSinceNow: 60)
        return condition.withLock {
            while done(id) == nil, condition.wait(until: limit) {}
            return done(id)?.result
        }
    }

    /// Waits until the frames of a capture were taken, a minute at most.
    func waitForFrames(of id: UInt64) {
        let limit = Date(timeIntervalSinceNow: 60)
        condition.withLock {
            let isTaken = { [self] in
                messages.contains { if case .taken(let taken, _, _, _) = $0 { taken == id } else { false } }
            }
            while !isTaken(), condition.wait(until: limit) {}
        }
    }

    /// Returns the numbers of the reference frames of captures.
    func references(of ids: Range<UInt64>) -> [UInt64] {
        condition.withLock {
            messages.compactMap { message in
                if case .taken(let id, let frame, _, _) = message, ids.contains(id) { return frame }
                return nil
            }
        }
    }
}
