import Foundation
import GSCapture
import GStreamer
import Synchronization
import Testing

/// The live picture beside a capture, at the size and rate of the default camera.
@Suite(.timeLimit(.minutes(3)), .serialized) struct PreviewTests {
    /// The times of the frames that a pad saw.
    private final class Frames: Sendable {
        private let times = Mutex<[UInt64]>([])

        func add(_ time: UInt64) { times.withLock { $0.append(time) } }

        var all: [UInt64] { times.withLock { $0 } }
    }

    @Test func noFrameIsLostToACapture() async throws {
        let photos = 5
        var reading = PipelinePlan.Reading()
        reading.variables["RATE"] = "10"
        let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../pipelines/proraw.txt").standardized
        let plan = try PipelinePlan(reading: String(contentsOf: folder, encoding: .utf8), reading)
        let pipeline = try Pipeline(parsing: plan.launchText)
        let shown = try watch(pipeline, "preview")
        let given = try watch(pipeline, "raw")
        let done = Frames()
        for branch in plan.branches {
            let sink = try #require(pipeline.element(named: branch.name).flatMap(AppSink.init))
            sink.setHandler { sink in
                while case .sample? = sink.next() { done.add(0) }
                return nil
            } ended: {
            }
        }
        try pipeline.setState(.playing)
        try await Task.sleep(for: .seconds(4))
        let before = given.all.count
        let shutter = try #require(pipeline.element(named: "shutter"))
        for _ in 0..<photos { _ = try shutter.emit("capture", nil) }
        let pressed = ContinuousClock.now
        while done.all.count < photos * plan.branches.count, ContinuousClock.now - pressed < .seconds(60) {
            try await Task.sleep(for: .milliseconds(50))
        }
        let during = given.all.count - before
        #expect(done.all.count == photos * plan.branches.count)
        try await Task.sleep(for: .seconds(2))
        try pipeline.setState(.null)
        let lost = missing(in: shown.all, from: given.all)
        print(
            "preview: \(shown.all.count) of \(given.all.count) frames shown, \(during) of them during the capture, \(lost) lost"
        )
        #expect(during > 0)
        // The machine may do other things meanwhile; a capture that held the preview up would cost dozens.
        #expect(lost <= 2)
    }

    private func watch(_ pipeline: Pipeline, _ name: String) throws -> Frames {
        let frames = Frames()
        let pad = try #require(pipeline.element(named: name)?.pad("sink"))
        _ = pad.addBufferProbe { buffer in
            frames.add(buffer.presentationTime ?? 0)
            return .pass
        }
        return frames
    }

    /// Frames that were given and never shown; the first second, in which windows open, and the last frames do not count.
    private func missing(in shown: [UInt64], from given: [UInt64]) -> Int {
        let known = Set(shown)
        let counted = given.filter { $0 > 2_000_000_000 && $0 <= (shown.last ?? 0) }
        return counted.count { !known.contains($0) }
    }
}
