internal import Dispatch
internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization

/// The running pipeline of a plan: it receives the photos of the branches and the messages of the bus.
final class RunningPipeline: Sendable {
    let plan: PipelinePlan
    let engine = CaptureEngine()
    let pipeline: Pipeline
    /// The events of the session outside of captures.
    let events: AsyncStream<SessionEvent>

    private let eventStream: AsyncStream<SessionEvent>.Continuation
    private let shutter: Element?
    private let formats: [String: PhotoFormat]

    init(_ plan: PipelinePlan) throws(CaptureError) {
        self.plan = plan
        (events, eventStream) = AsyncStream<SessionEvent>.makeStream()
        do {
            pipeline = try Pipeline(parsing: plan.launchText)
        } catch {
            throw CaptureError(.badPipeline, error.message, place: plan.file, cause: error)
        }
        if plan.hidesPreview { eventStream.yield(.warning("there is no display, so the preview runs unseen")) }
        shutter = plan.shutter.flatMap { [pipeline] in pipeline.element(named: $0) }
        formats = Dictionary(plan.branches.map { ($0.name, $0.format) }) { first, _ in first }
        try watchBranches()
        watchBus()
    }

    deinit {
        eventStream.finish()
    }

    /// Starts the pipeline; returns when it is PLAYING.
    func start() async throws(CaptureError) {
        do {
            try await change(to: .playing)
        } catch {
            let reason = firstError.withLock { $0 } ?? error
            await stop()
            throw CaptureError(reason)
        }
    }

    /// The number of frames that have arrived at the tee "raw", or at the shutter if there is no such tee.
    var framesSeen: Int { frames.value }

    /// Stops the pipeline; unfinished captures fail.
    func stop() async {
        try? await change(to: .null)
        // Waits until the queue has released its last reference to the pipeline, so that the caller may shut GStreamer
        // down afterwards.
        await withCheckedContinuation { continuation in
            Self.stateQueue.async { continuation.resume() }
        }
        engine.failAll(CaptureError(.aborted, "the session stopped before the photo was done"), formats: formats)
        pipeline.bus.removeHandler()
        eventStream.finish()
    }

    /// Sends a capture request to the shutter.
    func press(_ settings: ResolvedPhotoSettings) throws(CaptureError) {
        guard let shutter else {
            throw CaptureError(.captureFailed, "the pipeline has no rawshutter, so it can take no photos")
        }
        if let reason = endReason.withLock({ $0 }) { throw reason }
        var request = Structure(
            "capture", ["id": .uint64(settings.uniqueID), "frames": .int(Int32(clamping: settings.frames))])
        request["fusion-mode"] = settings.fusionMode.map { .string($0.rawValue) }
        do {
            _ = try shutter.emit("capture", request)
        } catch {
            throw CaptureError(.captureFailed, error.message, place: error.place, cause: error)
        }
    }

