public import Dispatch
internal import Synchronization

/// The photo output of a session, or of a pipeline of the application (`attach(to:)`), which takes captures.
///
/// Thread-safe: captures may be started from any thread or task.
public final class PhotoOutput: Sendable {
    private struct State {
        var isProRAWEnabled = false
        var maxQuality = PhotoQualityPrioritization.quality
        var processed: Set<ProcessedPhotoFormat> = [.jpeg]
        var running: (any PhotoPipeline)?
        /// Why there is no pipeline, while the session waits for its camera; nil otherwise.
        var absence: CaptureError?
        var usedTickets = UsedTickets()
        /// The ids of the settings that are being captured, until the shutter has answered the press.
        var pressing: Set<UInt64> = []
        var isInSession = false
        var deferredFolder: String?
        var livePhotos = LivePhotoOptions()
        /// Called when the formats change while the output is in a session.
        var reconfigure: (@Sendable () -> Void)?
        /// Returns the source of the session's frames; nil if it has none.
        var source: @Sendable () -> PhotoSource? = { nil }
    }

    private let state = Mutex(State())
    private let delegates = DelegateCalls()
    /// The settings and the computation of readiness.
    let readiness: ReadinessCenter
    /// The connection to a pad of the application's pipeline.
    let attachment = Attachment()
    /// The streams of `captureReadinessUpdates`.
    let readinessUpdates: ReadinessUpdates

    /// Creates an output for Bayer RAW and JPEG. ProRAW is enabled by `isProRAWEnabled` before the session starts.
    public init() {
        let readiness = ReadinessCenter()
        let updates = ReadinessUpdates { readiness.readiness(frames: readiness.usualFrames) }
        self.readiness = readiness
        readinessUpdates = updates
        _ = readiness.observe { [weak updates] in updates?.refresh() }
    }

    /// Whether the session fuses bursts into linear DNGs. Set it before the session starts: a change while the session
    /// runs rebuilds the pipeline, so unfinished captures abort and the preview freezes briefly.
    public var isProRAWEnabled: Bool {
        get { state.withLock(\.isProRAWEnabled) }
        set { reconfigure { $0.isProRAWEnabled = newValue } }
    }

    /// The highest quality prioritization that captures may request. Set before the session starts.
    public var maxPhotoQualityPrioritization: PhotoQualityPrioritization {
        get { state.withLock(\.maxQuality) }
        set {
            state.withLock { $0.maxQuality = newValue }
            readiness.maxQuality = newValue
        }
    }

    /// The processed formats that captures may request. Set them before the session starts: a change while the session
    /// runs rebuilds the pipeline, so unfinished captures abort and the preview freezes briefly.
    public var processedFormats: Set<ProcessedPhotoFormat> {
        get { state.withLock(\.processed) }
        set { reconfigure { $0.processed = newValue } }
    }

    /// The folder in which captures with deferred delivery store their jobs; it is created with the first job. Nil, the
    /// default, is for sessions without deferred delivery. Set it before the session starts, as the formats.
    public var deferredFolder: String? {
        get { state.withLock(\.deferredFolder) }
        set { reconfigure { $0.deferredFolder = newValue } }
    }

    /// Changes the formats, and the pipeline of the session that the output belongs to.
    private func reconfigure(_ change: (inout State) -> Void) {
        let notify = state.withLock { state in
            let before = Self.planned(state)
            change(&state)
            return before == Self.planned(state) ? nil : state.reconfigure
        }
        notify?()
    }

    /// Changes the options of Live Photos; returns the pipeline that takes the photos.
    func changeLivePhotos(_ change: (inout LivePhotoOptions) -> Void) -> (any PhotoPipeline)? {
        reconfigure { change(&$0.livePhotos) }
        return running
    }

    /// The options of Live Photos.
    var livePhotos: LivePhotoOptions { state.withLock(\.livePhotos) }

    /// Returns to the formats of a running pipeline, after another set of formats was refused.
    func restore(_ planned: PlannedPhotos) {
        let formats = planned.formats
        state.withLock { state in
            state.livePhotos.isEnabled = planned.takesLivePhotos
            state.isProRAWEnabled = formats.contains(.raw(.proRAW))
            state.processed = Set(ProcessedPhotoFormat.allCases.filter { formats.contains(.processed($0)) })
            state.deferredFolder = planned.deferredFolder
        }
    }

    /// The branches that the session builds for this output.
    var planned: PlannedPhotos { state.withLock { Self.planned($0) } }

