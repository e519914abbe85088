import GSCapture
import RawImage
import TestClocks
import Testing

/// Frames for analysis.
@Suite(.timeLimit(.minutes(10)), .serialized) struct FrameOutputTests {
    private func session(_ outputs: FrameOutput...) throws -> CaptureSession {
        let session = CaptureSession()
        let camera = CaptureDevice.simulated(width: 160, height: 120, framesPerSecond: 60)
        try session.add(CaptureDeviceInput(device: camera))
        for output in outputs { try session.add(output) }
        return session
    }

    @Test func rawAndRenderedFramesArrive() async throws {
        let (raw, rendered) = (FrameOutput(format: .raw), FrameOutput(format: .rgb(width: 81, height: 60)))
        let session = try session(raw, rendered)
        try await session.startRunning()
        for (output, width, height, row) in [(raw, 160, 120, 320), (rendered, 80, 60, 240)] {
            var frames = output.frames.makeAsyncIterator()
            let frame = try #require(await frames.next())
            #expect((frame.width, frame.height, frame.bytesPerRow) == (width, height, row))
            #expect(frame.format == output.format)
            #expect(frame.time != nil)
            #expect((frame.metadata?.exposureTime ?? 0) > 0)
            #expect(frame.withPixelBytes { $0.byteCount } == row * height)
            // The test chart is not black.
            let isBlack = frame.withPixelBytes { bytes in
                !bytes.byteOffsets.contains { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) > 0 }
            }
            #expect(!isBlack)
        }
        await session.stopRunning()
    }

    /// A slow reader receives the newest frame, and the camera is not held up.
    @Test func theNewestFrameWins() async throws {
        let output = FrameOutput(format: .raw)
        let session = try session(output)
        try await session.startRunning()
        var frames = output.frames.makeAsyncIterator()
        let first = try #require(await frames.next()?.metadata?.frameNumber)
        let seen = session.framesSeen
        #expect(await reached { session.framesSeen >= seen + 20 })
        let second = try #require(await frames.next()?.metadata?.frameNumber)
        #expect(second >= first + 10)
        await session.stopRunning()
    }

    /// The stream continues over stops, starts and changes of the configuration, and ends with the removal.
    @Test func theStreamLivesAsLongAsTheOutputIsInTheSession() async throws {
        let output = FrameOutput(format: .raw)
        let stream = output.frames
        let session = try session(output)
        var frames = stream.makeAsyncIterator()
        for _ in 0..<2 {
            try await session.startRunning()
            for _ in 0..<3 {
                let frame = await frames.next()
                #expect(frame != nil)
            }
            await session.stopRunning()
        }
        try await session.startRunning()
        let other = FrameOutput(format: .rgb(width: 32, height: 24))
        try session.add(other)
        for await _ in other.frames { break }
        let frame = await frames.next()
        #expect(frame != nil)
        session.remove(output)
        while await frames.next() != nil {}
        // In a session again, the output has another stream.
        try session.add(output)
        for await _ in output.frames { break }
        await session.stopRunning()
    }

    /// A cancelled reader ends its stream; the next reader gets another one.
    @Test func aCancelledReaderLeavesTheOutputUsable() async throws {
        let output = FrameOutput(format: .raw)
        let session = try session(output)
        try await session.startRunning()
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let reader = Task { for await _ in output.frames { arrival.yield() } }
        for await _ in arrivals { break }
        reader.cancel()
        await reader.value
        // The output notices the end of the stream at the next frame.
        let seen = session.framesSeen
        #expect(await reached { session.framesSeen > seen + 5 })
        var frame: CapturedFrame?
        for await next in output.frames {
            frame = next
            break
        }
        #expect(frame != nil)
        await session.stopRunning()
    }
}
