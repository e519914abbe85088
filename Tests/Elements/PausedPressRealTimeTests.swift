import FrameStream
import GStreamer
import GscapElements
import Testing
import Waiting

/// A press in a pause that lasts.
@Suite(.timeLimit(.minutes(10))) struct PausedPressRealTimeTests {
    init() throws { try GscapPlugin.register() }

    /// A pause moves the running time of everything after it. The fault: a press in the pause waited for frames later
    /// than itself by the length of the pause; a press just after a seek, by the time since the start.
    @Test func aPressInAPauseIsOfTheMomentBefore() throws {
        let host = try PhotoBinHost("fusion-mode=speed formats=proraw")
        try host.start()
        let before = try #require(host.pipeline.runningTime)
        try host.pipeline.setState(.paused)
        WaitClock.machine.block(for: .seconds(2))
        let id = try host.press(["frames": 2])
        try host.pipeline.setState(.playing)
        #expect(host.result(of: id) == "succeeded", "\(host.reason(of: id))")
        let time = host.photos(of: id).first?.sample?.buffer?.presentationTime ?? UInt64.max
        #expect(time < before + 1_000_000_000)
    }
}
