internal import Dispatch
internal import GStreamer
internal import GscapElements
internal import Synchronization

/// A plan brought to life: the pipeline, its branch ends, and the way events take out of it.
final class RunningPipeline: Sendable {
    let plan: PipelinePlan
    let engine = CaptureEngine()
    let pipeline: Pipeline
    /// What happens outside of captures.
    let events: AsyncStream<SessionEvent>

    private let news: AsyncStream<SessionEvent>.Continuation
    private let shutter: Element?
    private let formats: [String: PhotoFormat]

    init(_ plan: PipelinePlan) throws(CaptureError) {
        self.plan = plan
        (events, news) = AsyncStream<SessionEvent>.makeStream()
        do {
            pipeline = try Pipeline(parsing: plan.launchText)
        } catch {
            throw CaptureError(.badPipeline, error.message, place: plan.file, cause: error)
        }
        if plan.hidesPreview { news.yield(.warning("there is no display, so the preview runs unseen")) }
        shutter = plan.shutter.flatMap { [pipeline] in pipeline.element(named: $0) }
        formats = Dictionary(plan.branches.map { ($0.name, $0.format) }) { first, _ in first }
        try watchBranches()
        watchBus()
    }

    deinit {
        news.finish()
    }

    /// Starts the flow; returns when it flows.
    func start() async throws(CaptureError) {
        do {
            try await change(to: .playing)
        } catch {
            let reason = firstError.withLock { $0 } ?? error
            await stop()
            throw CaptureError(reason)
        }
    }

    /// How many frames have come to the raw tee or the shutter.
    var framesSeen: Int { frames.value }

    /// Ends the flow; captures that are not done fail.
    func stop() async {
        try? await change(to: .null)
        // The queue lets go of the pipeline only after it has told of the change; whoever stops may then shut GStreamer down.
        await withCheckedContinuation { continuation in
            Self.stateQueue.async { continuation.resume() }
        }
        engine.failAll(CaptureError(.aborted, "the session stopped before the photo was done"), formats: formats)
        pipeline.bus.removeHandler()
        news.finish()
    }

    /// Presses the shutter.
    func press(_ settings: ResolvedPhotoSettings) throws(CaptureError) {
        guard let shutter else {
            throw CaptureError(.captureFailed, "the pipeline has no rawshutter, so it can take no photos")
        }
        if let reason = over.withLock({ $0 }) { throw reason }
        var request = Structure(
            "capture", ["id": .uint64(settings.uniqueID), "frames": .int(Int32(clamping: settings.frames))])
        request["fusion-mode"] = settings.fusionMode.map(Value.string)
        do {
            _ = try shutter.emit("capture", request)
        } catch {
            throw CaptureError(.captureFailed, error.message, place: error.place, cause: error)
        }
    }

    /// Changes of state may wait for streaming threads, so they have a queue of their own.
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
    /// Why no more photos can come. Set before the captures under way fail, and asked after a capture has begun, so that none
    /// waits for frames that never come.
    private let over = Mutex<CaptureError?>(nil)
}

/// A count that a streaming thread writes and anybody reads.
final class FrameCounter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}

// MARK: - What comes out

extension RunningPipeline {
    private func watchBranches() throws(CaptureError) {
        for branch in plan.branches {
            guard let sink = pipeline.element(named: branch.name).flatMap(AppSink.init) else {
                throw CaptureError(.badPipeline, "the branch \"\(branch.name)\" has no end to take photos from")
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

    /// Lets a tee feed only the branches that the capture under way wants.
    private func gateBranches() {
        for (pad, branches) in teePads() {
            _ = pad.addBufferProbe { [engine, plan] buffer in
                guard let kind = try? FrameMeta.kind(),
                    let id = buffer.captureIdentifier
                else { return .pass }
                guard engine.wants(id, anyOf: branches) else { return .drop }
                let index = buffer.value(of: "capture-index", in: kind)?.integer ?? 0
                return index == 0 || branches.contains(where: plan.takesWholeBurst) ? .pass : .drop
            }
        }
    }

    /// Each output of a tee behind the shutter, with the names of the branches that hang on it.
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
        // An encoder made no file at all. Its captures have told of it; the other branches still make theirs.
        case .error(let error) where error.domain == CaptureMessage.warningDomain:
            firstError.withLock { $0 = $0 ?? error }
        case .error(let error): fail(error)
        // A capture tells of its own failure.
        case .warning(let warning) where warning.domain == CaptureMessage.warningDomain: break
        case .warning(let warning): news.yield(.warning(warning.description))
        case .endOfStream where message.isFromPipeline:
            if over.withLock({ $0 == nil }), let error = firstError.withLock({ $0 }) { return fail(error) }
            end(CaptureError(.aborted, "the camera's stream ended before the photo was done"))
            news.yield(.ended)
        case .latency:
            // Not here: this streaming thread would wait for the lock of an element that waits for this thread to stop.
            Self.stateQueue.async { [pipeline] in pipeline.recalculateLatency() }
        case .element(let structure):
            guard let told = CaptureMessage(structure) else { return }
            receive(told)
        default: break
        }
    }

    private func receive(_ told: CaptureMessage) {
        switch told {
        case .frame(let id, let index, let count): news.yield(.progress(.frames(id: id, taken: index + 1, of: count)))
        case .fusing(let id, let merged, let count):
            news.yield(.progress(.fusing(id: id, merged: merged, of: count)))
        case .fused(let id, let report): news.yield(.progress(.fused(id: id, report: report)))
        case .failed(let id, let element, let reason):
            failed(id, at: element, reason)
        default: engine.receive(told)
        }
    }

    /// A branch that fails by itself loses its own photo; the shutter or the fusion take the whole capture with them.
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
        news.yield(.failed(failure))
    }

    private func end(_ reason: CaptureError) {
        over.withLock { $0 = $0 ?? reason }
        engine.failAll(reason, formats: formats)
    }
}
