internal import FrameStream
internal import GStreamer
internal import Waiting

/// The pipeline from which a photo output takes its captures: that of a session, or a branch that is attached to a
/// pipeline of the application.
///
/// Captures, readiness, rules and resolved settings use this protocol alone, so they are the same for both.
/// *Thread-safe.*
protocol PhotoPipeline: AnyObject, Sendable {
    /// The branches that deliver photos, and the elements in them.
    var plan: PipelinePlan { get }
    /// The captures under way.
    var engine: CaptureEngine { get }
    /// The bin that contains the elements of the plan.
    var container: Bin { get }
    /// The element with the signals `capture`, `cancel` and `admission` and the property `max-queued`; nil if the
    /// pipeline takes no photos.
    var control: Element? { get }
    /// The rawshutter, whose ring holds the newest frames; nil if there is none.
    var shutter: Element? { get }
    /// The sink pad that all frames of the camera pass; nil if there is none.
    var entrance: Pad? { get }
    /// The size of the frames before the first one arrives; nil when unknown.
    var plannedFrameSize: PhotoDimensions? { get }
    /// The number of frames that have arrived.
    var framesSeen: Int { get }
    /// When the camera last reported that it computes a frame; nil if it never did.
    var lastWork: WaitClock.Instant? { get }
    /// Whether a photo branch is being restarted after a failure.
    var isRestarting: Bool { get }

    /// The recorder of the movies of Live Photos; nil if the pipeline has no branch for them.
    var livePhotos: LivePhotoRecorder? { get }

    /// The cameras of a virtual device; nil for a single camera.
    var constituents: ConstituentPipelines? { get }

    /// Returns the request of a press for `control`.
    func request(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) -> Structure

    /// Announces the job of a capture with deferred delivery; throws if the pipeline does not store jobs.
    func `defer`(
        _ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings, in folder: String
    ) throws(CaptureError)
}

// MARK: - Captures

extension PhotoPipeline {
    var livePhotos: LivePhotoRecorder? { nil }
    var constituents: ConstituentPipelines? { nil }

    /// Begins the movie of a capture if it is a Live Photo.
    func beginMovie(of resolved: ResolvedPhotoSettings) {
        guard resolved.livePhotoFormat != nil else { return }
        livePhotos?.begin(resolved, at: engine.now ?? 0)
    }

    func request(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) -> Structure {
        plan.request(settings, resolved)
    }

    /// Sends a capture request to the shutter. Throws if the press is refused; if by the shutter, the capture has ended
    /// with its reason when this throws.
    func press(_ settings: PhotoSettings, _ resolved: ResolvedPhotoSettings) throws(CaptureError) {
        try press(request(settings, resolved))
    }

    /// Sends a capture request to the shutter, as its structure.
    func press(_ request: Structure) throws(CaptureError) {
        guard let control else {
            throw CaptureError(.captureFailed, "the pipeline has no rawshutter, so it can take no photos")
        }
        if let reason = engine.closingError { throw reason }
        // Frames that stopped before the capture began end it here; frames that stop later end it as any other.
        if engine.activity.summary.isInterrupted {
            throw CaptureError(.interrupted, "the camera delivers no frames")
        }
        // The shutter sees the end of the stream before the pipeline does, which waits for the photos under way.
        if let admission = admission(frames: 1), admission.verdict == .closed {
            throw CaptureError(.aborted, admission.reason)
        }
        let ticket: UInt64 = try GscapError.recoding(as: .captureFailed, try control.emit("capture", request))
        // The reason has come with the message `done`, which ended the capture; a bus that discards messages loses it.
        if ticket == 0 { throw CaptureError(.captureFailed, "the shutter refused the press") }
    }

    /// Cancels a capture.
    func cancel(_ id: UInt64) {
        engine.fail(id, CaptureError(.cancelled, "the capture was cancelled"))
        _ = try? control?.emit("cancel", id)
    }
}

// MARK: - Conditions and readiness

extension PhotoPipeline {
    /// The time between two frames in seconds, by the frame rate in the caps; 0 if that is not known.
    var framePeriod: Double {
        guard case .fraction(let rate)? = entrance?.currentCaps?.first?["framerate"], rate.number > 0 else { return 0 }
        return 1 / rate.number
    }

    /// Returns whether the shutter would accept a press of this many frames, after `expected` frames of presses still
    /// to come; nil if there is no shutter.
    func admission(frames: Int, expected: Int = 0) -> CaptureAdmission? {
        // The shutter refuses other numbers, which only settings that the rules refuse have.
        let frames = min(CaptureRules.mostFrames, max(1, frames))
        let request = Structure(
            "admission",
            ["frames": .int(Int32(clamping: frames)), "expected": .int(Int32(clamping: max(0, expected)))])
        return (try? control?.query("admission", request)).flatMap(CaptureAdmission.init)
    }

    /// Returns the error of a press of this many frames if the captures under way leave no memory for it now; nil if
    /// they leave enough.
    func busyError(frames: Int) -> CaptureError? {
        guard let admission = admission(frames: frames), admission.verdict == .full else { return nil }
        var error = CaptureError(.busy, admission.reason)
        error.retryAfter = admission.retryAfter.map { .seconds($0) }
        return error
    }

    /// Returns the number of frames that a press with these settings needs; `quality` replaces their quality
    /// prioritization.
    func neededFrames(for settings: PhotoSettings, at quality: PhotoQualityPrioritization? = nil) -> Int {
        var conditions = CaptureConditions()
        update(&conditions)
        return plan.resolve(settings, conditions, at: quality).0.neededFrames
    }
}
