import Dispatch
import FrameStream
import GStreamer
import GscapElements
import RawImage
import Synchronization
import TestClocks
import Testing

/// How captures end when the stream stops or is flushed while their photos are made.
@Suite(.timeLimit(.minutes(10))) struct CaptureStopTests {
    init() throws { try GscapPlugin.register() }

    private static let queue = "queue max-size-buffers=64 max-size-bytes=0 max-size-time=0"

    /// Returns a camera that has pushed the frames of a number of captures, whose tickets count from 1.
    private func camera(behind elements: String, width: Int, height: Int, captures: UInt64, frames: Int) throws
        -> TestCamera
    {
        let camera = try TestCamera(behind: "\(Self.queue) ! \(elements)", width: width, height: height)
        try camera.start()
        for id in 1...captures { try capture(id, frames: frames, camera) }
        return camera
    }

    private func capture(_ id: UInt64, frames: Int, _ camera: TestCamera) throws {
        #expect(try camera.press(["frames": .int(Int32(frames)), "id": .uint64(id)]) == id)
        try camera.push(frames + 1)
    }

    /// Each capture has ended, and nothing about it followed.
    private func expectEnds(of captures: UInt64, _ camera: TestCamera) {
        for id in 1...captures { #expect(camera.waitForResult(of: id) != nil) }
        for id in 1...captures { #expect(camera.events(of: id).last == "done") }
    }

    /// Photos wait in front of a slow sink, and the next one waits for room behind the fusion.
    @Test func photosThatWaitDoNotHoldUpAStop() throws {
        let slow = "rawfusion mode=speed ! dngenc ! identity sleep-time=200000"
        let camera = try camera(behind: slow, width: 64, height: 48, captures: 8, frames: 2)
        #expect(camera.waitForResult(of: 1) == .succeeded)
        let hasStopped = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            _ = try? camera.pipeline.setState(.ready)
            hasStopped.signal()
        }
        #expect(hasStopped.isSignalled(), "the stop hangs")
        expectEnds(of: 8, camera)
    }

    /// Most frames of the burst are still in the queue, which drops them. The stream goes on afterwards.
    @Test(arguments: [false, true], ["identity sleep-time=50000", "identity"])
    func aBurstThatIsDroppedIsCancelled(isFlushed: Bool, delay: String) throws {
        let slow = "\(delay) ! rawfusion mode=quality ! dngenc ! identity sleep-time=300000"
        let camera = try camera(behind: slow, width: 320, height: 240, captures: 3, frames: 8)
        if isFlushed { camera.flush() } else { try camera.pipeline.setState(.ready) }
        expectEnds(of: 3, camera)
        #expect(camera.result(of: 3) == .cancelled)
        for id in 1...3 { #expect(camera.events(of: UInt64(id)).count { $0 == "photo" } <= 1) }
        if !isFlushed { try camera.start() }
        try capture(4, frames: 2, camera)
        #expect(camera.waitForResult(of: 4) == .succeeded, "\(camera.reason(of: 4))")
    }

    /// The seek of a stream whose source cannot seek fails, as it does without a fusion.
    @Test func aSeekThatIsRefusedFails() throws {
        let camera = try TestCamera(behind: "rawfusion", width: 64, height: 48)
        try camera.start()
        try camera.push()
        let sink = try #require(camera.pipeline.element(named: "out"))
        #expect(!sink.send(.seek(to: 0)))
    }

    /// The fault: a capture was dropped without a report if a stop or flush came while its first frame was in flight,
    /// as here, where the fusion reports before it that an earlier burst lost frames.
    @Test(arguments: [1, 2], [false, true]) func aFirstFrameInFlightIsReported(
        frames: Int, isFlushed: Bool
    ) async throws {
        let pipeline = try Pipeline(
            parsing: "appsrc name=in is-live=true format=time "
                + "caps=video/x-bayer,format=rggb12le,width=64,height=48,framerate=50/1 ! rawfusion name=fusion "
                + "! fakesink name=out sync=false async=false")
        defer { pipeline.stopOnAnotherThread() }
        let source = try #require(pipeline.element(named: "in").flatMap(AppSrc.init))
        let fusion = try #require(pipeline.element(named: "fusion"))
        let first: UInt64 = 1
        let (isInFlight, isStopping, hasPhoto) = (Gate(), Gate(), Gate())
        let reports = Mutex<[CaptureMessage]>([])
        pipeline.bus.setHandler { message in
            guard case .element(let structure) = message.kind, let report = CaptureMessage(structure),
                case .photo(let id, _, _, _) = report
            else { return }
            reports.withLock { $0.append(report) }
            guard id == first else { return }
            isInFlight.open()
            isStopping.wait()
        }
        let output = try #require(pipeline.element(named: "out")?.pad("sink"))
        _ = output.addEventProbe(.flush) { _ in
            isStopping.open()
            return .pass
        }
        _ = output.addBufferProbe { _ in
            hasPhoto.open()
            return .pass
        }
        try pipeline.setState(.playing)
        try source.push(frame(of: CaptureTag(id: first, index: 0, count: 2)))
        try source.push(frame(of: CaptureTag(id: first + 1, index: 0, count: frames)))
        isInFlight.wait()
        let hasStopped = Gate()
        DispatchQueue.global().async {
            if isFlushed {
                source.send(.flushStart())
                source.send(.flushStop(resetTime: false))
            } else {
                _ = try? fusion.setState(.ready)
            }
            hasStopped.open()
        }
        if !isFlushed {
            let photos = try #require(pipeline.element(named: "photos"))
            #expect(await reached { photos.state() == .null })
            isStopping.open()
        }
        hasStopped.wait()
        for id in first...first + 1 {
            let errors = reports.withLock { reports in
                reports.compactMap { if case .photo(id, _, _, let error) = $0 { error } else { nil } }
            }
            #expect(errors.count == 1, "\(errors)")
            let reason = isFlushed ? "the stream was flushed" : "the pipeline stopped"
            #expect(id == first || errors.first?.hasPrefix(reason) == true, "\(errors)")
        }
        // Frames of the dropped burst that follow are dropped, too, and the next burst is fused.
        if !isFlushed { try fusion.setState(.playing) }
        if frames > 1 { try source.push(frame(of: CaptureTag(id: first + 1, index: 1, count: frames))) }
        for index in 0..<2 { try source.push(frame(of: CaptureTag(id: first + 2, index: index, count: 2))) }
        if isFlushed { hasPhoto.wait() }
        #expect(reports.withLock(\.count) == 2)
    }

    private func frame(of tag: CaptureTag) throws -> Buffer {
        var buffer = try Buffer(size: 64 * 48 * 2)
        var metadata = FrameMetadata(bitDepth: 12)
        metadata.capture = tag
        try buffer.setFrameMetadata(metadata)
        buffer.presentationTime = UInt64(tag.index) * 20_000_000
        return buffer
    }
}
