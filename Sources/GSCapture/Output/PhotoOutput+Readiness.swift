/// Responsive capture: readiness, overlapping captures, the memory for captures, and prepared settings.
extension PhotoOutput {
    /// Whether the output can take a capture now, of as many frames as the newest one, the largest prepared settings or
    /// a burst at the highest quality, or fewer if `maxQueuedBytes` is too small for these. While this is `ready`, a
    /// press with valid settings of at most that many frames is not refused, unless another thread presses first.
    public var captureReadiness: CaptureReadiness {
        readiness.readiness(frames: readiness.usualFrames).0
    }

    /// Returns whether the output can take a capture with these settings now.
    public func captureReadiness(for settings: PhotoSettings) -> CaptureReadiness {
        guard let running = readiness.running else { return .sessionNotRunning }
        let frames = running.neededFrames(for: settings, at: effectivePrioritization(for: settings))
        return readiness.readiness(frames: frames).0
    }

    /// The readiness: the current value first, then each change. A value that was not read is replaced by a newer one.
    public var captureReadinessUpdates: AsyncStream<CaptureReadiness> { readinessUpdates.stream() }

    /// Whether captures may overlap: the next one may begin while the frames of the last are taken or its photos made.
    /// If false, such a press is refused with the code `busy`. True by default.
    public var isResponsiveCaptureEnabled: Bool {
        get { readiness.isResponsive }
        set { readiness.isResponsive = newValue }
    }

    /// Whether captures that follow each other fast are taken at a lower quality prioritization. False by default.
    public var isFastCapturePrioritizationEnabled: Bool {
        get { readiness.lowersQuality }
        set { readiness.lowersQuality = newValue }
    }

    /// The number of bytes that the frames of the captures under way may hold before they are processed; a press beyond
    /// is refused with the code `busy`. Rounded down to a mebibyte, and at least that; 1 GiB by default. A value set
    /// here replaces `max-queued` in the text of a custom plan.
    public var maxQueuedBytes: Int {
        get { readiness.budget }
        set { readiness.budget = newValue }
    }

    /// The number of captures that were accepted and are not finished.
    public var queueDepth: Int { readiness.running?.engine.activity.summary.unfinished ?? 0 }

    /// Whether a photo may contain frames from before the press. True by default. A value set here replaces
    /// `zero-shutter-lag` in the text of a custom plan.
    public var isZeroShutterLagEnabled: Bool {
        get { readiness.zeroLag }
        set { readiness.zeroLag = newValue }
    }

    /// Returns the quality prioritization at which a capture with these settings would be taken now: that of the
    /// settings, or with `isFastCapturePrioritizationEnabled` one step lower behind one unfinished capture, and the
    /// lowest behind two or more. Captures of Bayer RAW, whose quality does not depend on it, keep theirs.
    func effectivePrioritization(for settings: PhotoSettings) -> PhotoQualityPrioritization {
        let quality = settings.photoQualityPrioritization
        guard isFastCapturePrioritizationEnabled, !settings.takesAllBranches, !settings.rawFormats.contains(.bayer)
        else { return quality }
        return PhotoQualityPrioritization(rawValue: quality.rawValue - queueDepth) ?? .speed
    }
}

// MARK: - Prepared settings

extension PhotoOutput {
    /// The settings that are prepared, or will be when the session starts.
    public var preparedPhotoSettings: [PhotoSettings] { readiness.prepared }

    /// Prepares captures: the shutter holds the frames of the largest burst and memory for its photo is allocated, so
    /// that the first press with these settings finds both. The settings are not used up. An empty array gives the
    /// memory back.
    ///
    /// Returns when the frames are there. Returns false if the session is not running, in which case the settings are
    /// prepared when it starts; if the frames need more than `maxQueuedBytes`, in which case nothing is prepared; if
    /// the camera delivers no frames; and if other settings are prepared meanwhile. Throws for invalid settings, under
    /// the rules of a capture.
    @discardableResult
    public func setPreparedPhotoSettings(_ settings: [PhotoSettings]) async throws(CaptureError) -> Bool {
        for item in settings { try validate(item) }
        return await readiness.prepare(settings)
    }
}
