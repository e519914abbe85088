package import GStreamer
package import GscapElements
internal import Synchronization

/// The captures of a pipeline that are under way: delivers each capture's events completely and in order, although the
/// pipeline's threads report in any order.
///
/// A Live Photo's movie is an event beside the photos, which `finished` waits for, too.
///
///     begin ─► willBegin ─► willCapture ─► didCapture ─► photo … photo ─► finished
///                  │             │  ▲ next      │            │                ▲
///                  │             │  └─exposure──┤            │                │
///                  └─────────────┴──────────────┴────────────┴─ fail, close ──┘
///                    (each photo still to come is delivered with the error first)
///
/// Delegates and asynchronous sequences receive the same events: each reader has a stream of its own.
package final class CaptureEngine: Sendable {
    /// The state of a capture under way.
    private struct Capture {
        let resolved: ResolvedPhotoSettings
        let reports: CaptureReports
        /// Whether each frame of the burst becomes a Bayer DNG, instead of the first alone.
        let everyFrame: Bool
        /// The number of photos still to come, by branch.
        var owed: [String: Int]
        /// Whether the movie of a Live Photo is still to come.
        var owesMovie: Bool
        /// The number of exposures whose `willCapture` was delivered.
        var begunExposures = 0
        /// The number of exposures whose `didCapture` was delivered.
        var takenExposures = 0
        var isTaken = false
        /// Whether the capture counts as finished for readiness: all photos are delivered.
        var isSettled = false
        /// Photos and movies that arrived before the shutter reported that all frames were taken. They are delivered
        /// after the last `didCapture`.
        var early: [CaptureEvent] = []
        var photoCount = 0
        var firstError: CaptureError?
        /// Photos that the recorder of the Live Photo's movie has not taken note of.
        var unnoted: [Photo] = []

        /// Delivers an event, after the last `didCapture`.
        mutating func deliver(_ event: CaptureEvent) {
            if case .photo(let photo) = event, owesMovie { unnoted.append(photo) }
            if isTaken { reports.events.send(event) } else { early.append(event) }
        }

        /// Delivers the events that have waited for the last `didCapture`.
        mutating func deliverEarly() {
            for event in early { reports.events.send(event) }
            early = []
        }
    }

    private struct State {
        var captures: [UInt64: Capture] = [:]
        /// Why no capture can begin any more; nil while the pipeline runs.
        var closed: CaptureError?
    }

    /// The only lock of this class. While it is held only broadcasts are called. They yield to streams, which resumes
    /// the tasks that read these and takes the locks of the tasks' states; so code that runs under such a lock, as a
    /// task's cancellation handler does, must not take this one.
    private let state = Mutex(State())
    /// The captures as far as readiness depends on them; called under the lock, and calls nothing itself.
    let activity = CaptureActivity()
    /// The notice that readiness may have changed, sent without the lock.
    let changes = ChangeNotice()
    /// The format of each branch's photos.
    private let formats: [String: PhotoFormat]

    /// The recorder of the movies of Live Photos; nil without one.
    private let recorder = Mutex<LivePhotoRecorder?>(nil)

    /// Returns the running time of the pipeline in nanoseconds; nil without a clock. Never called under the lock.
    private let runningTime: @Sendable () -> UInt64?

    /// Creates an engine; `formats` are those of the branches by name, and `runningTime` returns the running time of
    /// the pipeline in nanoseconds.
    package init(formats: [String: PhotoFormat], runningTime: @escaping @Sendable () -> UInt64? = { nil }) {
        self.formats = formats
        self.runningTime = runningTime
    }

    /// Sets the recorder of the movies of Live Photos, which takes note of their stills.
    func setRecorder(_ recorder: LivePhotoRecorder) { self.recorder.withLock { $0 = recorder } }

    /// Starts a capture and returns its events and its progress. `owed` is the number of photos expected from each
    /// branch; `owesMovie` says that the movie of a Live Photo follows. After `close`, the capture ends at once.
    package func begin(
        _ resolved: ResolvedPhotoSettings, owed: [String: Int], everyFrame: Bool, owesMovie: Bool = false
    ) -> CaptureReports {
        let reports = CaptureReports()
        reports.events.send(.willBegin(resolved))
        activity.begin(resolved.uniqueID)
        let closed = state.withLock { state in
            state.captures[resolved.uniqueID] = Capture(
                resolved: resolved, reports: reports, everyFrame: everyFrame, owed: owed, owesMovie: owesMovie)
            return state.closed
        }
        if let closed { fail(resolved.uniqueID, closed) }
        changes.send()
        return reports
    }

    /// Returns whether a capture still expects a photo of a frame from any of these branches; false for unknown
    /// captures. Only Bayer branches receive single frames, the reference of each exposure's burst, and nothing of the
    /// burst that is fused as a bracket: `takesWholeBurst` is true for the others.
    package func wants(
        _ id: UInt64, isReference: Bool, ofFusedBracket isFusedBracket: Bool = false, anyOf branches: Set<String>,
        takesWholeBurst: Bool
    ) -> Bool {
        state.withLock { state in
            guard let capture = state.captures[id] else { return false }
            guard branches.contains(where: { capture.owed[$0, default: 0] > 0 }) else { return false }
            return takesWholeBurst || (!isFusedBracket && (isReference || capture.everyFrame))
        }
    }

    /// The running time of the pipeline in nanoseconds; nil without a clock.
    var now: UInt64? { runningTime() }

    /// Whether no capture can begin any more.
    var isClosed: Bool { closingError != nil }

    /// Why no capture can begin any more; nil while the pipeline runs.
    var closingError: CaptureError? { state.withLock(\.closed) }

    /// Whether a capture is unfinished.
    func isUnderWay(_ id: UInt64) -> Bool { state.withLock { $0.captures[id] != nil } }

    /// The number of unfinished captures.
    var pending: Int { state.withLock { $0.captures.count } }

    /// Processes an element's message about a capture.
    package func receive(_ message: CaptureMessage) {
        switch message {
        case .exposing(let id, let index, _): update(id) { self.begin(index, &$0) }
        case .exposed(let id, let index, _): update(id) { self.end(index, &$0) }
        case .taken(let id, _, _, _): update(id) { self.take(&$0) }
        case .frame, .fusing, .fused: if let step = CaptureProgress(message) { report(step) }
        case .done(let id, let result, let reason, let retryAfter):
            // The movie of a Live Photo goes on after the shutter has done its part.
            let endsMovie = ![.succeeded, .partial].contains(result)
            fail(id, CaptureError(result, reason, retryAfter: retryAfter.map { .seconds($0) }), endsMovie: endsMovie)
        case .begun, .photo: break
        }
    }

    private func report(_ progress: CaptureProgress) {
        state.withLock { $0.captures[progress.id]?.reports.progress.send(progress) }
    }

    /// Delivers a finished photo of a branch, or the branch's failure.
    package func deliver(
        _ id: UInt64, branch: String, sample: Sample?, job: DeferredJob? = nil, error: CaptureError? = nil
    ) {
        let now = runningTime()
        update(id) { capture in
            guard let count = capture.owed[branch], count > 0 else { return }
            capture.owed[branch] = count - 1
            var photo = self.photo(of: branch, &capture, sample, error)
            photo.deliveryTime = now
            photo.deferredJob = job
            capture.deliver(.photo(photo))
        }
    }

    /// Reports that the movie of a Live Photo has ended, before it is complete.
    func endMovie(_ id: UInt64) {
        update(id) { capture in
            if capture.owesMovie { capture.deliver(.didRecordLivePhotoMovie(capture.resolved)) }
        }
    }

    /// Delivers the movie of a Live Photo, or its failure.
    func deliver(_ movie: LivePhotoMovie) {
        update(movie.resolvedSettings.uniqueID) { capture in
            guard capture.owesMovie else { return }
            capture.owesMovie = false
            capture.firstError = capture.firstError ?? movie.error
            capture.deliver(.livePhotoMovie(movie))
        }
    }

    /// Fails the photos that the captures under way still expect from these branches.
    func failBranches(_ branches: Set<String>, _ error: CaptureError) {
        for id in state.withLock({ $0.captures.keys.sorted() }) {
            for branch in branches.sorted() {
                let count = state.withLock { $0.captures[id]?.owed[branch] } ?? 0
                for _ in 0..<count { deliver(id, branch: branch, sample: nil, error: error) }
            }
        }
    }

    /// Ends a capture: every photo still to come is delivered as failed with this error, and so is the movie of a Live
    /// Photo unless `endsMovie` is false.
    func fail(_ id: UInt64, _ error: CaptureError, endsMovie: Bool = true) {
        update(id) { capture in
            if !endsMovie, capture.isTaken, capture.owed.values.allSatisfy({ $0 == 0 }) { return }
            capture.isTaken = true
            capture.deliverEarly()
            capture.firstError = capture.firstError ?? error
            for (branch, count) in capture.owed.sorted(by: { $0.key < $1.key }) {
                for _ in 0..<count { capture.deliver(.photo(photo(of: branch, &capture, nil, error))) }
            }
            capture.owed = [:]
            guard endsMovie else { return }
            if capture.owesMovie { capture.deliver(.livePhotoMovie(LivePhotoMovie(capture.resolved, error))) }
            capture.owesMovie = false
        }
    }

    /// Ends all captures under way with this error.
    func failAll(_ error: CaptureError) {
        for id in state.withLock({ $0.captures.keys.sorted() }) { fail(id, error) }
    }

    /// Ends all captures under way with this error, and every later one as soon as it begins.
    package func close(_ error: CaptureError) {
        state.withLock { $0.closed = $0.closed ?? error }
        failAll(error)
        changes.send()
    }

    private func photo(
        of branch: String, _ capture: inout Capture, _ sample: Sample?, _ error: CaptureError?
    ) -> Photo {
        capture.photoCount += 1
        if capture.firstError == nil { capture.firstError = error }
        return Photo(
            resolvedSettings: capture.resolved, format: formats[branch] ?? .other(branch),
            photoCount: capture.photoCount, metadata: sample?.buffer?.frameMetadata, error: error, sample: sample)
    }

    /// Applies a change to a capture, and finishes the capture when no more photos are to come.
    private func update(_ id: UInt64, _ change: (inout Capture) -> Void) {
        let photos = state.withLock { state -> [Photo] in
            guard var capture = state.captures[id] else { return [] }
            change(&capture)
            let photos = capture.unnoted
            capture.unnoted = []
            let hasPhotos = capture.isTaken && capture.owed.values.allSatisfy { $0 == 0 }
            // Before the event, so that a press that follows it finds the capture finished. The movie of a Live Photo,
            // which takes no memory of the shutter, keeps nobody from pressing again.
            if hasPhotos && !capture.isSettled {
                capture.isSettled = true
                activity.finish(id)
            }
            if hasPhotos && !capture.owesMovie {
                capture.reports.finish(capture.resolved, capture.firstError)
                state.captures[id] = nil
            } else {
                state.captures[id] = capture
            }
            return photos
        }
        if !photos.isEmpty, let recorder = recorder.withLock({ $0 }) { photos.forEach(recorder.note) }
        changes.send()
    }

    /// Delivers `willCapture` of an exposure, after the events of the exposures before it.
    private func begin(_ index: Int, _ capture: inout Capture) {
        guard index >= 0, index < capture.resolved.exposures.count, index >= capture.begunExposures else { return }
        if index > 0 { end(index - 1, &capture) }
        capture.begunExposures = index + 1
        capture.reports.events.send(.willCapture(capture.resolved))
    }

    /// Delivers `didCapture` of an exposure, after the events of the exposures before it.
    private func end(_ index: Int, _ capture: inout Capture) {
        guard index >= 0, index < capture.resolved.exposures.count else { return }
        while capture.takenExposures <= index {
            if capture.begunExposures == capture.takenExposures {
                capture.begunExposures += 1
                capture.reports.events.send(.willCapture(capture.resolved))
            }
            capture.takenExposures += 1
            // Before the event, so that readiness is up to date when it is received.
            if capture.takenExposures == capture.resolved.exposures.count { activity.take(capture.resolved.uniqueID) }
            capture.reports.events.send(.didCapture(capture.resolved))
        }
    }

    private func take(_ capture: inout Capture) {
        guard !capture.isTaken else { return }
        end(capture.resolved.exposures.count - 1, &capture)
        activity.take(capture.resolved.uniqueID)
        capture.isTaken = true
        capture.deliverEarly()
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
