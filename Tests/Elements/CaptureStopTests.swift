import Dispatch
import GStreamer
import GscapElements
import Testing

/// How captures end when the stream stops or is flushed while their photos are made.
@Suite(.timeLimit(.minutes(10))) struct CaptureStopTests {
    init() throws { try GscapPlugin.register() }

    private static let queue = "queue max-size-buffers=64 max-size-bytes=0 max-size-time=0"

    /// Photos wait in front of a slow sink, and the next one waits for room behind the fusion.
    @Test func photosThatWaitDoNotHoldUpAStop() throws {
        let slow = "\(Self.queue) ! rawfusion mode=speed ! dngenc ! identity sleep-time=200000"
        let camera = try TestCamera(behind: slow, width: 64, height: 48)
        try camera.start()
        let ids = 1...8 as ClosedRange<UInt64>
        for id in ids {
            #expect(try camera.press(["frames": 2, "id": .uint64(id)]) == id)
            try camera.push(3)
        }
        #expect(camera.waitForResult(of: ids.lowerBound) == .succeeded)
        let hasStopped = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            _ = try? camera.pipeline.setState(.ready)
            hasStopped.signal()
        }
        #expect(hasStopped.wait(timeout: .now() + 60) == .success, "the stop hangs")
        for id in ids { #expect(camera.waitForResult(of: id) != nil) }
        for id in ids { #expect(camera.events(of: id).last == "done") }
    }

    /// Most frames of the burst are still in the queue, which drops them.
    @Test(arguments: [false, true], ["identity sleep-time=50000", "identity"])
    func aBurstThatIsDroppedIsCancelled(isFlushed: Bool, delay: String) throws {
        let behind = "\(Self.queue) ! \(delay) ! rawfusion mode=quality ! dngenc ! identity sleep-time=300000"
        let camera = try TestCamera(behind: behind, width: 320, height: 240)
        try camera.start()
        let ids = 1...3 as ClosedRange<UInt64>
        for id in ids {
            #expect(try camera.press(["frames": 8, "id": .uint64(id)]) == id)
            try camera.push(9)
        }
        if isFlushed { camera.flush() } else { try camera.pipeline.setState(.ready) }
        for id in ids { #expect(camera.waitForResult(of: id) != nil) }
        #expect(camera.result(of: ids.upperBound) == .cancelled)
        for id in ids { #expect(camera.events(of: id).last == "done") }
    }

    /// The seek of a stream whose source cannot seek fails, as it does without a fusion.
    @Test func aSeekThatIsRefusedFails() throws {
        let camera = try TestCamera(behind: "rawfusion", width: 64, height: 48)
        try camera.start()
        try camera.push()
        let sink = try #require(camera.pipeline.element(named: "out"))
        #expect(!sink.send(.seek(to: 0)))
    }
}
