internal import Dispatch
internal import FrameStream
internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization
internal import Waiting

/// The running pipeline of a plan: it receives the photos of the branches and the messages of the bus.
final class RunningPipeline: PhotoPipeline {
    let plan: PipelinePlan
    /// The number by which the session recognizes the pipeline's events.
    let number: Int
    let engine: CaptureEngine
    let pipeline: Pipeline
    /// The outputs that receive frames for analysis; the plan has a sink for each.
    let frameOutputs: [FrameOutput]
    /// The output that records movies; the plan has a sink for it.
    let movie: MovieOutput?
    /// The recorder of the movies of Live Photos, if the plan has a sink for them.
    let livePhotos: LivePhotoRecorder?
    /// The preview whose frames the recorder takes; nil if it has its own.
    let sharedRendering: SharedRendering?
    /// The cameras of a virtual device, whose primary one this pipeline runs; nil for a single camera.
    let constituents: ConstituentPipelines?

    /// What the previews, frames and movies show.
    let view: LiveView
    private let zoomFactor = Mutex(1.0)

    /// Receives the session's events: progress, warnings, interruptions and the end.
    let eventStream: EventReport
    let shutter: Element?
    /// The jobs of captures with deferred delivery whose frames are being stored.
    let jobs = DeferredJobWriter()
    let gates = Mutex<BranchGates?>(nil)
    /// Runs state changes, which may block until streaming threads stop. Each pipeline has its own queue, so that one
    /// that does not stop delays no other.
    private let stateQueue = DispatchQueue(label: "gscap.state")
    private let frames = CameraSigns()
    private let firstError = Mutex<GscapError?>(nil)
    private let watch = Mutex<FrameWatch?>(nil)
    private let hasLiveSource = Atomic(false)
    private let isStopped = AtomicFlag()
    private let clock = WaitClock.current

    /// Whether the pipeline has reached PLAYING. Before that, the first error is the reason why it does not start.
    private let hasStarted = Mutex(false)

    /// The longest time that a pipeline may take to start, apart from that in which its source computes a frame.
    private static let startLimit = Duration.seconds(30)
    /// The longest time for which stopping waits. A pipeline that takes longer, such as one with a blocked device, is
    /// left to stop by itself.
    private static let stopLimit = Duration.seconds(10)
    /// The time in seconds without a frame from a live camera after which its captures fail.
    private let frameLimit: Double

    /// Creates the elements of a plan and links them, without starting them. `frameOutputs` are the receivers of the
    /// plan's sinks for frames. `report` is called with the events; after `failed` or `ended`, the pipeline takes no
    /// more photos.
    init(
        _ plan: PipelinePlan, number: Int, frameOutputs: [FrameOutput], movie: MovieOutput? = nil,
        constituents: [ConstituentPlan] = [], frameLimit: Double = RecoveryWaits().frames,
        report: @escaping @Sendable (SessionEvent) -> Void
    ) throws(CaptureError) {
        self.plan = plan
        self.number = number
        self.frameOutputs = frameOutputs
        self.movie = movie
        self.frameLimit = frameLimit
        eventStream = EventReport(yield: report)
        self.constituents = try ConstituentPipelines(constituents, number: number, report: eventStream)
        do {
            pipeline = try Pipeline(parsing: plan.launchText)
        } catch {
            throw plan.explained(error)
        }
        view = LiveView(of: pipeline)
        shutter = plan.shutter.flatMap { [pipeline] in pipeline.element(named: $0) }
        engine = CaptureEngine(
            formats: Dictionary(plan.branches.map { ($0.name, $0.format) }) { first, _ in first },
            runningTime: { [weak pipeline] in pipeline?.runningTime })
        livePhotos = Self.recorder(of: pipeline, engine)
        sharedRendering = livePhotos.flatMap { [pipeline] in SharedRendering(of: pipeline, for: $0) }
        self.constituents?.setPrimary(self)
        try watchBranches()
        try watchFrameOutputs()
        try watchMovies()
        installGates()
        countFrames()
        pipeline.bus.setHandler { [weak self] message in self?.receive(message) }
    }

