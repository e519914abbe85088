internal import GscapElements
internal import RawImage
internal import Synchronization

/// The captures of several cameras as one: joins their events, in the order that one capture's events have.
///
///     willBegin ─► first willCapture ─► didCapture, when the frames of all cameras are taken ─► photos ─► finished
///
/// Each camera's capture ends exactly once, whatever happens to the camera, and so does this one, after the last of
/// them. A camera that fails fails its own photos only. *Thread-safe.*
final class ConstituentCapture: Sendable {
    /// A camera of the capture.
    struct Part: Sendable {
        let index: Int
        let constituent: ConstituentPlan
        /// The instant that all cameras aim at, in nanoseconds of running time.
        let instant: Int64
        /// How the camera's photos have to compare with the instant; nil if they need not be near it.
        let simultaneity: Simultaneity?
        /// Whether the capture delivers the camera's photos. False for a tele camera whose photo is only fused into the
        /// wide one's: its failure does not fail the capture, but the photos state it.
        let isDelivered: Bool
    }

    private struct State {
        /// For each camera, whether its frames are taken, and whether its capture is over.
        var taken: Set<Int> = []
        var over: Set<Int> = []
        var hasBegun = false
        /// Whether every camera has taken its frames or failed, so that photos are delivered.
        var isTaken = false
        /// The photos that arrived before that.
        var early: [Photo] = []
        var photoCount = 0
        var firstError: CaptureError?
        /// Why the tele camera of a fused photo took none; nil if it took one, or its capture is not over.
        var teleError: CaptureError?
        /// The number of frames that each camera has taken, and that its fusion has received.
        var frames: [Int: Int] = [:]
        var merged: [Int: Int] = [:]
        /// The number of cameras whose progress is over.
        var endedProgress = 0
    }

    let reports = CaptureReports()
    private let resolved: ResolvedPhotoSettings
    private let count: Int
    /// The camera whose photo is only fused into the others'; nil for none.
    private let tele: ConstituentPlan?
    /// The pair in which that camera's photo is fused; nil for none.
    private let pair: ConstituentPair?
    private let activity: CaptureActivity
    private let changes: ChangeNotice
    private let report: EventReport
    /// Held while a step of the progress is reported; taken before `state`.
    private let reporting = Mutex(())
    /// While the lock is held, only the reports and the activity are called, as with the lock of `CaptureEngine`.
    private let state: Mutex<State>

    /// Begins a capture of `count` cameras; readiness counts it as one of `engine`. `tele` is that whose photo is only
    /// fused into the other's in a pair, and `teleError` says why there is none although one is requested. Progress,
    /// and photos of another moment, are also reported to the session.
    init(
        _ resolved: ResolvedPhotoSettings, count: Int, tele: ConstituentPlan?, pair: ConstituentPair?,
        teleError: CaptureError?, of engine: CaptureEngine, report: EventReport
    ) {
        self.resolved = resolved
        self.count = count
        (self.tele, self.pair) = (tele, pair)
        self.report = report
        state = Mutex(State(teleError: teleError))
        activity = engine.activity
        changes = engine.changes
        reports.events.send(.willBegin(resolved))
        activity.begin(resolved.uniqueID)
    }

    /// Ends the capture because its press is refused, so that no camera's capture is followed.
    func refuse(_ error: CaptureError) {
        activity.finish(resolved.uniqueID)
        reports.finish(resolved, error)
        changes.send()
    }

    /// Takes the events of a camera's capture until it is over, then calls `ended`.
    func follow(_ capture: PhotoCapture, _ part: Part, ended: @escaping @Sendable () -> Void) {
        Task {
            for await event in capture.events {
                if case .photo(let photo) = event, let offset = Self.offset(of: photo, part),
                    let text = part.simultaneity?.warning(offset: offset)
                {
                    report.yield(.warning("\(part.constituent.name): \(text)"))
                }
                receive(event, of: part)
                // Last, so that the photo of the wide camera, which no longer waits, finds the tele camera's error.
                if case .finished = event, !part.isDelivered { pair?.end() }
            }
        }
        Task {
            for await step in capture.progress { receive(step, of: part) }
            ended()
            endProgress()
        }
    }

    /// Ends the progress after that of the last camera. Its steps are read beside the events, so some may be left when
    /// the last event has arrived.
    private func endProgress() {
        state.withLock { state in
            state.endedProgress += 1
            if state.endedProgress == count { reports.progress.finish() }
        }
    }

