internal import Dispatch
internal import GStreamer
internal import RawImage

/// The state that the shutter's streaming thread shares with its signals and timers: the newest frames, and the
/// captures that wait for frames.
struct ShutterState: ~Copyable {
    /// A capture that waits for its frames.
    struct Waiting {
        var request: CaptureRequest
        var ticket: CaptureTicket
        /// Whether the shutter has requested the capture's exposure from the sensor.
        var hasSentControl = false
        /// When the time limit of the capture began: at the press, or when its exposure was requested.
        var since = DispatchTime.now()
        /// The number of frames passed over because they lacked the required exposure, in a stream that is not live.
        var skippedFrames = 0
    }

    /// The actions that a change of the state requires, to be carried out after the lock is released.
    struct Work {
        /// The captures whose frames are complete.
        var bursts: [Burst] = []
        /// The captures that can no longer get their frames, with the reasons.
        var failures: [(ticket: CaptureTicket, reason: String)] = []
        /// The exposure to request from the sensor.
        var control: SensorControl?
    }

    private var ring: BufferQueue
    /// The summaries of the frames in the ring, in the same order.
    private var summaries: [FrameSummary] = []
    private var timing = FrameTiming()
    private var waiting: [Waiting] = []
    /// The frames collected so far for the first waiting capture of a stream that is not live.
    private var gathered: BufferQueue
    private var gatheredNumbers: [FrameSummary] = []
    /// The size in bytes of the frames of each capture that is accepted and not yet pushed, by ticket.
    private var reserved: [UInt64: Int] = [:]
    /// The serial number of the newest frame that was a reference, and the time of the press that it served.
    private var lastReference: (number: UInt64, instant: Int64)?
    /// The number of automatic captures (property `captures`) that have been started.
    private var ownCaptures = 0
    /// The serial number of the newest frame, counted by the shutter, because not every camera numbers its frames.
    private var serial: UInt64 = 0
    /// Whether a press takes the next frames of the stream, rather than those nearest to the press; nil before the
    /// first frame.
    private var isInOrder: Bool?
    /// The camera's exposure before captures changed it, to be restored after them; nil while it is unchanged.
    private var formerExposure: SensorControl?
    /// The number of frames that the ring holds when no capture needs more.
    private var capacity: Int
    private var frameBytes = 0
    /// The reason why every press is refused; nil while the stream runs.
    private var closedReason: String? = "the pipeline is not running"
    /// Maps the frames' timestamps to running time.
    var segment: Segment?
    /// Whether the stream is being flushed.
    var isFlushing = false
    /// Whether the element is stopping; a later segment must not open the stream again.
    var isStopped = false
    /// Whether a gap event was sent since the last segment event, so that the sinks can preroll.
    var hasSentGap = false

    /// The number of frames without the required exposure after which a capture fails, in a stream that is not live.
    private static let mostSkippedFrames = 64

    init(capacity: Int = FusionMode.standard.burstLength) {
        self.capacity = capacity
        ring = BufferQueue(capacity: capacity)
        gathered = BufferQueue(capacity: capacity)
    }

    // MARK: - Stream

    /// Opens the stream, so that presses are accepted. Does nothing while the element is stopping.
    mutating func open() {
        if !isStopped { closedReason = nil }
    }

    /// Sets whether a press takes the next frames of the stream. If that differs from the value set before, this clears
    /// the ring and returns true.
    mutating func setOrder(_ isInOrder: Bool) -> Bool {
        guard self.isInOrder != isInOrder else { return false }
        let isChange = self.isInOrder != nil
        self.isInOrder = isInOrder
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
    }

    /// Clears the ring and starts to measure the timing of frames in a new format. `nominalPeriod` is the frame period
    /// in nanoseconds by the caps; nil if unknown.
    mutating func setFormat(nominalPeriod: Int64?, frameBytes: Int) {
        clear()
        self.frameBytes = frameBytes
        timing = FrameTiming(nominalPeriod: nominalPeriod)
    }

    /// The summary of the newest frame in the ring; nil if the ring is empty.
    var newest: FrameSummary? { summaries.last }

    // MARK: - Captures