    deinit {
        engine.close(CaptureError(.aborted, "the session was released before the photo was done"))
        jobs.discardAll()
        guard !isStopped.isRaised else { return }
        // The last reference may be released on a streaming thread, for example by a handler of messages, and such a
        // thread cannot wait for its own end.
        stateQueue.async { [pipeline] in _ = try? pipeline.setState(.null) }
    }

    /// Starts the pipeline; returns when it is PLAYING, or throws after thirty seconds.
    func start() async throws(CaptureError) {
        do {
            try await change(to: .playing)
            hasStarted.withLock { $0 = true }
            // An error of a branch that was restarted while the pipeline started is no reason for a later end.
            firstError.withLock { $0 = nil }
            if entrance?.hasLiveSource == true {
                hasLiveSource.store(true, ordering: .relaxed)
                watchFrames()
            }
            movie?.connect(self)
        } catch {
            let reason = firstError.withLock { $0 } ?? error
            engine.close(reason)
            await stop()
            throw reason
        }
        await constituents?.start(following: pipeline)
    }

    var container: Bin { pipeline }

    var control: Element? { shutter }

    var plannedFrameSize: PhotoDimensions? { PhotoDimensions(pipelineText: plan.launchText) }

    var isRestarting: Bool { gates.withLock { $0 }?.isRestarting ?? false }

    /// The number of frames that have arrived at the tee "raw", or at the shutter if there is no such tee.
    var framesSeen: Int { frames.count }

    /// When the camera last reported that it computes a frame; nil if it never did.
    var lastWork: WaitClock.Instant? { frames.lastWork }

    /// Whether the source is live, as a camera is; known once the pipeline runs.
    var isLive: Bool { hasLiveSource.load(ordering: .relaxed) }

    /// Stops the pipeline; unfinished captures fail because of `reason`. A pipeline that does not stop within ten
    /// seconds is left behind.
    func stop(because reason: String = "the session stopped before the photo was done") async {
        let error = CaptureError(.aborted, reason)
        engine.close(error)
        movie?.disconnect(self, because: error)
        livePhotos?.stop()
        jobs.discardAll()
        _ = isStopped.raise()
        watch.withLock { $0 = nil }
        async let others: Void? = constituents?.stop(because: reason)
        _ = await clock.result(on: stateQueue, within: Self.stopLimit) { [pipeline] in
            _ = try? pipeline.setState(.null)
        }
        pipeline.bus.removeHandler()
        await others
    }

    /// Shows the view of a zoom factor from now on. `factor` returns the newest one, so that the last of two calls at
    /// once does not show an older view.
    func setZoom(_ factor: () -> Double) {
        zoomFactor.withLock { $0 = factor() }
        updateView()
    }

    /// Shows the view of the zoom factor by the camera that is active now.
    func updateView() {
        zoomFactor.withLock { factor in
            view.show(constituents?.active(at: factor) ?? CameraChoice(cropFactor: factor), zoom: factor)
        }
    }

    /// Ends all captures under way with this error, those of a virtual device's cameras, too.
    func failAll(_ error: CaptureError) {
        engine.failAll(error)
        constituents?.failAll(error)
    }

    /// Changes the state within the time limit, which begins again with each report that the source computes a frame.
    private func change(to state: Element.State) async throws(GscapError) {
        let begin = clock.now
        let result = await clock.result(on: stateQueue) { [frames] in
            max(begin, frames.lastWork ?? begin) + Self.startLimit
        } _: { [pipeline, isStopped] in
            Result { () throws(GscapError) in
                // A stop that came first has nothing behind it that would stop the pipeline again.
                if isStopped.isRaised { throw GscapError(message: "the pipeline was stopped") }
                try pipeline.setState(state)
            }
        }
        guard let result else {
            throw GscapError(message: "the camera or another element did not start within 30 s")
        }
        try result.get()
    }
}

/// The receiver of a pipeline's events.
struct EventReport: Sendable {
    /// Reports an event.
    let yield: @Sendable (SessionEvent) -> Void
}

// MARK: - Frames and photos

