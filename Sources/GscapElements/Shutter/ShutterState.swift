internal import FrameStream
internal import GStreamer
internal import RawImage
internal import Waiting

/// The state that the shutter's streaming thread shares with its signals and timers: the newest frames, and the
/// captures that wait for frames.
struct ShutterState: ~Copyable {
    /// A capture that waits for its frames.
    struct Waiting {
        var request: CaptureRequest
        var ticket: CaptureTicket
        /// Whether the capture's exposures and its use of the flash are determined, by the first frame that it saw.
        var isResolved = false
        /// Why the capture cannot be taken; nil if it can.
        var problem: String?
        /// The requests to the sensor, once it is the capture's turn; nil for a capture that needs none.
        var sequence: ExposureSequence?
        /// The frames collected by the sequence.
        var collected: CollectedFrames?
        /// Whether the exposure was requested from the sensor, in a stream that is not live.
        var hasSentControl = false
        /// Whether the first exposure of the capture has begun.
        var isExposing = false
        /// When the press came.
        let pressed: WaitClock.Instant
        /// When the time limit of the capture began: at the press, or when its exposure was requested.
        var since: WaitClock.Instant
        /// Whether the capture means the stream's first frame, because there was none yet at the press.
        var meansFirstFrame = false
        /// Whether the frames that are there have to do, because no more time is left.
        var isFinal = false
        /// The running time in nanoseconds at which the camera was asked for the first exposure.
        var asked: Int64?
        /// The number of frames passed over because they lacked the required exposure, in a stream that is not live.
        var skippedFrames = 0
    }

    /// The actions that a change of the state requires, to be carried out after the lock is released.
    struct Work {
        /// The captures whose frames are complete.
        var bursts: [Burst] = []
        /// The format of their frames.
        var format: MosaicFormat?
        /// The captures whose first exposure begins.
        var exposing: [CaptureTicket] = []
        /// The captures that can no longer get their frames, with the reasons.
        var failures: [(ticket: CaptureTicket, reason: String)] = []
        /// The exposure to request from the sensor.
        var control: SensorControl?
        /// The captures of which more exposures are complete, with the number of those that are, from the first.
        var progress: [(ticket: CaptureTicket, completed: Int)] = []
    }

    var ring: BufferQueue
    /// The summaries of the frames in the ring, in the same order.
    var summaries: [FrameSummary] = []
    var timing = FrameTiming()
    var waiting: [Waiting] = []
    /// The frames collected so far for the first waiting capture of a stream that is not live.
    var gathered: BufferQueue
    var gatheredNumbers: [FrameSummary] = []
    /// The memory that the frames of captures hold.
    let memory: CaptureMemory
    let clock: WaitClock
    /// The serial number of the newest frame that was a reference, and the time of the press that it served.
    var lastReference: (number: UInt64, instant: Int64)?
    /// The number of automatic captures (property `captures`) that have been started.
    var ownCaptures = 0
    /// The summary of the newest frame of the stream; nil before the first one.
    private var previous: FrameSummary?
    /// The serial number of the newest frame, counted by the shutter, because not every camera numbers its frames.
    var serial: UInt64 = 0
    /// The running time in nanoseconds at which the newest frame of a live stream arrived; nil when unknown.
    var lastArrival: Int64?
    /// Whether a press takes the next frames of the stream, rather than those nearest to the press; nil before the
    /// first frame.
    var isInOrder: Bool?
    /// The camera's own exposure, to be restored after captures that change it.
    var camera = CameraExposure()
    /// The requests to the sensor that are to be sent, in order. One thread at a time sends them, without the lock.
    var controls: [SensorControl] = []
    var isSendingControls = false
    /// The format of the frames; nil before the caps are negotiated.
    private(set) var format: MosaicFormat?
    /// The number of frames that the ring holds when no capture needs more.
    var capacity: Int
    private var frameBytes = 0
    /// The reason why every press is refused; nil while the stream runs.
    private(set) var closedReason: String? = "the pipeline is not running"
    /// Maps the frames' timestamps to running time.
    var segment: Segment?
    /// The pipeline's base time at the newest frame; nil before the first one.
    var baseTime: UInt64?
    /// Whether the stream is being flushed.
    var isFlushing = false
    /// Whether the stream was flushed and no segment has followed, so that the times of its frames mean nothing.
    var lacksSegment = false
    /// Whether the element is stopping; a later segment must not open the stream again.
    var isStopped = false
    /// Whether the stream is closed until the camera returns.
    var isCameraLost = false
    /// When the source last reported that it still computes a frame; nil if it never did.
    var lastWork: WaitClock.Instant?
    /// Whether a gap event was sent since the last segment event or pause, so that the sinks can preroll.
    var hasSentGap = false

