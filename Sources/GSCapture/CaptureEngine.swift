package import GStreamer
package import GscapElements
internal import Synchronization

/// The captures of a pipeline that are under way: delivers each capture's events completely and in order, although the
/// pipeline's threads report in any order.
///
///     begin ─► willBegin ─► willCapture ─► didCapture ─► photo … photo ─► finished
///                  │             │  ▲ next      │            │                ▲
///                  │             │  └─exposure──┤            │                │
///                  └─────────────┴──────────────┴────────────┴─ fail, close ──┘
///                    (each photo still to come is delivered with the error first)
///
/// Delegates and asynchronous sequences receive the events of the same streams.
package final class CaptureEngine: Sendable {
    /// The state of a capture under way.
    private struct Capture {
        let resolved: ResolvedPhotoSettings
        let events: AsyncStream<CaptureEvent>.Continuation
        let progress: AsyncStream<CaptureProgress>.Continuation
        /// Whether each frame of the burst becomes a Bayer DNG, instead of the first alone.
        let everyFrame: Bool
        /// The number of photos still to come, by branch.
        var owed: [String: Int]
        /// The number of exposures whose `willCapture` was delivered.
        var begunExposures = 0
        /// The number of exposures whose `didCapture` was delivered.
        var takenExposures = 0
        var isTaken = false
        /// Photos that arrived before the shutter reported that all frames were taken. They are delivered after
        /// the last `didCapture`.
        var early: [Photo] = []
        var photoCount = 0
        var firstError: CaptureError?
    }

    private struct State {
        var captures: [UInt64: Capture] = [:]
        /// Why no capture can begin any more; nil while the pipeline runs.
        var closed: CaptureError?
    }

    /// The only lock of this class. While it is held only streams are called. Yielding to a stream resumes its task,
    /// which takes the lock of that task's state; so code that runs under such a lock, as a task's cancellation handler
    /// does, must not take this one.
    private let state = Mutex(State())
    /// The captures as far as readiness depends on them; called under the lock, and calls nothing itself.
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

    /// Starts a capture and returns its events and its progress. `owed` is the number of photos expected from each
    /// branch. After `close`, the capture ends at once.
    package func begin(
        _ resolved: ResolvedPhotoSettings, owed: [String: Int], everyFrame: Bool
    ) -> (AsyncStream<CaptureEvent>, AsyncStream<CaptureProgress>) {
        let (events, eventStream) = AsyncStream<CaptureEvent>.makeStream()
        let (progress, progressStream) = AsyncStream<CaptureProgress>.makeStream()
        eventStream.yield(.willBegin(resolved))
        activity.begin(resolved.uniqueID)
        let closed = state.withLock { state in
            state.captures[resolved.uniqueID] = Capture(
                resolved: resolved, events: eventStream, progress: progressStream, everyFrame: everyFrame, owed: owed)
            return state.closed
        }
        if let closed { fail(resolved.uniqueID, closed) }
        changes.send()
        return (events, progress)
    }

    /// Returns whether a capture still expects a photo of burst frame `index` from any of these branches; false for
    /// unknown captures. Only Bayer branches receive single frames, the first of each exposure's burst, and nothing of
    /// the burst that is fused as a bracket: `takesWholeBurst` is true for the others.
    package func wants(
        _ id: UInt64, frame index: Int, ofFusedBracket isFusedBracket: Bool = false, anyOf branches: Set<String>,
        takesWholeBurst: Bool
    ) -> Bool {
        state.withLock { state in
            guard let capture = state.captures[id] else { return false }
            guard branches.contains(where: { capture.owed[$0, default: 0] > 0 }) else { return false }
            return takesWholeBurst || (!isFusedBracket && (index == 0 || capture.everyFrame))
        }
    }

    /// Whether no capture can begin any more.
    var isClosed: Bool { state.withLock { $0.closed != nil } }

    /// The number of unfinished captures.
    var pending: Int { state.withLock { $0.captures.count } }

    /// Processes an element's message about a capture.
    package func receive(_ message: CaptureMessage) {
        switch message {
        case .exposing(let id, let index, _): update(id) { Self.begin(index, &$0) }
        case .exposed(let id, let index, _): update(id) { Self.end(index, &$0) }
        case .taken(let id, _, _):
            // Before the event, so that readiness is up to date when it is received.
            activity.take(id)
            update(id) { Self.take(&$0) }
        case .frame(let id, let index, let count): report(.frames(id: id, taken: index + 1, of: count))
        case .fusing(let id, let merged, let count): report(.fusing(id: id, merged: merged, of: count))
        case .fused(let id, let report): self.report(.fused(id: id, report: report))
        case .done(let id, let result, let reason, let retryAfter):
            fail(id, CaptureError(result, reason, retryAfter: retryAfter.map { .seconds($0) }))
        case .begun, .photo: break
        }
    }

    private func report(_ progress: CaptureProgress) {
        state.withLock { _ = $0.captures[progress.id]?.progress.yield(progress) }
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
            if capture.isTaken { capture.events.yield(.photo(photo)) } else { capture.early.append(photo) }
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

    /// Ends a capture: every photo still to come is delivered as failed with this error.
    func fail(_ id: UInt64, _ error: CaptureError) {
        update(id) { capture in
            capture.isTaken = true
            for photo in capture.early { capture.events.yield(.photo(photo)) }
            capture.early = []
            capture.firstError = capture.firstError ?? error
            for (branch, count) in capture.owed.sorted(by: { $0.key < $1.key }) {
                for _ in 0..<count { capture.events.yield(.photo(photo(of: branch, &capture, nil, error))) }
            }
            capture.owed = [:]
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
        state.withLock { state in
            guard var capture = state.captures[id] else { return }
            change(&capture)
            if capture.isTaken && capture.owed.values.allSatisfy({ $0 == 0 }) {
                // Before the event, so that a press that follows it finds the capture finished.
                activity.finish(id)
                capture.events.yield(.finished(capture.resolved, capture.firstError))
                capture.events.finish()
                capture.progress.finish()
                state.captures[id] = nil
            } else {
                state.captures[id] = capture
            }
        }
        changes.send()
    }

    /// Delivers `willCapture` of an exposure, after the events of the exposures before it.
    private static func begin(_ index: Int, _ capture: inout Capture) {
        guard index >= 0, index < capture.resolved.exposures.count, index >= capture.begunExposures else { return }
        if index > 0 { end(index - 1, &capture) }
        capture.begunExposures = index + 1
        capture.events.yield(.willCapture(capture.resolved))
    }

    /// Delivers `didCapture` of an exposure, after the events of the exposures before it.
    private static func end(_ index: Int, _ capture: inout Capture) {
        guard index >= 0, index < capture.resolved.exposures.count else { return }
        while capture.takenExposures <= index {
            if capture.begunExposures == capture.takenExposures {
                capture.begunExposures += 1
                capture.events.yield(.willCapture(capture.resolved))
            }
            capture.takenExposures += 1
            capture.events.yield(.didCapture(capture.resolved))
        }
    }

    private static func take(_ capture: inout Capture) {
        guard !capture.isTaken else { return }
        end(capture.resolved.exposures.count - 1, &capture)
        capture.isTaken = true
        for photo in capture.early { capture.events.yield(.photo(photo)) }
        capture.early = []
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