    private static func planned(_ state: State) -> PlannedPhotos {
        let formats =
            [.raw(.bayer)] + (state.isProRAWEnabled ? [.raw(.proRAW)] : [])
            + ProcessedPhotoFormat.allCases.filter(state.processed.contains).map(PhotoFormat.processed)
            + (state.deferredFolder != nil ? [.proxy, .deferred] : [])
        return PlannedPhotos(
            formats: formats, takesLivePhotos: state.livePhotos.isEnabled, deferredFolder: state.deferredFolder)
    }

    /// Connects the pipeline that takes the photos, or none; `reason` is why, while the session waits for its camera.
    func connect(_ running: (any PhotoPipeline)?, because reason: CaptureError? = nil) {
        let isAccepted = state.withLock { state in
            if running != nil && !state.isInSession { return false }
            (state.running, state.absence) = (running, reason)
            return true
        }
        guard isAccepted else { return }
        running?.livePhotos.map(applyLivePhotos)
        readiness.connect(running)
    }

    /// Disconnects a pipeline, unless another one is connected.
    func disconnect(_ running: any PhotoPipeline) {
        let isConnected = state.withLock { state in
            guard state.running === running else { return false }
            state.running = nil
            return true
        }
        if isConnected { readiness.connect(nil) }
    }

    /// Whether settings of this id were captured already, so that readiness counts their capture.
    func hasCaptured(_ id: UInt64) -> Bool {
        state.withLock { $0.usedTickets.contains(id) && !$0.pressing.contains(id) }
    }

    /// The pipeline that takes the photos; nil while the session does not run, or the output is not attached.
    var running: (any PhotoPipeline)? { state.withLock(\.running) }

    /// Sets the closure that returns the source of the session's frames.
    func setSource(_ source: @escaping @Sendable () -> PhotoSource?) {
        state.withLock { $0.source = source }
    }

    /// The source of the session's frames; nil if there is none.
    var presentSource: PhotoSource? { state.withLock(\.source)() }

    /// The present conditions of the output and its session, by which photo settings are validated and resolved.
    var conditions: CaptureConditions {
        // The session and the pipeline are called without a lock.
        let (running, source, maxQuality, isProRAWEnabled) = state.withLock {
            ($0.running, $0.source, $0.maxQuality, $0.isProRAWEnabled)
        }
        let present = source()
        var conditions = CaptureConditions(present)
        if let running {
            running.update(&conditions)
        } else {
            conditions.frameSize = present?.frameSize
            conditions.memoryBudget = readiness.budget
            conditions.usesZeroShutterLag = readiness.zeroLag
        }
        conditions.maxQuality = maxQuality
        conditions.isProRAWEnabled = isProRAWEnabled
        setLivePhotos(&conditions, running)
        return conditions
    }

    /// Whether the output belongs to a session.
    var isInSession: Bool { state.withLock(\.isInSession) }

    /// Marks the output as belonging to a session; returns false if it already belonged to one. `reconfigure` is called
    /// when the output's formats change.
    func join(reconfigure: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.isInSession { return false }
            state.isInSession = true
            state.reconfigure = reconfigure
            return true
        }
    }

    /// Takes the output out of its session.
    func leave() {
        state.withLock { state in
            state.isInSession = false
            state.reconfigure = nil
            (state.running, state.absence) = (nil, nil)
            state.source = { nil }
        }
        readiness.connect(nil)
    }
}

// MARK: - Capturing

extension PhotoOutput {
    /// Presses the shutter and returns the capture under way.
    ///
    /// Throws if the press is refused, and then there is no capture: the settings violate a rule; the session does not
    /// run, or its camera delivers no frames; or the output is not ready, with the code `busy` and the time after which
    /// to press again. The settings may be used again. What happens after the press ends the capture with an error,
    /// after all its events.
    public func capturePhoto(with settings: PhotoSettings) throws(CaptureError) -> PhotoCapture {
        let (running, conditions) = try admit(settings)
        defer {
            _ = state.withLock { $0.pressing.remove(settings.uniqueID) }
            readiness.changed()
        }
        do throws(CaptureError) {
            return try press(settings, running, conditions)
        } catch {
            state.withLock { $0.usedTickets.remove(settings.uniqueID) }
            throw error
        }
    }

