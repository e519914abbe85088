import RawImage
import Testing

@testable import GSCapture

/// The readers of an output of frames, one after another.
@Suite(.timeLimit(.minutes(10)), .serialized) struct FrameReaderTests {
    private func session(_ output: FrameOutput, width: Int) throws -> CaptureSession {
        let session = CaptureSession()
        try session.add(CaptureDeviceInput(device: .simulated(width: width, height: 48, framesPerSecond: 30)))
        try session.add(output)
        return session
    }

    /// A reader that follows a cancelled one gets frames, also if none arrived in between.
    @Test func aCancelledReaderDoesNotEndTheNextOne() async throws {
        let output = FrameOutput(format: .raw)
        let session = try session(output, width: 64)
        let reader = Task { [stream = output.frames] in
            for await _ in stream {}
        }
        reader.cancel()
        await reader.value
        // The session has not started, so no frame has shown that the stream has ended.
        var frames = output.frames.makeAsyncIterator()
        try await session.startRunning()
        #expect(await frames.next() != nil)
        await session.stopRunning()
    }

    /// The fault: two readers shared the frames.
    @Test func everyReaderReceivesTheFrames() async throws {
        let output = FrameOutput(format: .raw)
        let session = try session(output, width: 64)
        var readers = (0..<2).map { _ in output.frames.makeAsyncIterator() }
        try await session.startRunning()
        let frame = try #require(await readers[0].next())
        session.remove(output)
        // The session goes on without the output; its last frame is buffered for the other reader.
        #expect(try #require(await readers[1].next()).metadata?.frameNumber ?? 0 >= frame.metadata?.frameNumber ?? 1)
        #expect(await readers[1].next() == nil)
        await session.stopRunning()
    }

    /// The frames of the former session do not reach the reader of the new one.
    @Test func framesOfAFormerSessionAreDiscarded() async throws {
        let output = FrameOutput(format: .raw)
        let former = try session(output, width: 64)
        try await former.startRunning()
        var frames = output.frames.makeAsyncIterator()
        let frame = try #require(await frames.next())
        let membership = output.membership
        former.remove(output)
        let next = try session(output, width: 96)
        #expect(output.membership != membership)
        output.deliver(frame, to: membership)
        try await next.startRunning()
        var others = output.frames.makeAsyncIterator()
        #expect(await others.next()?.width == 96)
        await former.stopRunning()
        await next.stopRunning()
    }
}