extension RunningPipeline {
    private func watchBranches() throws(CaptureError) {
        for branch in plan.branches {
            guard let sink = pipeline.element(named: branch.name).flatMap(AppSink.init) else {
                throw CaptureError(.badPipeline, "the branch \"\(branch.name)\" has no appsink to take photos from")
            }
            let hasEncoder = !branch.format.isUncompressed
            if branch.format == .deferred {
                store(sink, branch)
                continue
            }
            sink.setHandler { [engine] sink in
                while case let item? = sink.next() {
                    guard case .sample(let sample) = item, let buffer = sample.buffer,
                        let id = buffer.captureIdentifier
                    else { continue }
                    if !hasEncoder { buffer.captureTicket?.record(.photo) }
                    engine.deliver(id, branch: branch.name, sample: sample)
                }
                return nil
            } ended: {
            }
        }
    }

    private func watchFrameOutputs() throws(CaptureError) {
        for (index, output) in frameOutputs.enumerated() {
            let name = PipelinePlan.frameSink(index)
            guard let sink = pipeline.element(named: name).flatMap(AppSink.init) else {
                throw CaptureError(.badPipeline, "the pipeline has no appsink \"\(name)\" to take frames from")
            }
            let membership = output.membership
            sink.setHandler { sink in
                while case let item? = sink.next() {
                    guard case .sample(let sample) = item, let frame = CapturedFrame(sample, format: output.format)
                    else { continue }
                    output.deliver(frame, to: membership)
                }
                return nil
            } ended: {
            }
        }
    }

    /// The sink pad that all frames of the camera pass: that of the tee "raw", or else that of the shutter; nil if
    /// there is neither.
    var entrance: Pad? { (pipeline.element(named: "raw") ?? shutter)?.pad("sink") }

    private func countFrames() {
        _ = entrance?.addBufferProbe { [frames, engine] _ in
            if frames.add() { engine.changes.send() }
            return .pass
        }
        _ = entrance?.addEventProbe { [weak self] event in
            if CameraWork.isReported(by: event) { self?.noteWork() }
            return .pass
        }
    }

    private func noteWork() {
        frames.noteWork()
        movie?.noteWork(self)
    }

    /// Lets the tees pass only what a capture expects, and keeps failures inside their branches.
    private func installGates() {
        let actions = BranchGates.Actions { [weak self] branches, error in
            self?.engine.changes.send()
            if !branches.isDisjoint(with: Self.movieSinks) {
                self?.failMovie(error, branches)
            } else if branches.isEmpty {
                self?.eventStream.yield(.warning("a preview or an output of frames ended: \(error)"))
            } else {
                var failure = error
                failure.code = .branchFailed
                self?.engine.failBranches(branches, failure)
            }
        } reopened: { [engine] in
            engine.changes.send()
        } remove: { [weak pipeline, sharedRendering] element in
            sharedRendering?.end(with: element)
            pipeline?.remove(element)
        }
        let sinks = plan.branches.map(\.name) + Self.movieSinks.filter { pipeline.element(named: $0) != nil }
        let gates = BranchGates(
            in: pipeline, sinks: Set(sinks), shutter: shutter, queue: stateQueue, actions)
        gates.install { [weak self, engine, plan] buffer, branches in
            if !branches.isDisjoint(with: Self.movieSinks) { return self?.recordsFrames(of: branches) ?? false }
            guard let kind = try? FrameCustomMeta.kind(), let id = buffer.captureIdentifier else { return true }
            return engine.wants(
                id, isReference: buffer.isCaptureReference,
                ofFusedBracket: buffer.value(of: "capture-bracket", in: kind) == .boolean(true), anyOf: branches,
                takesWholeBurst: branches.contains(where: plan.takesWholeBurst))
        }
        self.gates.withLock { $0 = gates }
    }

    /// Watches whether the live camera delivers frames: when they stop, the captures under way fail; the session's
    /// events report when they stop and when they resume.
    private func watchFrames() {
        let watch = FrameWatch(limit: max(frameLimit, 4 * framePeriod), frames: frames, by: clock) {
            [weak self] change in
            switch change {
            case .interrupted: self?.interrupt()
            case .resumed: self?.resume()
            }
        }
        self.watch.withLock { $0 = watch }
    }