    /// Returns whether a press that needs this many frames would be accepted, if all captures together may hold at most
    /// `budget` bytes of frames.
    func admission(frames: Int, budget: Int) -> CaptureAdmission {
        let (bytes, queued) = (frames * frameBytes, reserved.values.reduce(0, +))
        var admission = CaptureAdmission(
            frameBytes: frameBytes, queuedBytes: queued, ringFrames: isInOrder == true ? nil : summaries.count)
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
    mutating func reserve(_ id: UInt64, frames: Int, budget: Int) -> CaptureAdmission? {
        let admission = admission(frames: frames, budget: budget)
        guard admission.verdict == .accepted else { return admission }
        reserved[id] = frames * frameBytes
        return nil
    }

    /// Releases the memory reserved for a capture.
    mutating func release(_ id: UInt64) { reserved[id] = nil }

    /// Adds a capture for which memory is reserved; returns false if the stream was closed or the capture ended
    /// meanwhile.
    mutating func add(_ request: CaptureRequest, _ ticket: CaptureTicket) -> Bool {
        guard closedReason == nil, !ticket.isAbandoned else { return false }
        var request = request
        request.newest = newest?.serial
        let matches = newest?.matches(exposureTime: request.exposureTime, iso: request.iso) ?? false
        request.changesExposure = (request.exposureTime != nil || request.iso != nil) && !matches
        if newest == nil { request.instant = nil }
        waiting.append(Waiting(request: request, ticket: ticket))
        return true
    }

    /// Removes a capture that waits for frames; returns its request, or nil if its frames were selected already.
    mutating func remove(_ id: UInt64) -> CaptureRequest? {
        guard let index = waiting.firstIndex(where: { $0.ticket.id == id }) else { return nil }
        if index == 0 {
            gathered.removeAll()
            gatheredNumbers = []
        }
        return waiting.remove(at: index).request
    }

    /// Returns the time in seconds for which a capture may still wait for its frames; nil if it does not wait. The
    /// limit is ten seconds, in which a slow camera may start, the time of its frames, and four frame periods, or
    /// twenty if the sensor has to change its exposure. It does not begin before that exposure is requested.
    func timeLeft(of id: UInt64) -> Double? {
        guard let capture = waiting.first(where: { $0.ticket.id == id }) else { return nil }
        let request = capture.request
        let period = timing.period.map { Double($0) / 1e9 } ?? 0.2
        // Limits the requested exposure time, which may be any number, to a minute.
        let frameTime = max(period, min(60, request.exposureTime ?? 0))
        let limit = 10 + period * Double(request.changesExposure ? 20 : 4) + frameTime * Double(request.frames)
        let waitsForTurn = request.changesExposure && !capture.hasSentControl && newest != nil
        if waitsForTurn { return limit }
        return limit - Double(DispatchTime.now().uptimeNanoseconds - capture.since.uptimeNanoseconds) / 1e9
    }
}

// MARK: - Live streams

extension ShutterState {
    /// Adds a frame of a live stream to the ring; returns the captures that are now complete or can no longer be.
    mutating func take(_ frame: consuming Buffer, _ summary: FrameSummary, arrival: Int64?) -> Work {
        timing.add(instant: summary.instant, arrival: arrival)
        resize(to: max(capacity, waiting.map(\.request.frames).max() ?? 0))
        ring.append(frame)
        serial += 1
        var summary = summary
        summary.serial = serial
        summaries.append(summary)
        if summaries.count > ring.count { summaries.removeFirst(summaries.count - ring.count) }
        return select()
    }

    /// Selects the frames of all waiting captures; returns the captures that are complete or can no longer be.
    /// `isFinal` means that no more frames will arrive.
    mutating func select(isFinal: Bool = false) -> Work {
        var work = Work()
        guard isInOrder == false else { return work }
        var kept: [Waiting] = []
        for var capture in waiting {
            resize(to: max(ring.capacity, capture.request.frames))
            switch capture.request.selection(from: summaries, circumstances(of: capture.request, isFinal)) {
            case .waiting:
                activate(&capture, isFirst: !kept.contains { $0.request.changesExposure }, &work)
                kept.append(capture)
            case .frames(let indices): work.bursts.append(burst(capture, indices))
            case .missed(let reason): work.failures.append((capture.ticket, reason))
            }
        }
        waiting = kept
        if let formerExposure, !kept.contains(where: { $0.request.changesExposure }) {
            work.control = formerExposure
            self.formerExposure = nil
        }
        return work
    }

    private func circumstances(of request: CaptureRequest, _ isFinal: Bool) -> CaptureRequest.Circumstances {
        var circumstances = CaptureRequest.Circumstances(timing: timing, isFinal: isFinal)
        if let lastReference, let instant = request.instant, let period = timing.period,
            instant - lastReference.instant > period
        {
            circumstances.lastReference = lastReference.number
        }
        return circumstances
    }

