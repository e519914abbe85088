internal import FrameStream
internal import GscapElements
internal import RawImage
internal import Synchronization
internal import Waiting

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

    /// The state of the cameras' parts, which the ledger does not contain.
    private struct State {
        /// The cameras whose frames are taken.
        var taken: Set<String> = []
        var photoCount = 0
        /// Why the tele camera of a fused photo took none; nil if it took one, or its capture is not over.
        var teleError: CaptureError?
        /// The number of frames that each camera has taken, and that its fusion has received.
        var frames: [Int: Int] = [:]
        var merged: [Int: Int] = [:]
        /// The number of cameras whose progress is over.
        var endedProgress = 0
    }

    /// The ledger of the whole capture, which owes the captures of the cameras.
    private let ledger: SessionCapture.Ledger
    let reports: CaptureReports
    private let resolved: ResolvedPhotoSettings
    private let count: Int
    /// The camera whose photo is only fused into the others'; nil for none.
    private let tele: ConstituentPlan?
    /// The pair in which that camera's photo is fused; nil for none.
    private let pair: ConstituentPair?
    private let changes: ChangeNotice
    private let report: EventReport
    /// Held while a step of the progress is reported; taken before `state`.
    private let reporting = Mutex(())
    /// A leaf: nothing is called under this lock, which is taken under that of the ledger.
    private let state: Mutex<State>

    /// Begins a capture of these cameras; readiness counts it as one of `engine`. `tele` is that whose photo is only
    /// fused into the other's in a pair, and `teleError` says why there is none although one is requested. Progress,
    /// and photos of another moment, are also reported to the session.
    init(
        _ resolved: ResolvedPhotoSettings, cameras: [String], tele: ConstituentPlan?, pair: ConstituentPair?,
        teleError: CaptureError?, of engine: CaptureEngine, report: EventReport
    ) {
        self.resolved = resolved
        count = cameras.count
        (self.tele, self.pair) = (tele, pair)
        self.report = report
        state = Mutex(State(teleError: teleError))
        changes = engine.changes
        let capture = SessionCapture(resolved, owing: Dictionary(cameras.map { ($0, 1) }) { $0 + $1 })
        reports = capture.reports
        ledger = engine.ledger(of: capture)
    }

    /// Ends the capture because its press is refused, so that no camera's capture is followed.
    func refuse(_ error: CaptureError) {
        ledger.update { capture, outbox in
            for camera in capture.photos.missing { capture.photos.settle(camera, failure: error) }
            capture.passPhotos(&outbox)
            capture.settle(&outbox)
        }
        reports.progress.finish()
        changes.send()
    }

    /// Takes the events of a camera's capture until it is over.
    func follow(_ capture: PhotoCapture, _ part: Part) {
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
        let camera = part.constituent.uniqueID
        ledger.update { capture, outbox in
            switch event {
            case .willBegin, .didRecordLivePhotoMovie, .livePhotoMovie: break
            case .willCapture: capture.begin(exposure: 0, &outbox)
            case .didCapture: state.withLock { _ = $0.taken.insert(camera) }
            case .photo where !part.isDelivered: break
            case .photo(let photo): capture.deliver(.photo(state.withLock { joined(photo, of: part, &$0) }), &outbox)
            case .finished(_, let error):
                let error = error.map(part.constituent.named)
                capture.photos.settle(camera, failure: part.isDelivered ? error : nil)
                if !part.isDelivered, let error { state.withLock { $0.teleError = error } }
            }
            let taken = state.withLock(\.taken)
            // Every camera has taken its frames or failed, so that photos are delivered.
            if taken.isSuperset(of: capture.photos.missing) {
                if taken.isEmpty { capture.passPhotos(&outbox) } else { capture.take(&outbox) }
            }
            capture.settle(&outbox)
        }
        changes.send()
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
