internal import FrameStream
internal import Waiting

/// The contents of a session's ledger of a capture: the photos still to be delivered, and the last event sent.
///
///     begin ─► willBegin ─► willCapture ─► didCapture ─► photo … photo ─► finished
///                  │             │  ▲ next      │            │                ▲
///                  │             │  └─exposure──┤            │                │
///                  └─────────────┴──────────────┴────────────┴─ fail, close ──┘
///                    (each photo still to come is delivered with the error first)
///
/// Photos and movies that come before the last `didCapture` wait for it. A Live Photo's movie is an event beside the
/// photos, which `finished` waits for, too.
struct SessionCapture: Sendable {
    typealias Ledger = CaptureLedger<SessionCapture>

    let resolved: ResolvedPhotoSettings
    let reports = CaptureReports()
    /// Whether each frame of the burst becomes a Bayer DNG, instead of the first alone.
    var everyFrame = false
    /// Whether this is the capture of one camera of several, which reports progress and readiness as a whole.
    var isPart = false
    /// The photos by branch; in a capture of several cameras, the captures by camera.
    var photos: CaptureAccount<String, CaptureError>
    /// Whether the movie of a Live Photo is still to come.
    var owesMovie = false
    /// The number of exposures whose `willCapture` was sent, and of those whose `didCapture` was.
    private var begunExposures = 0
    private var takenExposures = 0
    /// Whether the frames of all exposures are taken.
    private(set) var isTaken = false
    /// Whether photos are delivered at once: the frames are taken, or the capture has failed.
    private(set) var passesPhotos = false
    /// The photos and movies that wait.
    private var early: [CaptureEvent] = []
    /// Whether the capture counts as finished for readiness: all photos are delivered. The movie of a Live Photo, which
    /// takes no memory of the shutter, keeps nobody from pressing again.
    private(set) var isSettled = false

    /// Called when a photo of a capture that owes a movie is delivered.
    var noted: @Sendable (Photo) -> Void = { _ in }
    /// Called when all photos are delivered, with whether the frames were taken.
    var settled: @Sendable (Bool) -> Void = { _ in }
    /// Called before the last event.
    var ended: @Sendable () -> Void = {}

    /// Begins a capture that owes this many photos of each branch, or camera.
    init(_ resolved: ResolvedPhotoSettings, owing owed: [String: Int]) {
        self.resolved = resolved
        photos = CaptureAccount(owing: owed)
    }

    private func send(_ event: CaptureEvent, _ outbox: inout CaptureOutbox) {
        outbox.add { [reports] in reports.events.send(event) }
    }

    /// Sends a photo or a movie, after the last `didCapture`.
    mutating func deliver(_ event: CaptureEvent, _ outbox: inout CaptureOutbox) {
        if passesPhotos { send(event, &outbox) } else { early.append(event) }
        if case .photo(let photo) = event, owesMovie { outbox.add { [noted] in noted(photo) } }
    }

    /// Sends `willCapture` of an exposure, after the events of the exposures before it.
    mutating func begin(exposure index: Int, _ outbox: inout CaptureOutbox) {
        guard index >= 0, index < resolved.exposures.count, index >= begunExposures else { return }
        if index > 0 { end(exposure: index - 1, &outbox) }
        begunExposures = index + 1
        send(.willCapture(resolved), &outbox)
    }

    /// Sends `didCapture` of an exposure, after the events of the exposures before it.
    mutating func end(exposure index: Int, _ outbox: inout CaptureOutbox) {
        guard index >= 0, index < resolved.exposures.count else { return }
        while takenExposures <= index {
            if begunExposures == takenExposures {
                begunExposures += 1
                send(.willCapture(resolved), &outbox)
            }
            takenExposures += 1
            // Before the event, so that readiness is up to date when it is received.
            isTaken = takenExposures == resolved.exposures.count
            send(.didCapture(resolved), &outbox)
        }
    }

    /// Records that all frames are taken, and sends what has waited for that.
    mutating func take(_ outbox: inout CaptureOutbox) {
        guard !passesPhotos else { return }
        end(exposure: resolved.exposures.count - 1, &outbox)
        isTaken = true
        passPhotos(&outbox)
    }

    /// Sends the photos and movies that wait; later ones wait no more.
    mutating func passPhotos(_ outbox: inout CaptureOutbox) {
        passesPhotos = true
        for event in early { send(event, &outbox) }
        early = []
    }

    /// Settles the capture when no photo is to come any more, and ends it when no movie is, either.
    mutating func settle(_ outbox: inout CaptureOutbox) {
        guard passesPhotos, photos.isSettled else { return }
        // Before the last event, so that a press that follows it finds the capture finished.
        if !isSettled { outbox.add { [settled, isTaken] in settled(isTaken) } }
        isSettled = true
        if owesMovie { return }
        let error = photos.firstFailure
        outbox.end { [events = reports.events, resolved, ended] in
            ended()
            events.send(.finished(resolved, error))
            events.finish()
        }
    }
}
