import Foundation
import GSCapture
import GStreamer
import Synchronization
import Testing

/// The live preview while a capture is stuck: no element of the photo branches may hold up the camera or the display.
@Suite(.timeLimit(.minutes(5)), .serialized) struct PreviewTests {
    /// Counts buffers.
    private final class Counter: Sendable {
        private let total = Mutex(0)

        func add() { total.withLock { $0 += 1 } }

        var count: Int { total.withLock { $0 } }
    }

    /// Blocks the streaming thread of one pad from its first buffer until the test opens it, for two minutes at most.
    private final class Barrier: Sendable {
        private let entered = Mutex(false)
        private let opening = DispatchSemaphore(value: 0)

        var isEntered: Bool { entered.withLock { $0 } }

        func hold() {
            entered.withLock { $0 = true }
            if opening.wait(timeout: .now() + 120) == .success { opening.signal() }
        }

        func open() { opening.signal() }
    }

    /// Each element of the photo branches in turn refuses to go on with the first photo. The preview must show more
    /// frames than all queues in front of it hold, however busy the machine is, before that element goes on; then
    /// every photo must arrive.
    @Test(arguments: ["fusion", "proraw-encoder", "look", "jpeg-encoder"])
    func thePreviewGoesOnWhileACaptureIsStuck(element: String) async throws {
        let photos = 2
        let plan = try proraw()
        let pipeline = try Pipeline(parsing: plan.launchText)
        let barrier = Barrier()
        try probe(pipeline, element) { barrier.hold() }
        let shown = Counter()
        try probe(pipeline, "preview") { shown.add() }
        let stored = Counter()
        for branch in plan.branches {
            let sink = try #require(pipeline.element(named: branch.name).flatMap(AppSink.init))
            sink.setHandler { sink in
                while case .sample? = sink.next() { stored.add() }
                return nil
            } ended: {
            }
        }
        try pipeline.setState(.playing)
        defer {
            barrier.open()
            _ = try? pipeline.setState(.null)
        }
        try await wait("the first frame of the preview") { shown.count > 0 }
        let shutter = try #require(pipeline.element(named: "shutter"))
        for _ in 0..<photos { _ = try shutter.emit("capture", nil) }
        try await wait("a capture at \(element)") { barrier.isEntered }
        let before = shown.count
        try await wait("the preview beside the stuck \(element)") { shown.count >= before + 20 }
        barrier.open()
        try await wait("all photos") { stored.count >= photos * plan.branches.count }
        #expect(stored.count == photos * plan.branches.count)
    }

    /// The pipeline that README names first, with frames small enough for twenty of them to pass quickly.
    private func proraw() throws -> PipelinePlan {
        var reading = PipelinePlan.Reading()
        reading.variables = ["WIDTH": "640", "HEIGHT": "480", "RATE": "30"]
        let file = URL(fileURLWithPath: #filePath).appending(path: "../../../pipelines/proraw.txt").standardized
        return try PipelinePlan(reading: String(contentsOf: file, encoding: .utf8), reading)
    }

    private func probe(_ pipeline: Pipeline, _ name: String, _ action: @escaping @Sendable () -> Void) throws {
        let pad = try #require(pipeline.element(named: name)?.pad("sink"))
        _ = pad.addBufferProbe { _ in
            action()
            return .pass
        }
    }

    /// Waits for a condition, for a minute at most, and fails the test where it never holds.
    private func wait(_ what: String, for condition: () -> Bool) async throws {
        let start = ContinuousClock.now
        while !condition() {
            try #require(ContinuousClock.now - start < .seconds(60), "waited a minute for \(what)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
