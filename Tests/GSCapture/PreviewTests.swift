import Foundation
import GSCapture
import GStreamer
import TestClocks
import Testing

/// The live preview while a capture is stuck: no element of the photo branches may hold up the camera or the display.
@Suite(.timeLimit(.minutes(10)), .serialized) struct PreviewTests {
    /// Counts buffers; a thread can wait for a number of them.
    private final class Counter: @unchecked Sendable {
        // @unchecked Sendable: `total` is accessed only while the condition is locked.
        private var total = 0
        private let condition = NSCondition()

        func add() {
            condition.withLock {
                total += 1
                condition.broadcast()
            }
        }

        var count: Int { condition.withLock { total } }

        /// Waits until `least` buffers are counted. Fails the test after two minutes: far longer than any step takes,
        /// even on a busy machine.
        func wait(for least: Int, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let limit = Date(timeIntervalSinceNow: 120)
            let isReached = condition.withLock {
                while total < least, condition.wait(until: limit) {}
                return total >= least
            }
            try #require(isReached, what, sourceLocation: sourceLocation)
        }
    }

    /// Blocks the streaming thread of one pad from its first buffer until the test opens it.
    private final class Barrier: Sendable {
        private let opening = DispatchSemaphore(value: 0)

        /// Blocks for ten minutes at most, so that a failed test does not hang.
        func hold() {
            if opening.isSignalled(within: .seconds(600)) { opening.signal() }
        }

        func open() { opening.signal() }
    }

    /// A preview that runs without a window is reported as `previewHidden`, and not as a warning.
    @Test func aHiddenPreviewIsAnEvent() async throws {
        let text =
            "gscapsensorsrc ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1 ! rawunpack "
            + "! rawdevelop quality=preview ! videoconvert ! autovideosink sync=false"
        let plan = try PipelinePlan(reading: text)
        var session: CaptureSession? = CaptureSession(plan: plan)
        let events = try #require(session?.events)
        try await session?.startRunning()
        await session?.stopRunning()
        session = nil
        var hidden = 0
        for await event in events {
            if case .previewHidden = event { hidden += 1 }
            if case .warning(let text) = event { #expect(!text.contains("display"), "\(text)") }
        }
        // On a display there is none; `Tests/Command/BadInputTests` runs the command without one.
        #expect(hidden == (plan.hidesPreview ? 1 : 0))
    }

    /// Each element of the photo branches in turn refuses to go on with the first photo. The preview must show more
    /// frames than all queues in front of it hold, however busy the machine is, before that element goes on; then
    /// every photo must arrive.
    @Test(arguments: ["fusion", "proraw-encoder", "look", "jpeg-encoder"])
    func thePreviewGoesOnWhileACaptureIsStuck(element: String) throws {
        let photos = 2
        let plan = try proraw()
        let pipeline = try Pipeline(parsing: plan.launchText)
        let (barrier, stuck) = (Barrier(), Counter())
        try probe(pipeline, element) {
            stuck.add()
            barrier.hold()
        }
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
        try shown.wait(for: 1, "the preview starts")
        let shutter = try #require(pipeline.element(named: "shutter"))
        for _ in 0..<photos { _ = try shutter.emit("capture", nil) }
        try stuck.wait(for: 1, "a capture reaches \(element)")
        try shown.wait(for: shown.count + 20, "the preview goes on beside the stuck \(element)")
        barrier.open()
        try stored.wait(for: photos * plan.branches.count, "all photos are stored")
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
}