    /// Reports the progress of a camera as that of the capture, whose frames are those of all cameras.
    private func receive(_ step: CaptureProgress, of part: Part) {
        // The steps of all cameras are reported one after another, so that the sums do not go back.
        reporting.withLock { _ in
            guard let sum = state.withLock({ sum(of: step, part, &$0) }) else { return }
            reports.progress.send(sum)
            report.yield(.progress(sum))
        }
    }

    /// Returns the progress of the capture after a step of one camera; nil if it is of a photo that is not delivered.
    private func sum(of step: CaptureProgress, _ part: Part, _ state: inout State) -> CaptureProgress? {
        let id = resolved.uniqueID
        switch step {
        case .frames(_, let taken, let total):
            state.frames[part.index] = taken
            return .frames(id: id, taken: state.frames.values.reduce(0, +), of: total * count)
        case .fusing(_, let merged, let total):
            state.merged[part.index] = merged
            return .fusing(id: id, merged: state.merged.values.reduce(0, +), of: total * count)
        case .fused(_, let report): return part.isDelivered ? .fused(id: id, report: report) : nil
        }
    }

    private func receive(_ event: CaptureEvent, of part: Part) {
        state.withLock { state in
            switch event {
            case .willBegin, .didRecordLivePhotoMovie, .livePhotoMovie: break
            case .willCapture: begin(&state)
            case .didCapture: state.taken.insert(part.index)
            case .photo where !part.isDelivered: break
            case .photo(let photo): deliver(joined(photo, of: part, &state), &state)
            case .finished(_, let error):
                state.over.insert(part.index)
                if let error = error.map(part.constituent.named) {
                    if part.isDelivered {
                        state.firstError = state.firstError ?? error
                    } else {
                        state.teleError = error
                    }
                }
            }
            settle(&state)
        }
        changes.send()
    }

    private func begin(_ state: inout State) {
        if !state.hasBegun { reports.events.send(.willCapture(resolved)) }
        state.hasBegun = true
    }

    private func deliver(_ photo: Photo, _ state: inout State) {
        if state.isTaken { reports.events.send(.photo(photo)) } else { state.early.append(photo) }
    }

    /// Delivers the events that were waiting for the last camera.
    private func settle(_ state: inout State) {
        if !state.isTaken, state.taken.union(state.over).count == count {
            state.isTaken = true
            activity.take(resolved.uniqueID)
            if !state.taken.isEmpty { reports.events.send(.didCapture(resolved)) }
            for photo in state.early { reports.events.send(.photo(photo)) }
            state.early = []
        }
        guard state.over.count == count else { return }
        // Before the event, so that a press that follows it finds the capture finished.
        activity.finish(resolved.uniqueID)
        reports.events.send(.finished(resolved, state.firstError))
        reports.events.finish()
    }

    /// Returns a camera's photo as one of the whole capture.
    private func joined(_ photo: Photo, of part: Part, _ state: inout State) -> Photo {
        state.photoCount += 1
        var metadata = photo.metadata
        metadata?.capture?.id = resolved.uniqueID
        var joined = Photo(
            resolvedSettings: resolved, format: photo.format, photoCount: state.photoCount, metadata: metadata,
            error: photo.error.map { part.constituent.named($0) }, sample: photo.sample)
        joined.deliveryTime = photo.deliveryTime
        joined.sourceDeviceUniqueID = part.constituent.uniqueID
        joined.sourceCalibration = part.constituent.calibration
        joined.constituentOffset = Self.offset(of: photo, part).map { .nanoseconds($0) }
        if photo.error == nil { joined.constituentError = missingTele(state) }
        return joined
    }

    /// Returns why the photo of a camera's capture lacks the tele camera's detail; nil if it has it, or needs none.
    private func missingTele(_ state: State) -> CaptureError? {
        guard let tele, let pair else { return state.teleError }
        guard pair.isWithoutTele else { return nil }
        return state.teleError
            ?? tele.named(
                CaptureError(
                    .captureFailed, "the photo did not arrive within \(ConstituentPair.limit.components.seconds) s"))
    }

    /// The time in nanoseconds from the common instant to the photo's; nil if that is unknown.
    private static func offset(of photo: Photo, _ part: Part) -> Int64? {
        photo.metadata?.capture?.runningTime.map { Int64(clamping: $0) - part.instant }
    }
}
