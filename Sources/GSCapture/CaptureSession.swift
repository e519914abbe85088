internal import Synchronization

/// A capture session: a camera, its outputs and the pipeline that connects them.
///
/// Inputs and outputs must be added before the session starts. Thread-safe.
public final class CaptureSession: Sendable {
    private struct State {
        var input: CaptureDeviceInput?
        var output: PhotoOutput?
        var preview: PreviewOutput?
        var plan: PipelinePlan?
        var running: RunningPipeline?
    }

    private let state = Mutex(State())

    /// Creates a session without a camera and outputs.
    public init() {}

    /// Creates a session that runs a custom plan; its text defines the camera and the preview.
    public init(plan: PipelinePlan) {
        state.withLock { $0.plan = plan }
    }

    /// Sets the camera.
    public func add(_ input: CaptureDeviceInput) {
        state.withLock { $0.input = input }
    }

    /// Sets the output for photos.
    public func add(_ output: PhotoOutput) {
        state.withLock { $0.output = output }
    }

    /// Sets the live preview.
    public func add(_ preview: PreviewOutput) {
        state.withLock { $0.preview = preview }
    }

    /// Whether the pipeline is running.
    public var isRunning: Bool { state.withLock { $0.running != nil } }

    /// The number of frames that the camera has delivered since the session started.
    public var framesSeen: Int { state.withLock { $0.running?.framesSeen ?? 0 } }

    /// The session's events until it stops, for one reader per start. Empty before the start.
    public var events: AsyncStream<SessionEvent> {
        state.withLock { $0.running?.events } ?? AsyncStream { $0.finish() }
    }

    /// Builds and starts the pipeline; returns when it is running.
    public func startRunning() async throws(CaptureError) {
        let (plan, output) = try planned()
        guard let plan else { return }
        let running = try RunningPipeline(plan)
        try await running.start()
        state.withLock { $0.running = running }
        output?.connect(running)
    }

    /// Stops the pipeline. Unfinished captures are aborted: their photos fail and `finished` is delivered.
    public func stopRunning() async {
        let (running, output) = state.withLock { state in
            let was = state.running
            state.running = nil
            return (was, state.output)
        }
        output?.connect(nil)
        await running?.stop()
    }

    /// Returns the plan to run, or nil if the session is running already, and the photo output.
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

/// A camera as the input of a session.
public struct CaptureDeviceInput: Sendable {
    /// The camera.
    public var device: CaptureDevice

    /// Creates an input from a camera.
    public init(device: CaptureDevice) {
        self.device = device
    }
}

/// A live preview of the camera's picture.
public struct PreviewOutput: Sendable {
    /// The factory name of the GStreamer sink element that shows the preview.
    public var sink: String
    /// The size of the preview in pixels.
    public var size: (width: Int, height: Int)

    /// Creates a preview in a desktop window; without a display it runs without showing anything.
    public init(sink: String = "autovideosink", width: Int = 1280, height: Int = 960) {
        self.sink = sink
        size = (width, height)
    }
}
