internal import Synchronization

/// Where photos come out of a session.
///
/// Thread-safe: captures may be asked for from any thread or task.
public final class PhotoOutput: Sendable {
    private struct State {
        var isProRAWEnabled = false
        var maxQuality = PhotoQualityPrioritization.quality
        var processed: Set<ProcessedPhotoFormat> = [.jpeg]
        var running: RunningPipeline?
        var usedIDs: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// An output for Bayer RAW and JPEG; ProRAW is enabled with a property before the session starts.
    public init() {}

    /// Whether the session fuses bursts into linear DNGs. Set before it starts: the branch is built then.
    public var isProRAWEnabled: Bool {
        get { state.withLock(\.isProRAWEnabled) }
        set { state.withLock { $0.isProRAWEnabled = newValue } }
    }

    /// The highest prioritization that captures may ask for. Set before the session starts.
    public var maxPhotoQualityPrioritization: PhotoQualityPrioritization {
        get { state.withLock(\.maxQuality) }
        set { state.withLock { $0.maxQuality = newValue } }
    }

    /// The finished formats that captures may ask for. Set before the session starts.
    public var processedFormats: Set<ProcessedPhotoFormat> {
        get { state.withLock(\.processed) }
        set { state.withLock { $0.processed = newValue } }
    }

    /// The RAW formats that captures may ask for now.
    public var availableRAWFormats: Set<RAWPhotoFormat> {
        state.withLock { state in
            guard let plan = state.running?.plan else { return state.isProRAWEnabled ? [.bayer, .proRAW] : [.bayer] }
            return Set(RAWPhotoFormat.allCases.filter { plan.hasBranch(for: .raw($0)) })
        }
    }

    /// The finished formats that captures may ask for now; before the session starts, all whose elements are installed.
    public var availableProcessedFormats: Set<ProcessedPhotoFormat> {
        let plan = state.withLock { $0.running?.plan }
        return Set(
            ProcessedPhotoFormat.allCases.filter { plan?.hasBranch(for: .processed($0)) ?? $0.hasElement })
    }

    /// The branches that the session is to build.
    var plannedFormats: [PhotoFormat] {
        let (proRAW, processed) = state.withLock { ($0.isProRAWEnabled, $0.processed) }
        return [.raw(.bayer)] + (proRAW ? [.raw(.proRAW)] : [])
            + ProcessedPhotoFormat.allCases.filter(processed.contains).map(PhotoFormat.processed)
    }

    func connect(_ running: RunningPipeline?) {
        state.withLock { $0.running = running }
    }
}

// MARK: - Capturing

extension PhotoOutput {
    /// Takes a photo; what happens comes as a sequence that ends after `finished`.
    public func events(for settings: PhotoSettings) throws(CaptureError) -> AsyncStream<CaptureEvent> {
        let running = try admit(settings)
        let (resolved, owed) = running.plan.resolve(settings)
        let events = running.engine.begin(resolved, owed: owed)
        do {
            try running.press(resolved)
        } catch {
            running.engine.fail(resolved.uniqueID, error)
        }
        return events
    }

    /// Takes a photo and tells the delegate. The delegate is held until the last call.
    public func capturePhoto(with settings: PhotoSettings, delegate: any PhotoCaptureDelegate) throws(CaptureError) {
        let events = try events(for: settings)
        Task {
            for await event in events { tell(delegate, event) }
        }
    }

    /// Takes a photo and gives what came of it; throws when any format failed.
    public func photos(for settings: PhotoSettings) async throws(CaptureError) -> [Photo] {
        var photos: [Photo] = []
        var failure: CaptureError?
        for await event in try events(for: settings) {
            switch event {
            case .photo(let photo): photos.append(photo)
            case .finished(_, let error): failure = error
            default: break
            }
        }
        if let failure { throw failure }
        return photos
    }

    private func tell(_ delegate: any PhotoCaptureDelegate, _ event: CaptureEvent) {
        switch event {
        case .willBegin(let settings): delegate.photoOutput(self, willBeginCaptureFor: settings)
        case .willCapture(let settings): delegate.photoOutput(self, willCapturePhotoFor: settings)
        case .didCapture(let settings): delegate.photoOutput(self, didCapturePhotoFor: settings)
        case .photo(let photo): delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: photo.error)
        case .finished(let settings, let error):
            delegate.photoOutput(self, didFinishCaptureFor: settings, error: error)
        }
    }

    /// Checks the rules; a ticket is spent only when all are kept.
    private func admit(_ settings: PhotoSettings) throws(CaptureError) -> RunningPipeline {
        let result = state.withLock { state -> Result<RunningPipeline, CaptureError> in
            guard let running = state.running else {
                return .failure(CaptureError(.sessionNotRunning, "start the session before taking photos"))
            }
            if let broken = CaptureRules.broken(by: settings, plan: running.plan, maxQuality: state.maxQuality) {
                return .failure(broken)
            }
            guard state.usedIDs.insert(settings.uniqueID).inserted else {
                return .failure(
                    CaptureError(
                        .settingsReused, "these settings took a photo already; copy them with PhotoSettings(from:)"))
            }
            return .success(running)
        }
        return try result.get()
    }
}