    /// Changes the state on a separate queue, because a state change may block until streaming threads stop.
    private func change(to state: Element.State) async throws(GStreamerError) {
        let result: Result<Void, GStreamerError> = await withCheckedContinuation { continuation in
            Self.stateQueue.async { [pipeline] in
                do throws(GStreamerError) {
                    try pipeline.setState(state)
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }

    private static let stateQueue = DispatchQueue(label: "gscap.state")
    private let frames = FrameCounter()
    private let firstError = Mutex<GStreamerError?>(nil)
    /// The error that ended the stream; nil while it runs. It is set before the captures under way fail and checked
    /// after a new capture has begun, so that no capture waits for frames forever.
    private let endReason = Mutex<CaptureError?>(nil)
}

/// A frame counter that streaming threads increment and any thread reads.
final class FrameCounter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}

// MARK: - Photos and messages

extension RunningPipeline {
    private func watchBranches() throws(CaptureError) {
        for branch in plan.branches {
            guard let sink = pipeline.element(named: branch.name).flatMap(AppSink.init) else {
                throw CaptureError(.badPipeline, "the branch \"\(branch.name)\" has no appsink to take photos from")
            }
            sink.setHandler { [engine] sink in
                while case let item? = sink.next() {
                    guard case .sample(let sample) = item, let id = sample.buffer?.captureIdentifier else { continue }
                    engine.deliver(id, branch: branch.name, format: branch.format, sample: sample)
                }
                return nil
            } ended: {
            }
        }
        gateBranches()
        countFrames()
    }

    private func countFrames() {
        let entrance = pipeline.element(named: "raw") ?? shutter
        _ = entrance?.pad("sink")?.addBufferProbe { [frames] _ in
            frames.add()
            return .pass
        }
    }

    /// Drops buffers at the outputs of tees for branches from which the capture expects no photo.
    private func gateBranches() {
        for (pad, branches) in teePads() {
            _ = pad.addBufferProbe { [engine, plan] buffer in
                guard let kind = try? FrameCustomMeta.kind(),
                    let id = buffer.captureIdentifier
                else { return .pass }
                guard engine.wants(id, anyOf: branches) else { return .drop }
                let index = buffer.value(of: "capture-index", in: kind)?.integer ?? 0
                return index == 0 || branches.contains(where: plan.takesWholeBurst) ? .pass : .drop
            }
        }
    }

    /// Returns the source pads of the tees downstream of the shutter, each with the names of its branches.
    private func teePads() -> [(Pad, Set<String>)] {
        var found: [(pad: Pad, key: String, branches: Set<String>)] = []
        for branch in plan.branches {
            for pad in upstreamTeePads(of: branch.name) {
                let key = (pad.parentElement?.name ?? "") + "." + pad.name
                if let index = found.firstIndex(where: { $0.key == key }) {
                    found[index].branches.insert(branch.name)
                } else {
                    found.append((pad, key, [branch.name]))
                }
            }
        }
        return found.map { ($0.pad, $0.branches) }
    }

    private func upstreamTeePads(of name: String) -> [Pad] {
        var found: [Pad] = []
        let shutter = RegisteredNames.name(of: "rawshutter")
        var element = pipeline.element(named: name)
        while let current = element, current.factoryName != shutter {
            guard let source = current.pads.first(where: { !$0.isSource })?.peer else { return [] }
            element = source.parentElement
            if element?.factoryName == "tee" { found.append(source) }
        }
        return element == nil ? [] : found
    }

    private func watchBus() {
        pipeline.bus.setHandler { [weak self] message in self?.receive(message) }
    }

    private func receive(_ message: Message) {
        switch message.kind {
        // An encoder failed on every frame. Its captures have already failed; the other branches continue.
        case .error(let error) where error.domain == CaptureMessage.warningDomain:
            firstError.withLock { $0 = $0 ?? error }
        case .error(let error): fail(error)
        // The failure is delivered by the capture's own message.
        case .warning(let warning) where warning.domain == CaptureMessage.warningDomain: break
        case .warning(let warning): eventStream.yield(.warning(warning.description))
        case .endOfStream where message.isFromPipeline:
            if endReason.withLock({ $0 == nil }), let error = firstError.withLock({ $0 }) { return fail(error) }
            end(CaptureError(.aborted, "the camera's stream ended before the photo was done"))
            eventStream.yield(.ended)
        case .latency:
            // Not on this streaming thread: it could deadlock with an element that holds its lock while stopping the
            // thread.
            Self.stateQueue.async { [pipeline] in pipeline.recalculateLatency() }
        case .element(let structure):
            guard let message = CaptureMessage(structure) else { return }
            receive(message)
        default: break
        }
    }

    private func receive(_ message: CaptureMessage) {
        switch message {
        case .frame(let id, let index, let count):
            eventStream.yield(.progress(.frames(id: id, taken: index + 1, of: count)))
        case .fusing(let id, let merged, let count):
            eventStream.yield(.progress(.fusing(id: id, merged: merged, of: count)))
        case .fused(let id, let report): eventStream.yield(.progress(.fused(id: id, report: report)))
        case .failed(let id, let element, let reason):
            failed(id, at: element, reason)
        default: engine.receive(message)
        }
    }

    /// Fails the photo of one branch, or the whole capture if the element is common to all branches, such as the
    /// fusion.
    private func failed(_ id: UInt64, at element: String, _ reason: String) {
        let branches = plan.branches(behind: element)
        let error = CaptureError(branches.count == 1 ? .branchFailed : .captureFailed, reason, place: element)
        if branches.isEmpty || branches.count == plan.branches.count && plan.branches.count > 1 {
            engine.fail(id, error, formats: formats)
        } else {
            for branch in branches {
                engine.deliver(id, branch: branch.name, format: branch.format, sample: nil, error: error)
            }
        }
    }

    private func fail(_ error: GStreamerError) {
        firstError.withLock { $0 = $0 ?? error }
        let failure = CaptureError(error)
        end(failure)
        eventStream.yield(.failed(failure))
    }

    private func end(_ reason: CaptureError) {
        endReason.withLock { $0 = $0 ?? reason }
        engine.failAll(reason, formats: formats)
    }
}
