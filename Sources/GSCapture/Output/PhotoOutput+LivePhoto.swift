internal import GStreamer

/// Live Photos: captures with a movie of the moments before and after the press.
///
///     output.isLivePhotoCaptureEnabled = true
///     try session.add(output)
///     try await session.startRunning()
///     var settings = PhotoSettings(processed: [.jpeg])
///     settings.livePhotoFormat = .pair
///     let capture = try output.capturePhoto(with: settings)
extension PhotoOutput {
    /// Whether Live Photos can be enabled: the output is in a session with a camera and without a pipeline text, and
    /// the encoder of the movies is installed.
    public var isLivePhotoCaptureSupported: Bool {
        guard conditions.hasCamera, attachment.phase == .detached else { return false }
        if case .plan? = presentSource { return false }
        return ElementFactory(named: MovieSettings().encoderFactory) != nil
    }

    /// Whether captures may be Live Photos. The session then renders and encodes its frames all the time. Set it before
    /// the session starts: a change while the session runs rebuilds the pipeline, so unfinished captures abort and the
    /// preview freezes briefly. False by default.
    public var isLivePhotoCaptureEnabled: Bool {
        get { livePhotos.isEnabled }
        set { _ = changeLivePhotos { $0.isEnabled = newValue } }
    }

    /// Whether movies are suspended, as while the application plays a sound or shows something else. Captures are then
    /// taken without a movie. The movies under way end at the suspension; later ones show nothing from before
    /// its end. The end of the session's run sets it to false, unless it is preserved.
    public var isLivePhotoCaptureSuspended: Bool {
        get { livePhotos.isSuspended }
        set { changeLivePhotos { $0.isSuspended = newValue }?.livePhotos?.setSuspended(newValue) }
    }

    /// Whether `isLivePhotoCaptureSuspended` keeps its value when the session stops. False by default.
    public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
        get { livePhotos.preservesSuspension }
        set { _ = changeLivePhotos { $0.preservesSuspension = newValue } }
    }

    /// Whether movies are trimmed where the camera moved too much, as when it is raised before the press and lowered
    /// after it. True by default.
    public var isLivePhotoAutoTrimmingEnabled: Bool {
        get { livePhotos.trims }
        set { changeLivePhotos { $0.trims = newValue }?.livePhotos?.setTrims(newValue) }
    }

    /// The time before the press that the movie of a Live Photo would have now: at most 1.5 s, and less in the first
    /// moments of a session.
    public var livePhotoBufferedDuration: Duration {
        .nanoseconds(Int64(clamping: running?.livePhotos?.buffered ?? 0))
    }
}

/// The options of a photo output for Live Photos.
struct LivePhotoOptions: Sendable {
    var isEnabled = false
    var isSuspended = false
    var preservesSuspension = false
    var trims = true
}

extension PhotoOutput {
    /// Sets the options of a pipeline's recorder to those of the output.
    func applyLivePhotos(_ recorder: LivePhotoRecorder) {
        let options = livePhotos
        recorder.setTrims(options.trims)
        recorder.setSuspended(options.isSuspended)
    }

    /// Ends the suspension when the session stops, unless it is preserved.
    func resetLivePhotos() {
        _ = changeLivePhotos { if !$0.preservesSuspension { $0.isSuspended = false } }
    }

    /// Sets what the rules and the resolved settings of Live Photos depend on.
    func setLivePhotos(_ conditions: inout CaptureConditions, _ running: (any PhotoPipeline)?) {
        let options = livePhotos
        guard options.isEnabled else {
            conditions.livePhoto = .notEnabled
            return
        }
        guard let running else {
            conditions.livePhoto = options.isSuspended ? .suspended : .possible
            return
        }
        conditions.livePhoto = running.livePhotos?.condition ?? .notEnabled
        let most = LivePhotoRecorder.maxSize
        conditions.livePhotoDimensions =
            running.livePhotos?.dimensions ?? conditions.frameSize?.fitting(width: most.width, height: most.height)
    }
}

extension PhotoDimensions {
    /// The largest even size of this aspect ratio that is at most as large as this one and fits another.
    func fitting(width widest: Int, height highest: Int) -> PhotoDimensions {
        let scale = min(1, Double(widest) / Double(width), Double(highest) / Double(height))
        func even(_ side: Int) -> Int { max(2, Int(Double(side) * scale / 2) * 2) }
        return PhotoDimensions(width: even(width), height: even(height))
    }
}
