import Foundation
import GSCapture
import GStreamer
import RawImage
import Synchronization
import Testing

/// The contract of the photo output: every capture ends, a branch fails alone, and a session can always be started
/// again.
@Suite(.timeLimit(.minutes(10)), .serialized) struct CaptureContractTests {
    /// A pipeline of a small camera with a linear DNG and a JPEG. `camera` and `jpeg` are put into the camera's part
    /// and before the JPEG encoder.
    private func plan(
        camera: String = "identity", jpeg: String = "identity", preview: String? = nil, isLive: Bool = true
    ) throws -> PipelinePlan {
        let queue = "queue max-size-buffers=16 max-size-bytes=0 max-size-time=0"
        let source = isLive ? "gscapsensorsrc name=camera" : "gscapsensorsrc name=camera is-live=false"
        return try PipelinePlan(
            reading: """
                \(source) ! video/x-bayer,format=rggb12le,width=160,height=120,framerate=30/1
                  ! \(camera) ! rawunpack ! tee name=raw
                \(preview.map { "raw. ! queue leaky=downstream ! rawdevelop quality=preview ! " + $0 } ?? "")
                raw. ! \(queue) ! rawshutter name=shutter frames=2 ! tee name=burst
                burst. ! \(queue) ! rawfusion ! tee name=photo
                photo. ! \(queue) ! dngenc ! filesink name=proraw location=a.dng
                photo. ! \(queue) ! rawdevelop ! \(jpeg) ! gscapjpegenc ! filesink name=jpeg location=a.jpg
                """)
    }

    private func running(_ plan: PipelinePlan) async throws -> (CaptureSession, PhotoOutput) {
        let (session, output) = (CaptureSession(plan: plan), PhotoOutput())
        try session.add(output)
        try await session.startRunning()
        return (session, output)
    }

    /// Takes a photo; returns the error message of each format, empty for a format that was delivered.
    private func photos(_ output: PhotoOutput, _ plan: PipelinePlan) async throws -> [String: String] {
        let photos = try await output.capturePhoto(with: PhotoSettings(everythingOf: plan)).photos
        return Dictionary(photos.map { ($0.format.name, $0.error.map { "\($0.code.rawValue): \($0)" } ?? "") }) {
            first, _ in first
        }
    }

    private let allDelivered = ["proRAW": "", "jpeg": ""]

    // MARK: - Branches

    /// An element of one branch fails. The fault: it ended all photos for good, the RAW ones too.
    @Test func aFailingBranchLeavesTheOthers() async throws {
        let plan = try plan(jpeg: "identity error-after=2")
        let (session, output) = try await running(plan)
        for _ in 0..<3 {
            // The element fails at the second photo after each start, so the branch works again after its failure.
            #expect(try await photos(output, plan) == allDelivered)
            let second = try await photos(output, plan)
            #expect(second["proRAW"]?.isEmpty == true)
            #expect(second["jpeg"]?.hasPrefix("branchFailed") == true)
        }
        #expect(session.isRunning)
        await session.stopRunning()
    }

    /// A JPEG cannot hold PQ: the JPEG fails alone, with its format, and the DNG is delivered.
    @Test func aFormatThatAFileCannotHoldFailsAlone() async throws {
        let plan = try plan(jpeg: "capsfilter caps=\"video/x-raw,colorimetry=(string)1:1:14:7\"")
        let (session, output) = try await running(plan)
        for _ in 0..<2 {
            let photos = try await photos(output, plan)
            #expect(photos["proRAW"]?.isEmpty == true)
            #expect(photos["jpeg"]?.isEmpty == false)
        }
        await session.stopRunning()
    }

    /// A filter that drops the photo ends the capture with an error of that format.
    @Test func aDroppedPhotoEndsItsCapture() async throws {
        let plan = try plan(jpeg: "identity drop-probability=1")
        let (session, output) = try await running(plan)
        let photos = try await photos(output, plan)
        #expect(photos["proRAW"]?.isEmpty == true)
        #expect(photos["jpeg"]?.contains("dropped") == true)
        await session.stopRunning()
    }

    /// A preview that fails, as at the closing of its window, ends alone.
    @Test func aFailingPreviewEndsAlone() async throws {
        let plan = try plan(preview: "identity error-after=3 ! fakesink name=preview sync=false async=false")
        let (session, output) = (CaptureSession(plan: plan), PhotoOutput())
        try session.add(output)
        let events = session.events
        try await session.startRunning()
        for await event in events {
            if case .warning(let text) = event, text.contains("preview") { break }
        }
        #expect(try await photos(output, plan) == allDelivered)
        #expect(session.isRunning)
        await session.stopRunning()
    }

    // MARK: - Ends

    @Test func aCaptureThatIsCancelledEnds() async throws {
        let plan = try plan()
        let (session, output) = try await running(plan)
        var settings = PhotoSettings(everythingOf: plan)
        settings.frames = 64
        let capture = try output.capturePhoto(with: settings)
        capture.cancel()
        await #expect(throws: CaptureError.self) { try await capture.photos }
        // Cancelling the task that waits cancels the capture, too.
        let task = Task { try await output.capturePhoto(with: PhotoSettings(from: settings)).photos }
        task.cancel()
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(try await photos(output, plan) == allDelivered)
        await session.stopRunning()
    }

    @Test func aSessionThatIsReleasedEndsItsCaptures() async throws {
        let plan = try plan()
        let output = PhotoOutput()
        let capture: PhotoCapture
        do {
            let session = CaptureSession(plan: plan)
            try session.add(output)
            try await session.startRunning()
            capture = try output.capturePhoto(with: PhotoSettings(everythingOf: plan))
        }
        var last: CaptureEvent?
        for await event in capture.events { last = event }
        guard case .finished? = last else {
            Issue.record("the capture did not end")
            return
        }
        let code = #expect(throws: CaptureError.self) {
            try output.capturePhoto(with: PhotoSettings(everythingOf: plan))
        }?.code
        #expect(code == .sessionNotRunning)
    }

    @Test func anOutputThatIsRemovedEndsItsCaptures() async throws {
        let plan = try plan()
        let (session, output) = try await running(plan)
        let capture = try output.capturePhoto(with: PhotoSettings(everythingOf: plan))
        session.remove(output)
        var last: CaptureEvent?
        for await event in capture.events { last = event }
        guard case .finished(_, .some)? = last else {
            Issue.record("the capture did not fail")
            return
        }
        try session.add(output)
        #expect(try await photos(output, plan) == allDelivered)
        await session.stopRunning()
    }

    /// A source that is not live waits for the captures: three of two frames each use the first six, in order.
    @Test func aSourceThatIsNotLiveLosesNoFrame() async throws {
        let plan = try plan(isLive: false)
        let (session, output) = try await running(plan)
        var numbers: [UInt64] = []
        for _ in 0..<3 {
            let photos = try await output.capturePhoto(with: PhotoSettings(everythingOf: plan)).photos
            numbers += photos.first?.metadata.map { [$0.frameNumber] } ?? []
        }
        #expect(numbers.count == 3)
        #expect(zip(numbers, [0...1, 2...3, 4...5] as [ClosedRange<UInt64>]).allSatisfy { $1.contains($0) })
        await session.stopRunning()
    }

    // MARK: - Session

    /// The fault: a stop was lost to a start in one race of three.
    @Test func startsAndStopsAreCarriedOutInTurn() async throws {
        let session = CaptureSession(plan: try plan())
        for _ in 0..<10 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { try? await session.startRunning() }
                    group.addTask { await session.stopRunning() }
                }
            }
            await session.stopRunning()
            #expect(session.state == .stopped)
        }
        async let first: Void = session.startRunning()
        async let second: Void = session.startRunning()
        _ = try await (first, second)
        #expect(session.isRunning)
        await session.stopRunning()
    }

    /// The fault: after the end of the stream the session seemed to run, and every capture failed.
    @Test func aSessionThatHasFailedStartsAgain() async throws {
        let plan = try plan(camera: "identity error-after=4")
        let (session, output) = (CaptureSession(plan: plan), PhotoOutput())
        try session.add(output)
        for _ in 0..<2 {
            let events = session.events
            try await session.startRunning()
            for await event in events { if case .failed = event { break } }
            #expect(session.state == .failed)
            #expect(!session.isRunning)
            // The reason is known, so the press throws.
            let error = #expect(throws: CaptureError.self) {
                try output.capturePhoto(with: PhotoSettings(everythingOf: plan))
            }
            #expect(error?.code == .pipelineFailed)
        }
        await session.stopRunning()
        #expect(session.state == .stopped)
    }

    /// A camera that delivers no frames ends its captures, and the session says so; further presses throw.
    @Test func aCameraWithoutFramesInterruptsTheSession() async throws {
        let plan = try plan(camera: "identity drop-probability=1")
        let (session, output) = try await running(plan)
        let events = session.events
        await #expect(throws: CaptureError.self) { try await photos(output, plan) }
        var isInterrupted = false
        for await event in events {
            if case .interrupted = event { isInterrupted = true }
            if isInterrupted { break }
        }
        #expect(isInterrupted)
        let settings = PhotoSettings(everythingOf: plan)
        for _ in 0..<2 {
            // The settings of a press that was refused were not used.
            let error = #expect(throws: CaptureError.self) { try output.capturePhoto(with: settings) }
            #expect(error?.code == .interrupted)
        }
        #expect(output.queueDepth == 0)
        await session.stopRunning()
        #expect(session.state == .stopped)
    }

    /// After the end of the stream, a press throws.
    @Test func aPressAfterTheEndOfTheStreamThrows() async throws {
        let plan = try plan(camera: "identity eos-after=4")
        let (session, output) = (CaptureSession(plan: plan), PhotoOutput())
        try session.add(output)
        let events = session.events
        try await session.startRunning()
        for await event in events { if case .ended = event { break } }
        let error = #expect(throws: CaptureError.self) {
            try output.capturePhoto(with: PhotoSettings(everythingOf: plan))
        }
        #expect(error?.code == .aborted && error?.message.contains("ended") == true)
        await session.stopRunning()
    }

    // MARK: - Delegates

    /// Calls of one delegate overlap in no case, also of captures under way at once.
    @Test func theCallsOfADelegateAreSerial() async throws {
        let plan = try plan()
        let (session, output) = try await running(plan)
        let delegate = BusyDelegate()
        for _ in 0..<6 {
            try output.capturePhoto(with: PhotoSettings(everythingOf: plan), delegate: delegate)
        }
        await delegate.waitForCaptures(6)
        #expect(delegate.overlaps == 0)
        await session.stopRunning()
    }

    // MARK: - Formats

    @Test func aBayerCaptureIsOneFileOrOneAFrame() async throws {
        let output = PhotoOutput()
        output.isProRAWEnabled = true
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: 160, height: 120, framesPerSecond: 30)))
        try session.add(output)
        try await session.startRunning()
        var settings = PhotoSettings(raw: [.bayer])
        settings.frames = 5
        settings.momentTolerance = .seconds(60)
        #expect(try await output.capturePhoto(with: settings).photos.count == 1)
        settings.everyFrame = true
        let capture = try output.capturePhoto(with: settings)
        #expect(capture.resolvedSettings.expectedPhotoCount == 5)
        #expect(try await capture.photos.count == 5)
        await session.stopRunning()
    }

    /// The preview runs with cameras smaller than itself, and has the camera's aspect ratio.
    @Test(arguments: [(640, 480, 640, 480), (1920, 1080, 1280, 720), (2592, 1944, 1280, 960)])
    func thePreviewHasTheCamerasAspectRatio(width: Int, height: Int, shownWidth: Int, shownHeight: Int) async throws {
        let plan = try PipelinePlan(
            device: .simulated(width: width, height: height), preview: PreviewOutput(sink: "fakesink"), formats: [])
        let pipeline = try Pipeline(parsing: plan.launchText)
        let pad = try #require(pipeline.element(named: "preview")?.pad("sink"))
        let (frames, frame) = AsyncStream<Void>.makeStream()
        _ = pad.addBufferProbe { _ in
            frame.yield()
            return .pass
        }
        try pipeline.setState(.playing)
        for await _ in frames { break }
        let caps = pad.currentCaps?.first
        #expect(caps?["width"]?.integer == shownWidth)
        #expect(caps?["height"]?.integer == shownHeight)
        try pipeline.setState(.null)
    }
}

/// A delegate that counts the calls that overlap.
private final class BusyDelegate: PhotoCaptureDelegate {
    private let isBusy = Atomic(false)
    private let overlapping = Atomic(0)
    private let (ends, end) = AsyncStream<Void>.makeStream()

    var overlaps: Int { overlapping.load(ordering: .relaxed) }

    func waitForCaptures(_ count: Int) async {
        for await _ in ends.prefix(count) {}
    }

    private func work() {
        if isBusy.exchange(true, ordering: .acquiring) { overlapping.add(1, ordering: .relaxed) }
        // Long enough for another call to come in between.
        for _ in 0..<200 { Thread.current.threadDictionary["gscap"] = UUID().uuidString }
        isBusy.store(false, ordering: .releasing)
    }

    func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) { work() }
    func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) { work() }
    func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) { work() }
    func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) { work() }
    func photoOutput(
        _ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?
    ) {
        work()
        end.yield()
    }
}
