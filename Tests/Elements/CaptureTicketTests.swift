import FrameStream
import GStreamer
import GscapElements
import Synchronization
import Testing

/// The ticket of a capture behind the shutter.
@Suite(.timeLimit(.minutes(10))) struct CaptureTicketTests {
    /// The ticket rides on the frames through queues, tees, the fusion and encoders, GStreamer's own too, so that an
    /// element anywhere behind the shutter can report on it.
    @Test(arguments: ["queue ! dngenc", "rawfusion mode=speed ! tee ! queue ! rawdevelop ! jpegenc ! identity"])
    func theTicketReachesEverySink(elements: String) throws {
        try GscapPlugin.register()
        let camera = try TestCamera(behind: "tee ! \(elements)", width: 64, height: 48)
        let ticket = Atomic<UInt64>(0)
        let isThere = Gate()
        _ = camera.pipeline.element(named: "out")?.pad("sink")?.addBufferProbe { photo in
            ticket.store(photo.captureTicket?.id ?? 0, ordering: .relaxed)
            isThere.open()
            return .pass
        }
        try camera.start()
        try camera.push(4)
        let id = try camera.press(["frames": 1])
        isThere.wait()
        #expect(ticket.load(ordering: .relaxed) == id)
        try camera.stop()
    }
}
