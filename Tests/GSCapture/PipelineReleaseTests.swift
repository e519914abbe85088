import GStreamer
import Synchronization
import TestClocks
import Testing

@testable import GSCapture

/// The release of a running pipeline that was not stopped.
@Suite(.timeLimit(.minutes(10))) struct PipelineReleaseTests {
    /// The owner of a running pipeline, which it may release on any thread.
    private final class Owner: Sendable {
        private let running = Mutex<RunningPipeline?>(nil)

        /// Makes a pipeline, whose last frame releases it; returns its sink.
        func make(_ ended: @escaping @Sendable () -> Void) throws -> Element? {
            let plan = try PipelinePlan(reading: "videotestsrc is-live=true num-buffers=15 ! queue ! fakesink")
            let running = try RunningPipeline(plan, number: 1, frameOutputs: []) { [self] event in
                guard case .ended = event else { return }
                self.running.withLock { $0 = nil }
                ended()
            }
            self.running.withLock { $0 = running }
            return running.pipeline.allElements.first { $0.factoryName == "fakesink" }
        }

        func start() async throws { try await running.withLock { $0 }?.start() }
    }

    /// A streaming thread that reports the end of the stream may hold the last reference. It cannot wait for its own
    /// end, so another thread stops the pipeline.
    @Test func aStreamingThreadMayReleaseThePipeline() async throws {
        let owner = Owner()
        let (events, continuation) = AsyncStream<Void>.makeStream()
        let sink = try #require(try owner.make { continuation.yield() })
        try await owner.start()
        for await _ in events { break }
        #expect(await reached(.seconds(10)) { sink.state() == .null })
    }
}
