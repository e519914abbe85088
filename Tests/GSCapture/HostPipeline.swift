import GSCapture
import GStreamer
import GscapElements
import Synchronization
import TestClocks

/// A pipeline of an application: a live camera, a tee, and a preview whose frames are counted.
///
///     camera ─ tee ─ queue "preview" ─ fakesink
final class HostPipeline: Sendable {
    let pipeline: Pipeline
    let tee: Element
    /// The timestamps of the frames that reached the tee, and of those that reached the preview's sink.
    private let counts: FrameCounts

    private final class FrameCounts: Sendable {
        let sent = Mutex<[UInt64]>([])
        let shown = Mutex<[UInt64]>([])
    }

    /// A Bayer camera of 64×48 pixels, whose format the host may change while it runs.
    static let testCamera =
        "videotestsrc is-live=true ! capsfilter name=format "
        + "caps=video/x-bayer,format=rggb,width=64,height=48,framerate=50/1"

    static let simulatedCamera =
        "gscapsensorsrc name=camera ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=100/1"

    /// A camera whose long captures last until something ends them, also on a machine with other work.
    static let slowCamera =
        "gscapsensorsrc name=camera ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=5/1"

    init(_ camera: String = simulatedCamera) throws {
        try GscapPlugin.register()
        pipeline = try Pipeline(
            parsing: camera + " ! tee name=tee ! queue name=preview max-size-buffers=0 max-size-bytes=0 "
                + "max-size-time=0 ! fakesink name=screen sync=false async=false")
        guard let tee = pipeline.element(named: "tee"), let input = tee.pad("sink"),
            let screen = pipeline.element(named: "screen")?.pad("sink")
        else { throw GStreamerError(message: "the host has no tee") }
        self.tee = tee
        let counts = FrameCounts()
        self.counts = counts
        _ = input.addBufferProbe { buffer in
            counts.sent.withLock { $0.append(buffer.presentationTime ?? 0) }
            return .pass
        }
        _ = screen.addBufferProbe { buffer in
            counts.shown.withLock { $0.append(buffer.presentationTime ?? 0) }
            return .pass
        }
    }

    /// The number of frames that have reached the tee.
    var sent: Int { counts.sent.withLock(\.count) }

    /// The number of frames that the preview has shown.
    var shown: Int { counts.shown.withLock(\.count) }

    /// Whether the preview has shown each frame that reached the tee, except those that are on their way. They are
    /// complete when the pipeline is stopped by `endStream`.
    var lostFrames: [UInt64] {
        let shown = Set(counts.shown.withLock { $0 })
        guard let last = shown.max() else { return counts.sent.withLock { $0 } }
        return counts.sent.withLock { $0 }.filter { $0 <= last && !shown.contains($0) }
    }

    /// The lost frames as numbers among those that reached the tee.
    var lossReport: String {
        let lost = Set(lostFrames)
        let sent = counts.sent.withLock { $0 }
        let numbers = sent.indices.filter { lost.contains(sent[$0]) }
        return "the frames \(numbers) of \(sent.count)"
    }

    /// The number of the tee's source pads.
    var branches: Int { tee.pads.count(where: \.isSource) }

    /// The names of the elements in the pipeline.
    var elements: Set<String> { Set(pipeline.allElements.map(\.factoryName)) }

    func play() throws { try pipeline.setState(.playing) }

    func stop() { _ = try? pipeline.setState(.null) }

    /// Waits for some more frames of the preview; returns whether they came.
    func shows(_ count: Int) async -> Bool {
        let goal = shown + count
        return await reached { shown >= goal }
    }
}

extension CaptureSession {
    /// Waits for some more frames of the camera; returns whether they came.
    func delivers(_ count: Int) async -> Bool {
        let goal = framesSeen + count
        return await reached { framesSeen >= goal }
    }
}

extension PhotoOutput {
    /// Waits until the output can take a capture.
    func becomesReady() async -> Bool {
        await reached { captureReadiness == .ready }
    }

    /// Settings of a JPEG of one frame, which accept any frame from around the press.
    static func quickSettings() -> PhotoSettings {
        var settings = PhotoSettings(processed: [.jpeg])
        settings.frames = 1
        settings.momentTolerance = .seconds(60)
        return settings
    }

    /// Settings of a capture whose frames take at least half a second at 100 frames a second.
    static func longSettings() -> PhotoSettings {
        var settings = quickSettings()
        settings.frames = 60
        settings.zeroShutterLag = false
        return settings
    }
}

extension PhotoCapture {
    /// The error with which the capture ends; waits for the end.
    var end: CaptureError? {
        get async {
            var end: CaptureError?
            for await event in events {
                if case .finished(_, let error) = event { end = error }
            }
            return end
        }
    }
}
