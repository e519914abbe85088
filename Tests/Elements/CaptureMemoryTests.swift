import FrameStream
import GStreamer
import GscapElements
import Testing

/// The memory that captures hold: the frames that wait at the shutter, and those in use behind it.
@Suite(.timeLimit(.minutes(10))) struct CaptureMemoryTests {
    init() throws { try GscapPlugin.register() }

    @Test func aCaptureCountsItsFramesUntilTheyAreReleased() {
        let memory = CaptureMemory()
        memory.reserve(1, frames: 3, size: 10)
        #expect(memory.bytes == 30)
        var first: CaptureMemory.Hold? = memory.hold(1)
        let second = memory.hold(1)
        #expect(memory.bytes == 30)
        first = nil
        #expect(first == nil && memory.bytes == 20)
        // The last frame will not be pushed.
        memory.endPushing(1)
        #expect(memory.bytes == 10)
        withExtendedLifetime(second) {}
    }

    /// The photo of a capture is made after its last frame is released.
    @Test func aCaptureCountsAFrameUntilItsEnd() {
        let memory = CaptureMemory()
        memory.reserve(1, frames: 2, size: 10)
        for _ in 0..<2 { _ = memory.hold(1) }
        memory.endPushing(1)
        #expect(memory.bytes == 10)
        memory.end(1)
        #expect(memory.bytes == 0)
    }

    @Test func aFrameThatOutlivesItsCaptureCountsNoMore() {
        let memory = CaptureMemory()
        memory.reserve(1, frames: 1, size: 10)
        let frame = memory.hold(1)
        memory.end(1)
        memory.reserve(2, frames: 1, size: 10)
        #expect(memory.bytes == 10)
        _ = memory.hold(1)
        #expect(memory.bytes == 10)
        withExtendedLifetime(frame) {}
    }

    /// The frames of a bracket that is fused are pushed twice.
    @Test func theBytesOfACaptureNeverGrow() {
        let memory = CaptureMemory()
        memory.reserve(1, frames: 2, size: 10)
        let frames = (0..<4).map { _ in memory.hold(1) }
        #expect(memory.bytes == 20)
        withExtendedLifetime(frames) {}
    }

    @Test func theTimeToWaitFollowsTheRateOfTheReleases() {
        var rate = ReleaseRate()
        let first = rate.seconds(of: 1 << 20)
        #expect(first > 0)
        for _ in 0..<50 { rate.add(bytes: 1 << 20, nanoseconds: 100_000_000) }
        #expect(abs(rate.seconds(of: 2 << 20) - 0.2) < 1e-3)
        // Frames that are released together.
        for _ in 0..<50 {
            rate.add(bytes: 1 << 20, nanoseconds: 100_000_000)
            rate.add(bytes: 1 << 20, nanoseconds: 0)
        }
        #expect(abs(rate.seconds(of: 2 << 20) - 0.1) < 0.02)
    }

    /// The fault: frames counted only until they were pushed, so those in the queues behind the shutter exceeded the
    /// budget several times.
    @Test func framesInTheQueuesBehindTheShutterCount() throws {
        let camera = try TestCamera(behind: "queue max-size-buffers=0 max-size-bytes=0", width: 1024, height: 512)
        let gate = Gate()
        let sink = try #require(camera.pipeline.element(named: "out")?.pad("sink"))
        try camera.pipeline.element(named: "out")?.set("enable-last-sample", false)
        _ = sink.addBufferProbe { _ in
            gate.wait()
            return .pass
        }
        try camera.start()
        try camera.shutter.set("max-queued", 4)
        try camera.push(4)
        #expect(try camera.press(["frames": 3, "id": .uint64(510_001)]) == 510_001)
        camera.waitForFrames(of: 510_001)
        let full = try admission(camera, frames: 3)
        #expect(full.verdict == .full)
        #expect(full.queuedBytes == 3 << 20)
        #expect(try admission(camera, frames: 1).verdict == .accepted)
        gate.open()
        #expect(camera.waitForResult(of: 510_001) == .succeeded)
        #expect(try admission(camera, frames: 4).verdict == .accepted)
        #expect(try admission(camera, frames: 1).queuedBytes == 0)
    }

    private func admission(_ camera: TestCamera, frames: Int32) throws -> CaptureAdmission {
        let request = Structure("admission", ["frames": .int(frames)])
        return try #require(try camera.shutter.query("admission", request).flatMap(CaptureAdmission.init))
    }
}
