import GStreamer
import TestClocks
import Testing

@testable import GSCapture

/// Readiness: what it says, a press does.
@Suite(.timeLimit(.minutes(10)), .serialized) struct ReadinessTests {
    @Test func everyStateIsReached() async throws {
        let camera = try await SmallCamera(jpeg: "identity sleep-time=500000", starts: false)
        let output = camera.output
        #expect(output.captureReadiness == .sessionNotRunning)
        #expect(output.queueDepth == 0)
        try await camera.start()
        #expect(output.captureReadiness == .ready)
        output.isResponsiveCaptureEnabled = false
        // The ring has fewer frames than this, so the capture waits for the camera.
        let long = try output.capturePhoto(with: camera.settings(frames: 64))
        #expect(output.captureReadiness == .notReadyWaitingForCapture)
        #expect(output.queueDepth == 1)
        long.cancel()
        await camera.waitForReadiness(.ready)
        let short = try output.capturePhoto(with: camera.settings(frames: 1))
        for await event in short.events {
            if case .didCapture = event { break }
        }
        // The JPEG takes half a second; on a busy machine this line may come after it, or frames may be late.
        let readiness = output.captureReadiness
        let isBusy = [.notReadyWaitingForProcessing, .notReadyMomentarily].contains(readiness)
        #expect(isBusy || output.queueDepth == 0, "\(readiness)")
        output.isResponsiveCaptureEnabled = true
        await camera.waitForReadiness(.ready)
        await camera.session.stopRunning()
        #expect(output.captureReadiness == .sessionNotRunning)
    }

    @Test func aCameraWithoutFramesIsNotReadyMomentarily() async throws {
        let camera = try await SmallCamera(camera: "identity drop-probability=1", starts: false)
        try await camera.session.startRunning()
        #expect(camera.output.captureReadiness == .notReadyMomentarily)
        await camera.session.stopRunning()
    }

    @Test func aFullMemoryIsNotReady() async throws {
        let camera = try await SmallCamera(camera: "valve name=valve")
        let output = camera.output
        #expect(output.maxQueuedBytes == 1 << 30)
        // 27 frames of 160 × 120 pixels.
        output.maxQueuedBytes = 1 << 20
        #expect(output.maxQueuedBytes == 1 << 20)
        #expect(output.captureReadiness == .ready)
        #expect(output.captureReadiness(for: camera.settings(frames: 60)) == .notReadyWaitingForProcessing)
        // The first capture waits for frames, which do not come before the second press.
        let valve = try camera.valve()
        try valve.set("drop", .boolean(true))
        let first = try output.capturePhoto(with: camera.settings(frames: 20))
        #expect(output.captureReadiness == .notReadyWaitingForProcessing)
        #expect(output.captureReadiness(for: camera.settings(frames: 1)) == .ready)
        let settings = camera.settings(frames: 20)
        let delegate = RecordingDelegate()
        let refusal = #expect(throws: CaptureError.self) {
            try output.capturePhoto(with: settings, delegate: delegate)
        }
        #expect(refusal?.code == .busy && refusal?.message.contains("MiB of frames") == true)
        #expect(refusal?.retryAfter ?? .zero > .zero)
        #expect(output.queueDepth == 1 && delegate.records.isEmpty)
        try valve.set("drop", .boolean(false))
        #expect(await camera.error(of: first) == nil)
        await camera.waitForReadiness(.ready)
        // The settings of a press that was refused were not used.
        #expect(await camera.error(of: try output.capturePhoto(with: settings)) == nil)
        await camera.session.stopRunning()
    }

    @Test func withoutOverlapAPressIsRefusedAsBusy() async throws {
        let camera = try await SmallCamera(camera: "valve name=valve")
        camera.output.isResponsiveCaptureEnabled = false
        let valve = try camera.valve()
        try valve.set("drop", .boolean(true))
        let first = try camera.output.capturePhoto(with: camera.settings(frames: 20))
        let refusal = #expect(throws: CaptureError.self) {
            try camera.output.capturePhoto(with: camera.settings(frames: 1))
        }
        #expect(refusal?.code == .busy)
        #expect(refusal?.retryAfter ?? .zero > .zero)
        try valve.set("drop", .boolean(false))
        #expect(await camera.error(of: first) == nil)
        // The end of a capture is the moment at which the next one is accepted.
        for _ in 0..<3 {
            let next = try camera.output.capturePhoto(with: camera.settings(frames: 1))
            #expect(await camera.error(of: next) == nil)
        }
        await camera.session.stopRunning()
    }

    /// Random sequences of presses, waits, stops and changes: a press in the state `ready` is never refused as busy.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func aPressWhenReadyIsNotRefused(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let camera = try await SmallCamera()
        let output = camera.output
        output.maxQueuedBytes = 1 << 20
        /// The captures whose ends are still to be awaited.
        var captures: [PhotoCapture] = []
        for _ in 0..<25 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: output.isResponsiveCaptureEnabled.toggle()
            case 1:
                if let capture = captures.popLast() {
                    #expect(await camera.error(of: capture)?.code != .busy)
                }
            case 2: captures.last?.cancel()
            case 3 where Bool.random(using: &random):
                await camera.session.stopRunning()
                #expect(output.captureReadiness == .sessionNotRunning)
                #expect(throws: CaptureError.self) { try output.capturePhoto(with: camera.settings(frames: 1)) }
                try await camera.start()
            default:
                let settings = camera.settings(frames: Int.random(in: 1...16, using: &random))
                let isReady = output.captureReadiness(for: settings) == .ready
                do throws(CaptureError) {
                    captures.append(try output.capturePhoto(with: settings))
                } catch {
                    #expect(error.code == .busy && error.retryAfter != nil && !isReady)
                }
            }
        }
        await camera.session.stopRunning()
        for capture in captures { #expect(await camera.error(of: capture)?.code != .busy) }
    }

    @Test func updatesBeginWithTheCurrentValueAndFollowTheSession() async throws {
        let camera = try await SmallCamera(starts: false)
        var updates = camera.output.captureReadinessUpdates.makeAsyncIterator()
        #expect(await updates.next() == .sessionNotRunning)
        try await camera.session.startRunning()
        while let next = await updates.next(), next != .ready { #expect(next == .notReadyMomentarily) }
        camera.output.isResponsiveCaptureEnabled = false
        let capture = try camera.output.capturePhoto(with: camera.settings(frames: 40))
        #expect(await updates.next() == .notReadyWaitingForCapture)
        #expect(await camera.error(of: capture) == nil)
        while let next = await updates.next(), next != .ready { #expect(next == .notReadyWaitingForProcessing) }
        await camera.session.stopRunning()
        #expect(await updates.next() == .sessionNotRunning)
    }
}

/// A session with a small simulated camera, a linear DNG and a JPEG.
final class SmallCamera: Sendable {
    let session: CaptureSession
    let output = PhotoOutput()
    let plan: PipelinePlan

    init(camera: String = "identity", jpeg: String = "identity", starts: Bool = true) async throws {
        let queue = "queue max-size-buffers=64 max-size-bytes=0 max-size-time=0"
        plan = try PipelinePlan(
            reading: """
                gscapsensorsrc name=camera ! video/x-bayer,format=rggb12le,width=160,height=120,framerate=30/1
                  ! \(camera) ! rawunpack ! tee name=raw
                raw. ! \(queue) ! rawshutter name=press frames=2 ! tee name=burst
                burst. ! \(queue) ! dngenc ! filesink name=bayer location=b.dng
                burst. ! \(queue) ! rawfusion ! \(jpeg) ! rawdevelop ! gscapjpegenc ! filesink name=jpeg location=a.jpg
                """)
        session = CaptureSession(plan: plan)
        try session.add(output)
        if starts { try await start() }
    }

    /// Starts the session and waits for the first frame.
    func start() async throws {
        try await session.startRunning()
        for await readiness in output.captureReadinessUpdates where readiness != .notReadyMomentarily { break }
    }

    /// The element of this name in the camera's part, which can stop the frames.
    func valve() throws -> Element {
        try #require(output.running?.container.element(named: "valve"))
    }

    func settings(frames: Int?) -> PhotoSettings {
        var settings = PhotoSettings(processed: [.jpeg])
        settings.photoQualityPrioritization = .quality
        settings.frames = frames
        settings.momentTolerance = .seconds(100)
        return settings
    }

    /// Waits for a state of readiness, for a minute at most.
    func waitForReadiness(_ state: CaptureReadiness) async {
        let isReached = await result { [output] in
            for await readiness in output.captureReadinessUpdates where readiness == state { return true }
            return false
        }
        #expect(isReached == true, "the output does not become \(state)")
    }

    /// Waits for the end of a capture and returns its error.
    func error(of capture: PhotoCapture) async -> CaptureError? {
        for await event in capture.events {
            if case .finished(_, let error) = event { return error }
        }
        return nil
    }
}

/// The generator SplitMix64, so that a seed repeats a random sequence.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