    /// Requests a capture's exposure from the sensor. Captures that change the exposure take turns, because each would
    /// undo the other's change. Nothing is requested before the first frame, because the source may not handle events
    /// yet.
    private mutating func activate(_ capture: inout Waiting, isFirst: Bool, _ work: inout Work) {
        guard capture.request.changesExposure, isFirst, !capture.hasSentControl, let newest else { return }
        capture.hasSentControl = true
        capture.since = .now()
        capture.request.newest = newest.serial
        let former = SensorControl(
            exposureTime: newest.exposureTime > 0 ? newest.exposureTime : nil, iso: newest.iso > 0 ? newest.iso : nil)
        formerExposure = formerExposure ?? former
        work.control = SensorControl(exposureTime: capture.request.exposureTime, iso: capture.request.iso)
    }

    private mutating func burst(_ capture: Waiting, _ indices: [Int]) -> Burst {
        var frames = BufferQueue(capacity: indices.count)
        for index in indices {
            if let frame = ring[index] { frames.append(frame) }
        }
        let chosen = indices.map { summaries[$0] }
        if let reference = chosen.first, let instant = capture.request.instant,
            instant >= lastReference?.instant ?? Int64.min
        {
            lastReference = (max(reference.serial, lastReference?.number ?? 0), instant)
        }
        return Burst(capture.request, capture.ticket, chosen, frames, period: timing.period)
    }

    /// Sets the number of frames that the ring holds when no capture needs more; the newest frames are kept.
    mutating func setCapacity(_ frames: Int) {
        capacity = frames
        resize(to: max(capacity, waiting.map(\.request.frames).max() ?? 0))
    }

    /// Changes the capacity of the ring to `frames` frames, keeping the newest: captures of many frames need a larger
    /// ring.
    private mutating func resize(to frames: Int) {
        guard ring.capacity != frames else { return }
        var other = BufferQueue(capacity: frames)
        while let buffer = ring.removeFirst() { other.append(buffer) }
        ring = other
        summaries.removeFirst(max(0, summaries.count - ring.count))
    }
}

// MARK: - Streams that are not live

extension ShutterState {
    /// Counts the next automatic capture as started, if fewer than `captures` were started and no capture waits for
    /// frames; returns whether it did.
    mutating func startsOwnCapture(of captures: Int) -> Bool {
        guard ownCaptures < captures, waiting.isEmpty else { return false }
        ownCaptures += 1
        return true
    }

    /// Returns whether all `captures` automatic captures were started and no capture waits for frames.
    func hasDone(_ captures: Int) -> Bool { ownCaptures >= captures && waiting.isEmpty }

    /// Whether the streaming thread may continue: a capture waits for frames, or the stream is closed or being flushed.
    var needsFrames: Bool { !waiting.isEmpty || closedReason != nil || isFlushing }

    /// Adds a frame of a stream that is not live to the first waiting capture, which takes the next frames of the
    /// stream. Returns the capture's burst once it is complete.
    mutating func gather(_ frame: consuming Buffer, _ summary: FrameSummary) -> Work {
        serial += 1
        var work = Work()
        guard !waiting.isEmpty else { return work }
        let request = waiting[0].request
        let wanted = gatheredNumbers.first
        let fits = summary.matches(
            exposureTime: request.exposureTime ?? wanted?.exposureTime, iso: request.iso ?? wanted?.iso)
        guard fits else { return skip(summary) }
        if gathered.capacity < request.frames {
            var longer = BufferQueue(capacity: request.frames)
            while let buffer = gathered.removeFirst() { longer.append(buffer) }
            gathered = longer
        }
        gathered.append(frame)
        gatheredNumbers.append(summary)
        guard gathered.count >= request.frames else { return work }
        var frames = BufferQueue(capacity: request.frames)
        while let frame = gathered.removeFirst() { frames.append(frame) }
        work.bursts = [Burst(request, waiting.removeFirst().ticket, gatheredNumbers, frames, period: nil)]
        gatheredNumbers = []
        return work
    }

    /// Passes over a frame that lacks the required exposure. The first time, requests that exposure from the sensor;
    /// after `mostSkippedFrames` frames, the capture fails.
    private mutating func skip(_ summary: FrameSummary) -> Work {
        var work = Work()
        waiting[0].skippedFrames += 1
        if waiting[0].skippedFrames > Self.mostSkippedFrames {
            let failed = waiting.removeFirst()
            gathered.removeAll()
            gatheredNumbers = []
            work.failures = [
                (failed.ticket, "none of \(Self.mostSkippedFrames) frames has the required exposure time and ISO")
            ]
        } else if !waiting[0].hasSentControl {
            waiting[0].hasSentControl = true
            work.control = SensorControl(
                exposureTime: waiting[0].request.exposureTime, iso: waiting[0].request.iso)
        }
        return work
    }
}