    private func resume() {
        engine.activity.setInterrupted(false)
        engine.changes.send()
        eventStream.yield(.resumed)
    }

    private func interrupt() {
        engine.activity.setInterrupted(true)
        engine.changes.send()
        let error = CaptureError(.interrupted, "the camera delivers no frames")
        // Before the captures end: the application may end with them, and has then heard why.
        eventStream.yield(.interrupted(error))
        engine.failAll(error)
        movie?.interrupt(self, because: error)
    }
}

// MARK: - Messages

extension RunningPipeline {
    private func receive(_ message: Message) {
        switch message.kind {
        case .error(let error): receive(error, from: [message.source] + message.bins)
        // The failure is delivered by the capture's own message.
        case .warning(let warning) where warning.domain == CaptureMessage.warningDomain: break
        case .warning(let warning): eventStream.yield(.warning(warning.description))
        case .endOfStream where message.isFromPipeline:
            if let error = firstError.withLock({ $0 }) { return fail(error) }
            let end = CaptureError(.aborted, "the camera's stream ended before the photo was done")
            engine.close(end)
            movie?.disconnect(self, because: CaptureError(.aborted, "the camera's stream ended"))
            eventStream.yield(.ended)
        case .latency:
            // Not on this streaming thread: it could deadlock with an element that holds its lock while stopping the
            // thread.
            stateQueue.async { [pipeline] in pipeline.recalculateLatency() }
        case .element(let structure):
            guard let message = CaptureMessage(structure) else { return }
            receive(message)
        // On a busy machine the movies of Live Photos lose frames, rather than the preview.
        case .taskCreated(let task) where message.bins.first == PipelinePlan.livePhotoQueue: task.runInBackground()
        default: break
        }
    }

    private func receive(_ error: GscapError, from names: [String]) {
        // An encoder posts this error at the end of the stream if it failed on every frame. Its captures have already
        // failed; the other branches continue.
        if error.domain == CaptureMessage.warningDomain { return firstError.withLock { $0 = $0 ?? error } }
        if !hasStarted.withLock({ $0 }) { firstError.withLock { $0 = $0 ?? error } }
        if gates.withLock({ $0 })?.handle(error, from: names) == true { return }
        firstError.withLock { $0 = $0 ?? error }
        var failure = error
        if isDeviceLoss(error) { failure.code = .noDevice }
        fail(failure)
    }

    /// Whether an error of the running pipeline says that the live camera is gone: its source element no longer finds,
    /// opens or reads the device.
    private func isDeviceLoss(_ error: GscapError) -> Bool {
        // GST_RESOURCE_ERROR_NOT_FOUND, OPEN_READ, OPEN_WRITE, OPEN_READ_WRITE, READ.
        guard isLive, error.domain == GscapError.Domain.resource, [3, 5, 6, 7, 9].contains(error.number) else {
            return false
        }
        return pipeline.element(named: error.place)?.pads.allSatisfy(\.isSource) == true
    }

    private func fail(_ failure: CaptureError) {
        engine.close(failure)
        movie?.disconnect(self, because: failure)
        eventStream.yield(.failed(failure))
    }

    private func receive(_ message: CaptureMessage) {
        switch message {
        case .frame(let id, _, _), .fusing(let id, _, _), .fused(let id, _):
            // The progress of a camera's part is reported by the capture of all.
            if engine.reportsProgress(of: id), let step = CaptureProgress(message) {
                eventStream.yield(.progress(step))
            }
        case .photo(let id, let element, _, let error?): failed(id, at: element, error)
        case .done(let id, _, _, _): jobs.discard(id)
        default: break
        }
        engine.receive(message)
    }

    /// Fails the photos of a capture in the branches that an element belongs to.
    private func failed(_ id: UInt64, at element: String, _ reason: String) {
        let branches = plan.branches(behind: element)
        let error = CaptureError(branches.count == 1 ? .branchFailed : .captureFailed, reason, place: element)
        for branch in branches { engine.deliver(id, branch: branch.name, sample: nil, error: error) }
    }
}
