package import FrameStream
package import GStreamer
internal import Synchronization
internal import Waiting

/// The captures of a pipeline that are under way: delivers each capture's events completely and in order, although the
/// pipeline's threads report in any order. Each capture has a ledger with a `SessionCapture`; the messages and photos
/// come with ids, so this is the pipeline's one table of captures by id.
///
/// Delegates and asynchronous sequences receive the same events: each reader has a stream of its own.
package final class CaptureEngine: Sendable {
    private struct State {
        var captures: [UInt64: SessionCapture.Ledger] = [:]
        /// Why no capture can begin any more; nil while the pipeline runs.
        var closed: CaptureError?
        /// The recorder of the movies of Live Photos; nil without one.
        var recorder: LivePhotoRecorder?
    }

    private let state = Mutex(State())
    /// The captures as far as readiness depends on them.
    let activity = CaptureActivity()
    /// The notice that readiness may have changed, sent without the lock.
    let changes = ChangeNotice()
    /// The format of each branch's photos.
    private let formats: [String: PhotoFormat]

    /// Returns the running time of the pipeline in nanoseconds; nil without a clock. Never called under the lock.
    private let runningTime: @Sendable () -> UInt64?

    /// Creates an engine; `formats` are those of the branches by name, and `runningTime` returns the running time of
    /// the pipeline in nanoseconds.
    package init(formats: [String: PhotoFormat], runningTime: @escaping @Sendable () -> UInt64? = { nil }) {
        self.formats = formats
        self.runningTime = runningTime
    }

    /// Sets the recorder of the movies of Live Photos, which takes note of their stills.
    func setRecorder(_ recorder: LivePhotoRecorder) { state.withLock { $0.recorder = recorder } }

    // MARK: - Captures

    /// Starts a capture and returns its events and its progress. `owed` is the number of photos expected from each
    /// branch; `owesMovie` says that the movie of a Live Photo follows, and `isPart` that the capture is that of one
    /// camera of several. After `close`, the capture ends at once.
    package func begin(
        _ resolved: ResolvedPhotoSettings, owed: [String: Int], everyFrame: Bool, owesMovie: Bool = false,
        isPart: Bool = false
    ) -> CaptureReports {
        let id = resolved.uniqueID
        var capture = SessionCapture(resolved, owing: owed)
        (capture.everyFrame, capture.owesMovie, capture.isPart) = (everyFrame, owesMovie, isPart)
        capture.noted = { [weak self] photo in
            self?.state.withLock(\.recorder)?.note(
                photo.resolvedSettings, photo.format, photo.receipt, photo.metadata, photo.error)
        }
        capture.ended = { [weak self, progress = capture.reports.progress] in
            self?.state.withLock { _ = $0.captures.removeValue(forKey: id) }
            progress.finish()
        }
        let ledger = ledger(of: capture)
        let closed = state.withLock { state in
            state.captures[id] = ledger
            return state.closed
        }
        if let closed { fail(id, closed) }
        changes.send()
        return capture.reports
    }

    /// Returns the ledger of a capture that begins, and sends `willBegin`. Readiness counts the capture unless it is a
    /// part of another one.
    func ledger(of capture: SessionCapture) -> SessionCapture.Ledger {
        var capture = capture
        let id = capture.resolved.uniqueID
        capture.reports.events.send(.willBegin(capture.resolved))
        capture.settled = { [activity] isTaken in activity.remove(id, isTaken: isTaken) }
        let ledger = SessionCapture.Ledger(capture)
        if !capture.isPart { activity.add(id, ledger) }
        return ledger
    }

    private func ledger(_ id: UInt64) -> SessionCapture.Ledger? { state.withLock { $0.captures[id] } }

    /// Returns whether a capture still expects a photo of a frame from any of these branches; false for unknown
    /// captures. Only Bayer branches receive single frames, the reference of each exposure's burst, and nothing of the
    /// burst that is fused as a bracket: `takesWholeBurst` is true for the others.
    package func wants(
        _ id: UInt64, isReference: Bool, ofFusedBracket isFusedBracket: Bool = false, anyOf branches: Set<String>,
        takesWholeBurst: Bool
    ) -> Bool {
        ledger(id)?.read { capture in
            guard branches.contains(where: capture.photos.owes) else { return false }
            return takesWholeBurst || (!isFusedBracket && (isReference || capture.everyFrame))
        } ?? false
    }

    /// The running time of the pipeline in nanoseconds; nil without a clock.
    var now: UInt64? { runningTime() }

    /// Whether no capture can begin any more.
    var isClosed: Bool { closingError != nil }

    /// Why no capture can begin any more; nil while the pipeline runs.
    var closingError: CaptureError? { state.withLock(\.closed) }

    /// Whether a capture is unfinished and reports its progress itself, not as a part of another one.
    func reportsProgress(of id: UInt64) -> Bool { ledger(id)?.read(\.isPart) == false }

    /// The number of unfinished captures.
    var pending: Int { state.withLock(\.captures.count) }

    // MARK: - Messages and photos

    /// Processes an element's message about a capture.
    package func receive(_ message: CaptureMessage) {
        switch message {
        case .exposing(let id, let index, _): update(id) { $0.begin(exposure: index, &$1) }
        case .exposed(let id, let index, _): update(id) { $0.end(exposure: index, &$1) }
        case .taken(let id, _, _, _): update(id) { $0.take(&$1) }
        case .frame, .fusing, .fused:
            guard let step = CaptureProgress(message) else { return }
            ledger(step.id)?.read(\.reports).progress.send(step)
        case .done(let id, let result, let reason, let retryAfter):
            // The movie of a Live Photo goes on after the shutter has done its part.
            let endsMovie = ![.succeeded, .partial].contains(result)
            fail(id, CaptureError(result, reason, retryAfter: retryAfter.map { .seconds($0) }), endsMovie: endsMovie)
        case .begun, .photo: break
        }
    }

    /// Delivers a finished photo of a branch, or the branch's failure.
    package func deliver(
        _ id: UInt64, branch: String, sample: Sample?, job: DeferredJob? = nil, error: CaptureError? = nil
    ) {
        let now = runningTime()
        update(id) { capture, outbox in
            guard var photo = photo(of: branch, &capture, sample, error) else { return }
            photo.deliveryTime = now
            photo.deferredJob = job
            capture.deliver(.photo(photo), &outbox)
        }
    }

    /// Reports that the movie of a Live Photo has ended, before it is complete.
    func endMovie(_ id: UInt64) {
        update(id) { capture, outbox in
            if capture.owesMovie { capture.deliver(.didRecordLivePhotoMovie(capture.resolved), &outbox) }
        }
    }

    /// Delivers the movie of a Live Photo, or its failure.
    func deliver(_ movie: LivePhotoMovie) {
        update(movie.resolvedSettings.uniqueID) { capture, outbox in
            guard capture.owesMovie else { return }
            capture.owesMovie = false
            if let error = movie.error { capture.photos.blame(error) }
            capture.deliver(.livePhotoMovie(movie), &outbox)
        }
    }

    /// Fails the photos that the captures under way still expect from these branches.
    func failBranches(_ branches: Set<String>, _ error: CaptureError) {
        for id in underWay {
            for branch in ledger(id)?.read(\.photos.missing) ?? [] where branches.contains(branch) {
                deliver(id, branch: branch, sample: nil, error: error)
            }
        }
    }

    /// Ends a capture: every photo still to come is delivered as failed with this error, and so is the movie of a Live
    /// Photo unless `endsMovie` is false.
    func fail(_ id: UInt64, _ error: CaptureError, endsMovie: Bool = true) {
        update(id) { capture, outbox in
            if !endsMovie, capture.passesPhotos, capture.photos.isSettled { return }
            capture.passPhotos(&outbox)
            capture.photos.blame(error)
            for branch in capture.photos.missing {
                if let photo = photo(of: branch, &capture, nil, error) { capture.deliver(.photo(photo), &outbox) }
            }
            guard endsMovie else { return }
            if capture.owesMovie { capture.deliver(.livePhotoMovie(LivePhotoMovie(capture.resolved, error)), &outbox) }
            capture.owesMovie = false
        }
    }

    private var underWay: [UInt64] { state.withLock { $0.captures.keys.sorted() } }

    /// Ends all captures under way with this error.
    func failAll(_ error: CaptureError) {
        for id in underWay { fail(id, error) }
    }

    /// Ends all captures under way with this error, and every later one as soon as it begins.
    package func close(_ error: CaptureError) {
        state.withLock { $0.closed = $0.closed ?? error }
        failAll(error)
        changes.send()
    }

    /// Settles a photo of a branch and returns it; nil if it is not owed.
    private func photo(
        of branch: String, _ capture: inout SessionCapture, _ sample: Sample?, _ error: CaptureError?
    ) -> Photo? {
        guard capture.photos.settle(branch, failure: error) else { return nil }
        return Photo(
            resolvedSettings: capture.resolved, format: formats[branch] ?? .other(branch),
            photoCount: capture.photos.photos + capture.photos.failures, metadata: sample?.buffer?.frameMetadata,
            error: error, sample: sample)
    }

    /// Applies a change to a capture, and finishes the capture when no more photos are to come.
    private func update(_ id: UInt64, _ change: (inout SessionCapture, inout CaptureOutbox) -> Void) {
        ledger(id)?.update { capture, outbox in
            change(&capture, &outbox)
            capture.settle(&outbox)
        }
        changes.send()
    }
}

extension CaptureError {
    /// Creates the error of a capture that the shutter ended while photos were missing. If the shutter reports success
    /// without a reason, the photos were lost on the way to their sinks; the reason is the time limit otherwise.
    fileprivate init(_ result: CaptureResult, _ reason: String, retryAfter: Duration?) {
        switch result {
        case .cancelled: self.init(.cancelled, reason)
        case .failed where retryAfter != nil: self.init(.busy, reason)
        case .failed, .partial: self.init(.captureFailed, reason)
        case .succeeded:
            let lost = "an element of the pipeline dropped the photo before it reached its sink"
            self.init(.captureFailed, reason.isEmpty ? lost : reason)
        }
        self.retryAfter = retryAfter
    }
}
