internal import Synchronization

/// A capture session: a camera, its outputs and the pipeline that connects them.
///
///     stopped ─start─► starting ─► running ◄─frames again─ interrupted
///        ▲                │         │   └──no frames──────────►┘
///        │                ▼         ▼
///        └─stop─ stopping ◄──── failed (an element failed, or the stream ended) ─start─► starting
///
/// Starts and stops are carried out one after another, in the order of their calls. Inputs and outputs must be added
/// before the session starts. Thread-safe.
public final class CaptureSession: Sendable {
    /// The state of a session.
    public enum State: Sendable, Hashable {
        case stopped, starting, running, failed, stopping
    }

    private struct Contents {
        var input: CaptureDeviceInput?
        var output: PhotoOutput?
        var preview: PreviewOutput?
        var plan: PipelinePlan?
        var state = State.stopped
        var running: RunningPipeline?
        /// The task of the newest start or stop; the next start or stop waits for its end.
        var last: Task<Void, Never>?
    }

    private let contents = Mutex(Contents())

    /// Creates a session without a camera and outputs.
    public init() {}

    /// Creates a session that runs a custom plan; its text defines the camera and the preview.
    public init(plan: PipelinePlan) {
        contents.withLock { $0.plan = plan }
    }

    deinit {
        let (running, output) = contents.withLock { ($0.running, $0.output) }
        output?.leave()
        guard let running else { return }
        Task { await running.stop() }
    }

    /// Sets the camera.
    public func add(_ input: CaptureDeviceInput) {
        contents.withLock { $0.input = input }
    }

    /// Sets the output for photos. Throws if the output belongs to a session already, or the session has an output.
    public func add(_ output: PhotoOutput) throws(CaptureError) {
        let (isFree, running) = contents.withLock { contents in
            if contents.output != nil { return (false, contents.running) }
            contents.output = output
            return (true, contents.running)
        }
        guard isFree else { throw CaptureError(.cannotAdd, Self.hasOutput) }
        guard output.join() else {
            contents.withLock { $0.output = nil }
            throw CaptureError(.cannotAdd, Self.isTaken)
        }
        output.setSource { [weak self] in self?.source }
        output.connect(running)
    }

    /// The source of the frames; nil while there is no camera.
    private var source: PhotoSource? {
        contents.withLock { contents in
            contents.plan.map(PhotoSource.plan) ?? contents.input.map { .device($0.device) }
        }
    }

    /// Returns whether the output can be added: the session has no output yet, and this output belongs to no session.
    public func canAdd(_ output: PhotoOutput) -> Bool {
        contents.withLock { $0.output == nil } && !output.isInSession
    }

    /// Removes the output for photos; its unfinished captures fail. Does nothing for the output of another session.
    public func remove(_ output: PhotoOutput) {
        let (isOurs, running) = contents.withLock { contents in
            guard contents.output === output else { return (false, nil as RunningPipeline?) }
            contents.output = nil
            return (true, contents.running)
        }
        guard isOurs else { return }
        output.leave()
        running?.engine.failAll(CaptureError(.aborted, "the output was removed before the photo was done"))
    }

    private static let hasOutput = "the session has an output for photos already"
    private static let isTaken = "the output belongs to a session already; remove it there first"

    /// Sets the live preview.
    public func add(_ preview: PreviewOutput) {
        contents.withLock { $0.preview = preview }
    }

    /// The state of the session.
    public var state: State { contents.withLock(\.state) }

    /// Whether the pipeline is running.
    public var isRunning: Bool { state == .running }

    /// The number of frames that the camera has delivered since the session started.
    public var framesSeen: Int { contents.withLock { $0.running?.framesSeen ?? 0 } }

    /// The session's events until it stops, for one reader per start. Empty before the start.
    public var events: AsyncStream<SessionEvent> {
        contents.withLock { $0.running?.events } ?? AsyncStream { $0.finish() }
    }
}

// MARK: - Starting and stopping

extension CaptureSession {
    /// Builds and starts the pipeline; returns when it is running. After a failure this starts again. Does nothing
    /// while the session is running.
    public func startRunning() async throws(CaptureError) {
        let result: Result<Void, CaptureError> = await inTurn { [self] in
            do throws(CaptureError) {
                try await start()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Stops the pipeline. Unfinished captures are aborted: their photos fail and `finished` is delivered.
    public func stopRunning() async {
        await inTurn { [self] in await stop() }
    }

    /// Carries out a start or a stop after all earlier ones.
    private func inTurn<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
        let task = contents.withLock { contents in
            let before = contents.last
            let task = Task<R, Never> {
                await before?.value
                return await body()
            }
            contents.last = Task { _ = await task.value }
            return task
        }
        return await task.value
    }

    private func start() async throws(CaptureError) {
        if isRunning { return }
        await stop()
        let plan = try planned()
        contents.withLock { $0.state = .starting }
        do throws(CaptureError) {
            let running = try RunningPipeline(plan) { [weak self] pipeline, _ in self?.hasFailed(pipeline) }
            contents.withLock { $0.running = running }
            try await running.start()
            let output = contents.withLock { contents in
                // A failure during the start has changed the state already.
                if contents.state == .starting { contents.state = .running }
                return contents.output
            }
            output?.connect(running)
        } catch {
            contents.withLock { contents in
                contents.running = nil
                contents.state = .failed
            }
            throw error
        }
    }

    private func stop() async {
        let (running, output) = contents.withLock { contents in
            if contents.running != nil { contents.state = .stopping }
            return (contents.running, contents.output)
        }
        output?.connect(nil)
        await running?.stop()
        contents.withLock { contents in
            contents.running = nil
            contents.state = .stopped
        }
    }

    /// Records that a pipeline can take no more photos. The next start builds another one.
    private func hasFailed(_ pipeline: RunningPipeline) {
        contents.withLock { contents in
            if contents.running === pipeline, contents.state != .stopping { contents.state = .failed }
        }
    }

    private func planned() throws(CaptureError) -> PipelinePlan {
        let (plan, input, output, preview) = contents.withLock { ($0.plan, $0.input, $0.output, $0.preview) }
        if let plan { return plan }
        guard let input else {
            throw CaptureError(.noDevice, "the session has no camera; add a CaptureDeviceInput before it starts")
        }
        return try PipelinePlan(device: input.device, preview: preview, formats: output?.plannedFormats ?? [])
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