    /// The number of frames without the required exposure after which a capture fails, in a stream that is not live.
    static let mostSkippedFrames = 64

    init(capacity: Int = FusionMode.standard.burstLength, memory: CaptureMemory, clock: WaitClock) {
        self.capacity = capacity
        self.memory = memory
        self.clock = clock
        ring = BufferQueue(capacity: capacity)
        gathered = BufferQueue(capacity: capacity)
    }

    // MARK: - Stream

    /// Opens the stream, so that presses are accepted. Does nothing while the element is stopping.
    mutating func open() {
        if !isStopped { closedReason = nil }
    }

    /// Opens the stream again when the camera is back.
    mutating func reopen() {
        guard isCameraLost else { return }
        isCameraLost = false
        open()
    }

    /// Sets whether a press takes the next frames of the stream. If that differs from the value set before, this clears
    /// the ring and returns true.
    mutating func setOrder(_ isInOrder: Bool) -> Bool {
        guard self.isInOrder != isInOrder else { return false }
        let isChange = self.isInOrder != nil
        self.isInOrder = isInOrder
        if isInOrder { for index in waiting.indices { waiting[index].request.press = nil } }
        if isChange { clear() }
        return isChange
    }

    /// Closes the stream, so that further presses are refused with `reason`; returns the tickets of the captures that
    /// were waiting for frames.
    mutating func close(_ reason: String) -> [CaptureTicket] {
        closedReason = reason
        clear()
        let tickets = waiting.map(\.ticket)
        waiting = []
        return tickets
    }

    /// Drops the frames of the ring and those collected for a capture, because later frames have another format or come
    /// after a jump in time.
    mutating func clear() {
        ring.removeAll()
        summaries = []
        gathered.removeAll()
        gatheredNumbers = []
        lastReference = nil
        for index in waiting.indices { (waiting[index].sequence, waiting[index].collected) = (nil, nil) }
    }

    /// Clears the ring and starts to measure the timing of frames in a new format. `nominalPeriod` is the frame period
    /// in nanoseconds by the caps; nil if unknown.
    mutating func setFormat(_ format: MosaicFormat, nominalPeriod: Int64?) {
        clear()
        self.format = format
        frameBytes = BayerCaps.size(format)
        timing = FrameTiming(nominalPeriod: nominalPeriod)
    }

    /// Records whether a frame, the next one of the stream, has the exposure of the frame before it. The first frame
    /// has none before it, and frames without a known exposure show nothing.
    mutating func settle(_ summary: inout FrameSummary) {
        defer { previous = summary }
        guard summary.exposureTime > 0 || summary.iso > 0 else { return }
        summary.isSettled =
            previous.map {
                summary.matches(exposureTime: $0.exposureTime, iso: $0.iso)
            } ?? false
    }

    /// The summary of the newest frame in the ring; nil if the ring is empty.
    var newest: FrameSummary? { summaries.last }

    // MARK: - Captures

