import GStreamer
import TestClocks
import Testing
import Waiting

@testable import GSCapture

/// The readers of the events of captures and sessions.
@Suite(.timeLimit(.minutes(10)), .serialized) struct EventReaderTests {
    private func kinds(_ events: AsyncStream<CaptureEvent>) async -> [String] {
        var kinds: [String] = []
        for await event in events { kinds.append("\(CaptureRecord(event).kind)") }
        return kinds
    }

    private func steps(_ progress: AsyncStream<CaptureProgress>) async -> [CaptureProgress] {
        var steps: [CaptureProgress] = []
        for await step in progress { steps.append(step) }
        return steps
    }

    // MARK: - Captures

    /// The fault: two readers shared the events, and a second `photos` was empty.
    @Test func everyReaderOfACaptureReceivesAllOfIt() async throws {
        let camera = try await SmallCamera()
        let delegate = RecordingDelegate()
        let capture = try camera.output.capturePhoto(with: camera.settings(frames: 2), delegate: delegate)
        async let first = kinds(capture.events)
        async let second = kinds(capture.events)
        async let progress = steps(capture.progress)
        let photos = try await capture.photos
        let names = await first
        #expect(names.count == 5 && names.first == "willBegin", "\(names)")
        #expect(await second == names)
        #expect(await reached { delegate.isOver })
        #expect(delegate.records.map { "\($0.kind)" } == names)
        // After the end, too.
        #expect(await kinds(capture.events) == names)
        #expect(await steps(capture.progress) == progress)
        let again = try await capture.photos
        #expect(photos.count == 1 && again.map(\.format) == photos.map(\.format))
        #expect(again.first?.fileBytes() == photos.first?.fileBytes())
        await camera.session.stopRunning()
    }

    @Test func aFailedCaptureThrowsAgain() async throws {
        let camera = try await SmallCamera()
        let capture = try camera.output.capturePhoto(with: camera.settings(frames: 64))
        capture.cancel()
        for _ in 0..<2 {
            let error = await #expect(throws: CaptureError.self) { try await capture.photos }
            #expect(error?.code == .cancelled)
        }
        await camera.session.stopRunning()
    }

    /// A stream continues without its capture, which releases the photos for later readers.
    @Test func aStreamOutlivesItsCapture() async throws {
        let camera = try await SmallCamera()
        weak var released: PhotoCapture?
        let events: AsyncStream<CaptureEvent>
        do {
            let capture = try camera.output.capturePhoto(with: camera.settings(frames: 20))
            released = capture
            events = capture.events
        }
        #expect(released == nil)
        let names = await kinds(events)
        #expect(names.count == 5 && names.last?.hasPrefix("finished") == true, "\(names)")
        await camera.session.stopRunning()
    }

    // MARK: - The first exposure

    /// The frames of the moment are in the ring: their exposure has begun at the press, although no frame comes.
    @Test func withZeroShutterLagTheExposureBeginsAtThePress() async throws {
        let camera = try await SmallCamera(camera: "valve name=valve")
        let valve = try camera.valve()
        try valve.set("drop", .boolean(true))
        let capture = try camera.output.capturePhoto(with: camera.settings(frames: 12))
        var events = capture.events.makeAsyncIterator()
        guard case .willBegin? = await events.next(), case .willCapture? = await events.next() else {
            Issue.record("the exposure did not begin")
            return
        }
        try valve.set("drop", .boolean(false))
        #expect(try await capture.photos.count == 1)
        await camera.session.stopRunning()
    }

    /// The fault: the exposure began at the press, also where its first frame was still to come.
    @Test func withoutZeroShutterLagTheExposureBeginsWithItsFirstFrame() async throws {
        let camera = try await SmallCamera(camera: "valve name=valve")
        let valve = try camera.valve()
        try valve.set("drop", .boolean(true))
        var settings = camera.settings(frames: 2)
        settings.zeroShutterLag = false
        let capture = try camera.output.capturePhoto(with: settings)
        // A frame from before the press that is still on its way is not the capture's.
        guard case .willBegin? = capture.reports.events.newest else {
            Issue.record("the exposure began without a frame: \(capture.reports.events.newest.map { "\($0)" } ?? "")")
            return
        }
        try valve.set("drop", .boolean(false))
        #expect(await kinds(capture.events).prefix(3) == ["willBegin", "willCapture", "didCapture"])
        await camera.session.stopRunning()
    }

    // MARK: - Sessions

    /// The fault: events taken before the start were a finished stream, and two readers shared those of a start.
    @Test func everyReaderOfASessionReceivesTheEventsOfEveryStart() async throws {
        var camera: SmallCamera? = try await SmallCamera(starts: false)
        let streams = [try #require(camera).session.events, try #require(camera).session.events]
        var captures: Set<UInt64> = []
        for _ in 0..<2 {
            try await camera?.start()
            let output = try #require(camera).output
            let capture = try output.capturePhoto(with: try #require(camera).settings(frames: 2))
            #expect(try await capture.photos.count == 1)
            captures.insert(capture.uniqueID)
            await camera?.session.stopRunning()
        }
        let late = try #require(camera).session.events
        // The streams end when the session is released.
        camera = nil
        var received: [[CaptureProgress]] = []
        for stream in streams {
            var steps: [CaptureProgress] = []
            for await event in stream { if case .progress(let step) = event { steps.append(step) } }
            received.append(steps)
        }
        #expect(Set(received[0].map(\.id)) == captures && received[0] == received[1])
        for await event in late { Issue.record("an event after the stop: \(event)") }
    }
}
