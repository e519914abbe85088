import Dispatch
import FrameStream
import GStreamer
import GscapElements
import Synchronization
import TestClocks
import Testing

/// What the simulated camera reports of its computations, and how it ends them.
@Suite(.timeLimit(.minutes(10))) struct CameraWorkTests {
    init() throws { try GscapPlugin.register() }

    /// The report comes before the first frame, also where the frames wait in a queue.
    @Test func theSceneIsReportedBeforeTheFirstFrame() throws {
        let pipeline = try Pipeline(
            parsing: "gscapsensorsrc num-buffers=1 ! video/x-bayer,format=rggb12le,width=64,height=48 ! queue "
                + "! fakesink name=out async=false")
        let pad = try #require(pipeline.element(named: "out")?.pad("sink"))
        let seen = Mutex<[String]>([])
        let events = pad.addEventProbe { event in
            if CameraWork.isReported(by: event) { seen.withLock { $0.append("work") } }
            return .pass
        }
        let frames = pad.addBufferProbe { _ in
            seen.withLock { $0.append("frame") }
            return .pass
        }
        defer {
            events.remove()
            frames.remove()
        }
        let done = DispatchSemaphore(value: 0)
        pipeline.bus.setHandler { if case .endOfStream = $0.kind { done.signal() } }
        try pipeline.setState(.playing)
        defer { _ = try? pipeline.setState(.null) }
        #expect(done.isSignalled())
        let order = seen.withLock { $0 }
        #expect(order.first == "work" && order.last == "frame", "\(order)")
    }

    /// The fault: a pipeline that stops waited for the whole scene, and then for a frame.
    @Test(arguments: ["rggb12le", "rggb"]) func anElementThatStopsEndsItsComputation(format: String) throws {
        let source = SensorSource(element: ElementHandle())
        try source.setCaps(Caps("video/x-bayer,format=\(format),width=64,height=48,framerate=10/1"))
        source.unlock()
        #expect(throws: FlowError.flushing) { _ = try source.create().size }
        source.unlockStop()
        let first = try source.create().offset
        #expect(first == 0, "the scene, once it is computed")
        source.unlock()
        #expect(throws: FlowError.flushing) { _ = try source.create().size }
        source.unlockStop()
        let next = try source.create().offset
        #expect(next ?? 0 > 0)
    }
}