    /// Returns whether a press that needs this many frames would be accepted, if all captures together may hold at most
    /// `budget` bytes of frames.
    func admission(frames: Int, budget: Int) -> CaptureAdmission {
        let (bytes, queued) = (frames * frameBytes, memory.bytes)
        var admission = CaptureAdmission(
            frameBytes: frameBytes, queuedBytes: queued, ringFrames: isInOrder == true ? nil : summaries.count)
        if isInOrder != true { (admission.newestInstant, admission.period) = (newest?.instant, timing.period) }
        if let closedReason {
            admission.refuse(.closed, closedReason)
        } else if bytes > budget {
            admission.refuse(
                .tooLarge,
                "\(frames) frames need \(bytes >> 20) MiB, and captures may hold \(budget >> 20) MiB: take fewer, or "
                    + "raise max-queued")
        } else if queued + bytes > budget {
            admission.refuse(
                .full,
                "the captures under way hold \(queued >> 20) MiB of frames, and this one needs \(bytes >> 20) MiB: "
                    + "the limit is \(budget >> 20) MiB", excess: queued + bytes - budget)
        }
        return admission
    }

    /// Reserves memory for a capture of this many frames if the press is accepted; otherwise returns the refusal.
    /// Memory is reserved here alone, under the lock of the state, and meanwhile it can only become free.
    mutating func reserve(_ id: UInt64, frames: Int, budget: Int) -> CaptureAdmission? {
        let admission = admission(frames: frames, budget: budget)
        guard admission.verdict == .accepted else { return admission }
        memory.reserve(id, frames: frames, size: frameBytes)
        return nil
    }

    /// Adds a capture for which memory is reserved; returns false if the stream was closed or the capture ended
    /// meanwhile.
    mutating func add(_ request: CaptureRequest, _ ticket: CaptureTicket) -> Bool {
        guard closedReason == nil, !ticket.isAbandoned else { return false }
        var request = request
        // The frame nearest to an instant is asked for by several cameras, which all have to be of that instant.
        let meansFirstFrame = newest == nil && !request.takesNearest
        if meansFirstFrame { request.instant = nil }
        if isInOrder == true { request.press = nil }
        // The first frame decides what this request changes.
        request.changesExposure =
            !request.exposures.allSatisfy { $0.isUnchanged } || !request.bracket.isEmpty || request.flash == .on
        var capture = Waiting(request: request, ticket: ticket, pressed: clock.now, since: clock.now)
        capture.meansFirstFrame = meansFirstFrame
        waiting.append(capture)
        if isInOrder == false { resolveAll() }
        return true
    }

    /// Removes a capture that waits for frames and returns it; nil if its frames were selected already.
    mutating func remove(_ id: UInt64) -> Waiting? {
        guard let index = waiting.firstIndex(where: { $0.ticket.id == id }) else { return nil }
        if index == 0 {
            gathered.removeAll()
            gatheredNumbers = []
        }
        return waiting.remove(at: index)
    }

    /// Returns the time until which a capture may wait for its frames; nil if it does not wait. The
    /// limit is ten seconds, in which a slow camera may start; the delivery delay, up to twenty seconds, since that of
    /// a stream slower than its timestamps grows without end; the time of its frames; and four frame periods, or twenty
    /// for each exposure that the sensor has to change to. It does not begin before the first is requested, and begins
    /// again while the source reports that it computes a frame.
    func deadline(of id: UInt64) -> WaitClock.Instant? {
        guard let capture = waiting.first(where: { $0.ticket.id == id }) else { return nil }
        let (request, exposures) = (capture.request, capture.request.exposures)
        let period = timing.period.map { Double($0) / 1e9 } ?? 0.2
        // Limits the requested exposure times, which may be any numbers, to a minute.
        let frameTime = exposures.reduce(0) { $0 + max(period, min(60, $1.exposureTime ?? 0)) }
        let periods = request.changesExposure ? 20 * exposures.count : 4
        let delay = min(20, Double(timing.delay) / 1e9)
        let limit = Duration.clamped(
            seconds: 10 + delay + period * Double(periods) + frameTime * Double(request.frames))
        let waitsForTurn = capture.isResolved && request.changesExposure && capture.sequence == nil && newest != nil
        if waitsForTurn { return clock.now + limit }
        return max(capture.since, lastWork ?? capture.since) + limit
    }
}
