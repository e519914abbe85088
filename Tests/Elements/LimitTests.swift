import FrameStream
import GStreamer
import GscapElements
import Synchronization
import TestClocks
import Testing

/// The time limits of captures, by a clock that the test advances.
@Suite(.timeLimit(.minutes(10))) struct LimitTests {
    init() throws { try GscapPlugin.register() }

    /// A capture whose frames do not come fails after the limit, and not before.
    @Test func aPressWithoutFramesEnds() async throws {
        let manual = ManualClock()
        try await manual.drive {
            let camera = try TestCamera()
            try camera.start()
            try camera.push(4)
            let id = try camera.press(["frames": 2, "zero-shutter-lag": false])
            await manual.advance(by: .seconds(10))
            #expect(camera.result(of: id) == nil)
            await manual.advance(by: .seconds(1))
            #expect(camera.result(of: id) == .failed)
            try camera.stop()
        }
    }

    /// A capture whose photos an element holds back ends two minutes after the last step.
    @Test func photosWithoutAStepEnd() async throws {
        let (manual, gate) = (ManualClock(), Gate())
        try await manual.drive {
            let camera = try TestCamera(behind: "queue name=held")
            let ticket = Mutex<CaptureTicket?>(nil)
            _ = camera.pipeline.element(named: "held")?.pad("src")?.addBufferProbe { frame in
                let found = frame.captureTicket
                ticket.withLock { $0 = found }
                gate.wait()
                return .pass
            }
            try camera.start()
            try camera.push(4)
            let id = try camera.press(["frames": 2])
            camera.waitForFrames(of: id)
            await manual.advance(by: .seconds(100))
            try #require(ticket.withLock { $0 }).record(.photo)
            await manual.advance(by: .seconds(119))
            #expect(camera.result(of: id) == nil)
            await manual.advance(by: .seconds(101))
            #expect(camera.result(of: id) != nil)
            gate.open()
            try camera.stop()
        }
    }

    /// A deadline that no photo meets ends the capture once, as failed.
    @Test func aDeadlineEndsTheCapture() async throws {
        let manual = ManualClock()
        try await manual.drive {
            let host = try PhotoBinHost("frames=64 deadline=5 fusion-mode=speed")
            try host.start()
            let id = try host.press(["frames": 64, "zero-shutter-lag": false])
            #expect(host.events(of: id).contains("begun"))
            await manual.advance(by: .seconds(5))
            #expect(host.result(of: id) == "failed")
            #expect(host.reason(of: id).contains("deadline"))
            #expect(host.events(of: id).filter { $0 == "done" }.count == 1)
            try host.bin.set("deadline", 0.0)
            let next = try host.press(["frames": 1])
            #expect(host.result(of: next) == "succeeded")
        }
    }
}
