import Dispatch
import FrameStream
import GStreamer
import GscapElements
import Synchronization
import TestClocks
import Testing

/// The moment of a capture where it is not simply that of the press.
@Suite(.timeLimit(.minutes(10))) struct ShutterMomentTests {
    init() throws { try GscapPlugin.register() }

    /// The fault: a burst of twelve had the last of its frames as its reference, 1.1 s late.
    @Test func aPressBeforeTheFirstFrameMeansTheFirstFrame() throws {
        let camera = try TestCamera()
        try camera.start()
        #expect(try camera.press(["frames": 12, "id": .uint64(1)]) == 1)
        try camera.push(12)
        #expect(camera.waitForResult(of: 1) == .succeeded)
        #expect(camera.references(of: 1..<2) == [1])
    }

    /// The fault: a burst behind a capture that changed the exposure came seconds late, whatever its tolerance.
    @Test func theToleranceHoldsBehindACaptureThatChangesTheExposure() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        #expect(try camera.press(["frames": 2, "iso": 800.0, "id": .uint64(1)]) == 1)
        camera.iso = 800
        try camera.push(2)
        #expect(camera.waitForResult(of: 1) == .succeeded)
        #expect(try camera.press(["frames": 2, "id": .uint64(2)], tolerance: 0.03) == 2)
        try camera.push(3)
        #expect(camera.waitForResult(of: 2) == .failed)
        #expect(camera.reason(of: 2).contains("a capture before this one changed it"), "\(camera.reason(of: 2))")
        // Without a tolerance of its own, a capture waits for the camera's own exposure.
        #expect(try camera.press(["frames": 2, "id": .uint64(3)], tolerance: nil) == 3)
        camera.iso = 100
        try camera.push(2)
        #expect(camera.waitForResult(of: 3) == .succeeded)
    }

    /// A photo with an exposure that was asked for states how long after the press it was taken, and after the request.
    @Test func aRequestedExposureHasTwoLags() throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc control-delay=2 ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=50/1 "
                + "! rawshutter name=shutter frames=1 ! fakesink sync=false async=false")
        let found = Mutex<[CaptureMessage]>([])
        let isFound = DispatchSemaphore(value: 0)
        pipeline.bus.setHandler { message in
            guard case .element(let structure) = message.kind, let message = CaptureMessage(structure) else { return }
            if case .taken = message {
                found.withLock { $0.append(message) }
                isFound.signal()
            }
        }
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        let shutter = try #require(pipeline.element(named: "shutter"))
        #expect(try shutter.emit("capture", Structure("capture", ["iso": 800.0])) != 0)
        #expect(isFound.isSignalled())
        guard case .taken(_, _, let lag?, let exposureLag?)? = found.withLock({ $0.first }) else {
            Issue.record("a lag is missing")
            return
        }
        #expect(exposureLag > 0 && exposureLag <= lag)
    }

    /// The fault: after a flush without a segment event, a press failed for a frame far from it, without the cause.
    @Test func aFlushWithoutASegmentIsNamed() throws {
        let camera = try TestCamera()
        try camera.start()
        try camera.push(3)
        let probe = camera.shutter.pad("sink")?.addEventProbe { $0.kind == .segment ? .drop : .pass }
        defer { probe?.remove() }
        camera.flush()
        try camera.push(4)
        #expect(try camera.press(["frames": 1, "id": .uint64(1)], tolerance: 0.001, time: 0) == 1)
        #expect(camera.waitForResult(of: 1) == .failed)
        #expect(camera.reason(of: 1).contains("no segment event"), "\(camera.reason(of: 1))")
    }
}
