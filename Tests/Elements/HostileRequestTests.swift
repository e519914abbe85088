import FrameStream
import GStreamer
import GscapElements
import Testing

/// Requests with extreme numbers, which an application may send by mistake.
@Suite(.timeLimit(.minutes(10))) struct HostileRequestTests {
    init() throws { try GscapPlugin.register() }

    /// The fault: computing the lag of a press in the farthest future overflowed and ended the process.
    @Test(arguments: [Int64.max, Int64.min]) func aPressAtAnyTimeIsMissed(instant: Int64) {
        let ring: [FrameSummary] = [-5, 0, 100_000_000].map {
            FrameSummary(number: 1, start: $0, exposureTime: 0.02, iso: 100)
        }
        let circumstances = CaptureRequest.Circumstances(
            timing: FrameTiming(nominalPeriod: 100_000_000), isFinal: true)
        for frames in [1, 3] {
            for count in 1...ring.count {
                let request = CaptureRequest(id: 1, frames: frames, instant: instant)
                let selection = request.selection(from: Array(ring.prefix(count)), circumstances)
                if case .frames = selection { Issue.record("frames \(frames) of \(count): \(selection)") }
            }
        }
    }

    /// The fault: the press was accepted, and the signal returned 0, as for a refused one.
    @Test func theIdOfARefusedPressIsRefused() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["id": .uint64(0), "frames": 1]) == 0)
        #expect(camera.waitForResult(of: 0) == .failed)
        #expect(camera.reason(of: 0).contains("id is 0"), "\(camera.reason(of: 0))")
    }

    /// The overflow in a pipeline: the stream ends while the press waits for a frame of its time.
    @Test func aPressInTheFarthestFutureEndsWithTheStream() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        let request = Structure("capture", ["id": .uint64(21), "frames": 1, "time": .uint64(.max - 1)])
        #expect(try camera.shutter.emit("capture", request) == 21)
        camera.source.endOfStream()
        #expect(camera.waitForResult(of: 21) == .failed)
        #expect(camera.reason(of: 21).contains("before the press"), "\(camera.reason(of: 21))")
    }
}
