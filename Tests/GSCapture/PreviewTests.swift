import Foundation
import GSCapture
import GStreamer
import Synchronization
import Testing

/// The live picture beside a capture, at the size and rate of the default camera.
@Suite(.timeLimit(.minutes(10)), .serialized) struct PreviewTests {
    /// The times of the frames that a pad saw.
    private final class Frames: Sendable {
        private let times = Mutex<[UInt64]>([])

        func add(_ time: UInt64) { times.withLock { $0.append(time) } }

        var all: [UInt64] { times.withLock { $0 } }
    }

    /// What a capture did to the frames of the preview: how many were given and how many of them never shown, before,
    /// during and after it.
    private struct Outcome {
        var given: [Int]
        var lost: [Int]
    }

    /// A machine that does other things meanwhile may lose a frame; a capture that held the preview up would cost
    /// several for each photo, every time.
    @Test func noFrameIsLostToACapture() async throws {
        let photos = 5
        var fewest = Int.max
        var attempts = 0
        repeat {
            let outcome = try await capture(photos: photos)
            print("preview before, during and after: given \(outcome.given), lost \(outcome.lost)")
            #expect(outcome.given.allSatisfy { $0 > 0 })
            fewest = min(fewest, outcome.lost[1])
            attempts += 1
        } while fewest > 0 && attempts < 5
        #expect(fewest < photos)
    }

    private func capture(photos: Int) async throws -> Outcome {
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
        defer { _ = try? pipeline.setState(.null) }
        // The first seconds, in which windows open, do not count; on a busy machine there are more of them.
        let settled: UInt64 = 2_000_000_000
        try await wait { Self.hasFrames(given, after: settled) }
        let begin = given.all.last ?? 0
        let shutter = try #require(pipeline.element(named: "shutter"))
        for _ in 0..<photos { _ = try shutter.emit("capture", nil) }
        try await wait { done.all.count >= photos * plan.branches.count }
        let end = given.all.last ?? 0
        #expect(done.all.count == photos * plan.branches.count)
        try await wait { Self.hasFrames(given, after: end) && Self.hasFrames(shown, after: end) }
        // Frames that are still on their way to the screen do not count.
        let known = Set(shown.all)
        // On a machine that does other things as well a time may come before the one it follows here.
        let bounds = [settled, begin, end, known.max() ?? 0]
        let periods = zip(bounds, bounds.dropFirst()).map { $0..<max($0, $1) }.map { period in
            given.all.filter(period.contains)
        }
        return Outcome(
            given: periods.map(\.count), lost: periods.map { $0.count { !known.contains($0) } })
    }

    /// Whether so many frames came after a time that losses among them would show.
    private static func hasFrames(_ frames: Frames, after time: UInt64) -> Bool {
        frames.all.count { $0 > time } >= 15
    }

    /// Waits for a condition, for a minute at most: what is expected then shows that it never came.
    private func wait(for condition: () -> Bool) async throws {
        let start = ContinuousClock.now
        while !condition(), ContinuousClock.now - start < .seconds(60) {
            try await Task.sleep(for: .milliseconds(50))
        }
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
}
