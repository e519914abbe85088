internal import Synchronization

/// A camera, the outputs that use it, and the flow between them.
///
/// Inputs and outputs are added before it starts. Thread-safe.
public final class CaptureSession: Sendable {
    private struct State {
        var input: CaptureDeviceInput?
        var output: PhotoOutput?
        var preview: PreviewOutput?
        var plan: PipelinePlan?
        var running: RunningPipeline?
    }

    private let state = Mutex(State())

    /// A session without camera and outputs.
    public init() {}

    /// A session that runs a plan of the user's own, with camera and preview as its text has them.
    public init(plan: PipelinePlan) {
        state.withLock { $0.plan = plan }
    }

    /// Uses a camera.
    public func add(_ input: CaptureDeviceInput) {
        state.withLock { $0.input = input }
    }

    /// Takes photos through an output.
    public func add(_ output: PhotoOutput) {
        state.withLock { $0.output = output }
    }

    /// Shows what the camera sees.
    public func add(_ preview: PreviewOutput) {
        state.withLock { $0.preview = preview }
    }

    /// Whether frames flow.
    public var isRunning: Bool { state.withLock { $0.running != nil } }

    /// How many frames the camera has given since the start.
    public var framesSeen: Int { state.withLock { $0.running?.framesSeen ?? 0 } }

    /// What happens outside of captures, until the session stops. One reader a start; empty before the start.
    public var events: AsyncStream<SessionEvent> {
        state.withLock { $0.running?.events } ?? AsyncStream { $0.finish() }
    }

    /// Builds the pipeline and lets frames flow; returns when they do.
    public func startRunning() async throws(CaptureError) {
        let (plan, output) = try planned()
        guard let plan else { return }
        let running = try RunningPipeline(plan)
        try await running.start()
        state.withLock { $0.running = running }
        output?.connect(running)
    }

    /// Stops the flow. Photos that are not done fail, each with its error and its last event.
    public func stopRunning() async {
        let (running, output) = state.withLock { state in
            let was = state.running
            state.running = nil
            return (was, state.output)
        }
        output?.connect(nil)
        await running?.stop()
    }

    /// The plan to run; nil when it runs already.
    private func planned() throws(CaptureError) -> (PipelinePlan?, PhotoOutput?) {
        let (settled, input, output, preview) = state.withLock { state in
            (state.running?.plan == nil ? state.plan : nil, state.input, state.output, state.preview)
        }
        if isRunning { return (nil, output) }
        if let settled { return (settled, output) }
        guard let input else {
            throw CaptureError(.noDevice, "the session has no camera; add a CaptureDeviceInput before it starts")
        }
        let formats = output?.plannedFormats ?? []
        return (try PipelinePlan(device: input.device, preview: preview, formats: formats), output)
    }
}

/// A camera as a session uses it.
public struct CaptureDeviceInput: Sendable {
    /// The camera.
    public var device: CaptureDevice

    /// An input from a camera.
    public init(device: CaptureDevice) {
        self.device = device
    }
}

/// A live picture of what the camera sees.
public struct PreviewOutput: Sendable {
    /// The GStreamer sink that shows it.
    public var sink: String
    /// The size of the picture shown.
    public var size: (width: Int, height: Int)

    /// A preview in a window of the desktop; without a display it runs unseen.
    public init(sink: String = "autovideosink", width: Int = 1280, height: Int = 960) {
        self.sink = sink
        size = (width, height)
    }
}