    /// Presses the shutter of a pipeline. Throws if that refuses the press; then the capture that has begun is over.
    private func press(
        _ settings: PhotoSettings, _ running: any PhotoPipeline, _ conditions: CaptureConditions
    ) throws(CaptureError) -> PhotoCapture {
        let quality = effectivePrioritization(for: settings)
        if let cameras = running.constituents, let choice = cameras.choice(for: settings, conditions) {
            return try cameras.capture(settings, choice, conditions, at: quality) {
                [readiness] resolved throws(CaptureError) in
                try readiness.admit(resolved, to: running)
            }
        }
        let (resolved, owed) = running.plan.resolve(settings, conditions, at: quality)
        let reports = running.engine.begin(
            resolved, owed: owed, everyFrame: settings.everyFrame, owesMovie: resolved.livePhotoFormat != nil)
        do throws(CaptureError) {
            try readiness.admit(resolved, to: running)
            running.beginMovie(of: resolved)
            if settings.isDeferred { try running.defer(settings, resolved, in: deferredFolder ?? ".") }
            try running.press(settings, resolved)
        } catch {
            // Does nothing if the shutter has ended the capture already, with the reason.
            running.engine.fail(resolved.uniqueID, error)
            throw reports.failure ?? error
        }
        return PhotoCapture(resolved, reports) { [weak running] in running?.cancel(resolved.uniqueID) }
    }

    /// Presses the shutter and calls the delegate for each event, on `queue` or else on a queue that only this delegate
    /// uses. The calls of one delegate come one after another; a slow delegate delays no other. The delegate is
    /// retained until the last call. It is not called if the press is refused, which throws.
    @discardableResult
    public func capturePhoto(
        with settings: PhotoSettings, delegate: any PhotoCaptureDelegate, on queue: DispatchQueue? = nil
    ) throws(CaptureError) -> PhotoCapture {
        let capture = try capturePhoto(with: settings)
        delegates.deliver(capture.events, to: delegate, on: queue) { [self] delegate, event in
            notify(delegate, of: event)
        }
        return capture
    }

    private func notify(_ delegate: any PhotoCaptureDelegate, of event: CaptureEvent) {
        switch event {
        case .willBegin(let settings): delegate.photoOutput(self, willBeginCaptureFor: settings)
        case .willCapture(let settings): delegate.photoOutput(self, willCapturePhotoFor: settings)
        case .didCapture(let settings): delegate.photoOutput(self, didCapturePhotoFor: settings)
        case .photo(let photo): delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: photo.error)
        case .didRecordLivePhotoMovie(let settings):
            delegate.photoOutput(self, didFinishRecordingLivePhotoMovieFor: settings)
        case .livePhotoMovie(let movie):
            delegate.photoOutput(self, didFinishProcessingLivePhotoMovie: movie, error: movie.error)
        case .finished(let settings, let error):
            delegate.photoOutput(self, didFinishCaptureFor: settings, error: error)
        }
    }

    /// Checks settings without a capture: throws the first rule that they violate. Before the session starts, this
    /// checks what the session's camera and the output will allow.
    public func validate(_ settings: PhotoSettings) throws(CaptureError) {
        if let broken = CaptureRules.broken(by: settings, plan: knownPlan, conditions) { throw broken }
    }

    /// The plan of the running pipeline, or before the start the session's custom plan; nil if it is not known yet.
    var knownPlan: PipelinePlan? {
        let (running, source) = state.withLock { ($0.running, $0.source) }
        if let running { return running.plan }
        if case .plan(let plan)? = source() { return plan }
        return nil
    }

    /// Validates the settings and marks their id as used; invalid settings may be corrected and used again.
    private func admit(
        _ settings: PhotoSettings
    ) throws(CaptureError) -> (any PhotoPipeline, CaptureConditions) {
        let (connected, absence) = state.withLock { ($0.running, $0.absence) }
        guard let running = connected else {
            throw absence
                ?? CaptureError(.sessionNotRunning, "start the session, or attach the output, before taking photos")
        }
        let conditions = conditions
        if let broken = CaptureRules.broken(by: settings, plan: running.plan, conditions) { throw broken }
        let isNew = state.withLock { state in
            guard state.usedTickets.insert(settings.uniqueID) else { return false }
            state.pressing.insert(settings.uniqueID)
            return true
        }
        guard isNew else {
            throw CaptureError(
                .settingsReused,
                "these settings were already used, or are older than thousands of others; copy them with "
                    + "PhotoSettings(from:)")
        }
        return (running, conditions)
    }
}
