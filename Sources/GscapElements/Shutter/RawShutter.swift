internal import Dispatch
public import GStreamer
internal import PhotoMetadata
internal import RawImage
internal import Synchronization

/// The shutter: holds the newest frames in a ring and passes only those of a capture, each tagged with the ticket
/// (capture id). Without a capture request it only holds references to a few buffers; no pixels are copied.
///
/// In a live stream a press means an instant: the frames nearest to it are taken, from the ring where they are there
/// already, and a queue pushes them, so that the camera's thread never waits. In a stream that is not live, or with
/// automatic captures, a press means the next frames of the stream: each is used, in order, and pushed by the streaming
/// thread, which waits for the elements behind the shutter.
///
///     gst-launch-1.0 gscapsensorsrc ! rawunpack ! rawshutter captures=1 frames=1 ! dngenc ! \
///         filesink location=photo.dng
public final class RawShutter: TransformBehaviour {
    private struct Settings {
        var frames = FusionMode.standard.burstLength
        var ring = FusionMode.standard.burstLength
        var captures: Int = 0
        var zeroLag = true
        var budget = 1024
        var waits = false

        /// The number of frames that the ring holds when no capture needs more.
        var ringCapacity: Int { max(ring, frames) }

        static let properties = PropertyTable(
            defaults: Settings(),
            [
                .uint32(
                    "frames", \.frames, 1...64, blurb: "Frames per burst, unless the request specifies it",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "ring-frames", \.ring, 1...64,
                    blurb: "Frames held for zero shutter lag; grows with the size of the burst",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "captures", \.captures, 0...1_000_000,
                    blurb: "Captures to take automatically before the stream ends; 0 waits for the signal",
                    options: [.readWrite, .mutablePlaying]),
                .boolean(
                    "zero-shutter-lag", \.zeroLag, blurb: "Whether a capture may contain frames from before the press",
                    options: [.readWrite, .mutablePlaying]),
                .uint32(
                    "max-queued", \.budget, 1...1_000_000,
                    blurb: "Mebibytes of frames that the captures under way may hold; a press beyond is refused",
                    options: [.readWrite, .mutablePlaying]),
                .boolean(
                    "wait-for-capture", \.waits,
                    blurb: "Whether a stream that is not live stops while no capture waits for its frames",
                    options: [.readWrite, .mutableReady]),
            ])
    }

    /// Neither `settings` nor `state` is locked while a buffer, event or message is sent.
    private let settings = ElementSettings(Settings.properties)
    private let state = Mutex(ShutterState())
    private let queue = CaptureQueue()
    /// Signalled at a press, a flush and a stop, to wake the streaming thread that waits for a capture.
    private let wakeUp = DispatchSemaphore(value: 0)
    /// Ends, on a separate thread, the captures that a timer or the last branch of a burst has found to be over. The
    /// branch may do so under an element's lock, where nothing may be posted.
    private let posts = PostQueue()
    /// The tickets of all captures that have not ended, so that stopping can end them.
    private let tickets = Mutex<[UInt64: CaptureTicket]>([:])
    /// The format of the frames; nil before the caps are negotiated.
    private let format = Mutex<MosaicFormat?>(nil)
    /// Whether the source is live; nil before the first frame of a segment.
    private let isLive = Mutex<Bool?>(nil)
    private let element: ElementHandle

    private static let lastTicket = Atomic<UInt64>(1 << 32)

    /// Creates the behaviour of a `rawshutter` element.
    public init(element: ElementHandle) {
        self.element = element
    }

    /// The factory's description, pad templates, properties and signals, as shown by gst-inspect.
    public static let elementClass = ElementClass(
        factoryName: "rawshutter", typeName: "GscapRawShutter", longName: "RAW burst shutter",
        classification: "Filter/Video",
        summary: "Holds the newest Bayer frames and passes only those of a capture, tagged with its ticket",
        author: Element.gscapAuthor,
        padTemplates: [.sink(caps: BayerCaps.template), .source(caps: BayerCaps.template)],
        properties: Settings.properties.declarations,
        signals: [
            ElementSignal("capture", .action, parameters: [.structure], result: .uint64),
            ElementSignal("cancel", .action, parameters: [.uint64], result: .boolean),
            ElementSignal("admission", .action, parameters: [.structure], result: .structure),
        ])

    /// Sets a property to a new value.
    public func setProperty(_ name: String, to value: Value) throws(GStreamerError) {
        try settings.set(name, to: value)
        if name == "ring-frames" { state.withLock { $0.setCapacity(settings.current.ringCapacity) } }
    }

    /// Returns the current value of a property.
    public func property(_ name: String) throws(GStreamerError) -> Value { try settings.value(of: name) }

    /// Performs an action signal. `capture` requests a capture and returns its id, or 0 if the press is refused; the
    /// structure's fields are all optional: id, frames, time (running time of the press in nanoseconds), tolerance
    /// (seconds), exposure-time (seconds), iso, fusion-mode (speed, balanced, quality). `cancel` ends a capture, and
    /// returns whether there was one. `admission` returns whether `capture` with the same structure would be accepted
    /// now, as a `CaptureAdmission`; its field `expected` adds the frames of presses that are still to come.
    public func perform(action: String, arguments: [Value]) -> Value? {
        switch (action, arguments.first) {
        case ("cancel", .uint64(let id)?): return .boolean(cancel(id))
        case ("admission", .structure(let request)?): return .structure(admission(of: request).structure)
        case ("admission", _): return .structure(admission(of: nil).structure)
        case ("capture", .structure(let request)?): return .uint64(press(request))
        case ("capture", _): return .uint64(press(nil))
        default: return nil
        }
    }
}

// MARK: - Presses

extension RawShutter {
    private func press(_ structure: Structure?) -> UInt64 {
        let settings = settings.current
        let id = structure?["id"]?.unsigned ?? Self.newTicket()
        let impossible = ["exposure-time", "iso"].first { field in
            guard let value = structure?[field] else { return false }
            guard let number = value.number else { return true }
            return !number.isFinite || number <= 0
        }
        let request = CaptureRequest(
            id: id, frames: frames(of: structure, settings),
            instant: (structure?["time"]?.unsigned ?? element.runningTime).map(Int64.init(clamping:)),
            tolerance: (structure?["tolerance"]?.number).map { Int64(min(max(0, $0), 1e9) * 1e9) },
            usesPast: settings.zeroLag, exposureTime: structure?["exposure-time"]?.number,
            iso: structure?["iso"]?.number, fusionMode: structure?["fusion-mode"]?.text.flatMap(FusionMode.init))
        let problem = impossible.map { "\($0) is not a number above 0" }
        return accept(request, budget: settings.budget << 20, problem: problem) ? request.id : 0
    }

    /// The number of frames of a press.
    private func frames(of structure: Structure?, _ settings: Settings) -> Int {
        min(64, max(1, structure?["frames"]?.integer ?? settings.frames))
    }

    /// Returns whether a press would be accepted now, by the same computation as the press itself.
    private func admission(of structure: Structure?) -> CaptureAdmission {
        let settings = settings.current
        let expected = min(1 << 20, max(0, structure?["expected"]?.integer ?? 0))
        let frames = frames(of: structure, settings) + expected
        var admission = state.withLock { $0.admission(frames: frames, budget: settings.budget << 20) }
        admission.retryAfter = admission.excess > 0 ? queue.time(of: admission.excess) : nil
        return admission
    }

    private static func newTicket() -> UInt64 { lastTicket.add(1, ordering: .relaxed).newValue }

    private func ticket(_ id: UInt64) -> CaptureTicket {
        CaptureTicket(id, element, posts) { [weak self] in self?.forget($0) }
    }

    /// Accepts a press, or refuses it with the message `done`; returns whether it was accepted. `budget` is the largest
    /// number of bytes that the frames of all captures may have; `problem` is what is wrong with the request. A press
    /// whose id belongs to a capture under way is refused with a warning only, since messages with that id are the
    /// other capture's.
    private func accept(
        _ request: CaptureRequest, budget: Int, problem: String? = nil, isOwn: Bool = false
    ) -> Bool {
        let ticket = ticket(request.id)
        let isNew = tickets.withLock { tickets in
            if tickets[request.id] != nil { return false }
            tickets[request.id] = ticket
            return true
        }
        guard isNew else {
            element.post(
                warning: GStreamerError(message: "capture \(request.id) is under way already; use another id"))
            return false
        }
        if let problem {
            ticket.end(.failed, problem)
            return false
        }
        if let refusal = state.withLock({ $0.reserve(request.id, frames: request.frames, budget: budget) }) {
            ticket.end(
                .failed, refusal.reason, retryAfter: refusal.excess > 0 ? queue.time(of: refusal.excess) : nil)
            return false
        }
        ticket.begin(frames: request.frames)
        guard state.withLock({ $0.add(request, ticket) }) else {
            ticket.end(.cancelled, "the pipeline stopped")
            return true
        }
        wakeUp.signal()
        if !isOwn { limit(ticket) }
        carryOut(state.withLock { $0.select() })
        return true
    }

    private func forget(_ id: UInt64) {
        let isIdle = tickets.withLock { tickets in
            tickets[id] = nil
            return tickets.isEmpty
        }
        state.withLock { $0.release(id) }
        if isIdle { returnMemory() }
    }

    /// Returns free heap memory, which the C library would keep, to the system in two seconds, unless a capture is
    /// under way then.
    private func returnMemory() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(2)) { [weak self] in
            guard let self, tickets.withLock({ $0.isEmpty }) else { return }
            GStreamerRuntime.returnFreeMemory()
        }
    }

    /// Ends a capture that does not get its frames in time, unless the stream is known not to be live. When the time
    /// limit is reached, it is computed again, because the frame period may have become known, or the capture may still
    /// wait for its turn to change the exposure.
    private func limit(_ ticket: CaptureTicket) {
        guard let seconds = state.withLock({ $0.timeLeft(of: ticket.id) }) else { return }
        posts.asyncAfter(deadline: .now() + max(0.01, seconds)) { [weak self, weak ticket] in
            guard let self, let ticket, isLive.withLock({ $0 }) != false else { return }
            guard let left = state.withLock({ $0.timeLeft(of: ticket.id) }) else { return }
            if left > 0 { return limit(ticket) }
            guard let late = state.withLock({ $0.remove(ticket.id) }) else { return }
            ticket.end(.failed, late.reasonForDelay)
            carryOut(state.withLock { $0.select() })
        }
    }

    private func cancel(_ id: UInt64) -> Bool {
        guard let ticket = tickets.withLock({ $0[id] }) else { return false }
        _ = state.withLock { $0.remove(id) }
        ticket.abandon(.cancelled, "the capture was cancelled")
        carryOut(state.withLock { $0.select() })
        return true
    }

    /// Queues the complete bursts for pushing, ends the captures that can no longer get their frames, and requests a
    /// new exposure from the sensor if there is one.
    private func carryOut(_ work: ShutterState.Work) {
        for burst in work.bursts {
            queue.add(burst, bytes: burst.request.frames * (format.withLock { $0 }.map(BayerCaps.size) ?? 0)) {
                [self] burst in
                guard let output = element.element?.pad("src") else { throw FlowError.flushing }
                try pass(burst, to: output)
            }
        }
        for failure in work.failures { failure.ticket.end(.failed, failure.reason) }
        if let control = work.control { element.pushUpstream(.customUpstream(control.structure)) }
    }
}

extension CaptureRequest {
    /// Describes why a capture may not have got its frames in time.
    fileprivate var reasonForDelay: String {
        guard changesExposure else {
            return "the camera did not deliver \(frames == 1 ? "a frame" : "\(frames) frames of one exposure") in time"
        }
        let wanted = [
            exposureTime.map { "the exposure time \($0) s" }, iso.map { "ISO \($0)" },
        ].compactMap { $0 }.joined(separator: " and ")
        return "no \(frames == 1 ? "frame" : "\(frames) frames") with \(wanted) came in time: it may be out of the "
            + "sensor's range, or the source may not obey gscap-sensor-control events"
    }
}

// MARK: - Streaming

extension RawShutter {
    /// Starts the stream with an empty ring.
    public func start() {
        let settings = settings.current
        queue.open()
        isLive.withLock { $0 = nil }
        state.withLock { state in
            state = ShutterState(capacity: settings.ringCapacity)
            state.open()
        }
    }

    /// Refuses presses and stops pushing frames when the state changes from PAUSED to READY.
    public func willChangeState(_ transition: StateTransition) {
        guard transition.from == .paused, transition.to == .ready else { return }
        queue.close()
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.close("the pipeline is not running")
        }
        abandon(waiting, .cancelled, "the pipeline stopped")
        wakeUp.signal()
    }

    /// Releases the frames and ends all remaining captures. The elements behind the shutter have stopped already, so no
    /// more photos can follow.
    public func stop() {
        queue.drain()
        abandon(state.withLock { $0.close("the pipeline is not running") }, .cancelled, "the pipeline stopped")
        abandon(tickets.withLock { Array($0.values) }, .cancelled, "the pipeline stopped before the photos were done")
        posts.drain()
    }

    /// Stores the format of the frames and clears the ring, because all frames of a burst must have the same format.
    public func setCaps(input: Caps, output: Caps) throws {
        let shape = try BayerCaps.format(input)
        format.withLock { $0 = shape }
        var period: Int64?
        if case .fraction(let rate)? = input.first?["framerate"], rate.number > 0 { period = Int64(1e9 / rate.number) }
        state.withLock { $0.setFormat(nominalPeriod: period, frameBytes: BayerCaps.size(shape)) }
    }

    /// Adds the frame to the ring of a live stream, or to the first waiting capture of a stream that is not live.
    public func process(_ input: consuming Buffer, output: Pad) throws {
        let settings = settings.current
        let time = input.presentationTime ?? 0
        let arrival = element.runningTime.map(Int64.init(clamping:))
        let summary = state.withLock { FrameSummary(input, $0.segment, arrival) }
        let sendsGap = state.withLock { state in
            let isFirstIdle = !state.hasSentGap && settings.captures == 0 && tickets.withLock { $0.isEmpty }
            if isFirstIdle { state.hasSentGap = true }
            return isFirstIdle
        }
        // A gap event lets the sinks downstream preroll without a picture; otherwise a pipeline that is not live would
        // never reach PLAYING.
        if sendsGap { output.push(.gap(at: time)) }
        let isInOrder = settings.captures > 0 || !measuredIsLive
        let isChange = state.withLock { $0.setOrder(isInOrder) }
        if isChange { queue.drain() }
        if !isInOrder {
            var frame: Buffer? = input
            let work = state.withLock { state in
                guard let frame = frame.take() else { return ShutterState.Work() }
                return state.take(frame, summary, arrival: arrival)
            }
            carryOut(work)
        } else {
            try processInOrder(input, summary, settings, output)
        }
    }

    private func processInOrder(
        _ input: consuming Buffer, _ summary: FrameSummary, _ settings: Settings, _ output: Pad
    ) throws {
        if state.withLock({ $0.startsOwnCapture(of: settings.captures) }) {
            let request = CaptureRequest(id: Self.newTicket(), frames: settings.frames)
            _ = accept(request, budget: Int.max, isOwn: true)
        }
        if settings.waits, settings.captures == 0 {
            while !state.withLock({ $0.needsFrames }) { wakeUp.wait() }
        }
        var frame: Buffer? = input
        let work = state.withLock { state in
            guard let frame = frame.take() else { return ShutterState.Work() }
            return state.gather(frame, summary)
        }
        for failure in work.failures { failure.ticket.end(.failed, failure.reason) }
        if let control = work.control { element.pushUpstream(.customUpstream(control.structure)) }
        for burst in work.bursts {
            try pass(burst, to: output)
        }
        if settings.captures > 0 && state.withLock({ $0.hasDone(settings.captures) }) {
            end()
            output.push(.endOfStream())
            throw FlowError.endOfStream
        }
    }

    private var measuredIsLive: Bool {
        if let known = isLive.withLock({ $0 }) { return known }
        let isLive = element.element?.pad("sink")?.hasLiveSource ?? false
        self.isLive.withLock { $0 = isLive }
        return isLive
    }

    /// Handles events from upstream: ends the captures that wait for frames at the end of the stream, and clears the
    /// ring after a flush.
    public func handle(downstream event: Event, output: Pad) throws -> EventDecision {
        switch event.kind {
        case .endOfStream: end()
        case .flushStart:
            queue.close()
            state.withLock { $0.isFlushing = true }
            wakeUp.signal()
        case .flushStop:
            queue.open()
            state.withLock { state in
                state.clear()
                state.open()
                state.isFlushing = false
            }
        case .segment:
            isLive.withLock { $0 = nil }
            state.withLock { state in
                state.hasSentGap = false
                state.segment = event.segment
                state.open()
            }
        case .caps: queue.drain()
        default: break
        }
        return .forward
    }

    /// Completes the waiting captures for which the ring has enough frames, and ends the others: no more frames will
    /// arrive.
    private func end() {
        carryOut(state.withLock { $0.select(isFinal: true) })
        abandon(
            state.withLock { $0.close("the camera's stream has ended") }, .failed,
            "the stream ended before the burst was complete; give the source more frames")
        queue.drain()
    }

    private func abandon(_ tickets: [CaptureTicket], _ result: CaptureResult, _ reason: String) {
        for ticket in tickets { ticket.end(result, reason) }
    }

    /// Pushes the frames of a capture, each tagged with the ticket, and after them the event that ends the burst. A
    /// push that fails ends the capture.
    private func pass(_ burst: Burst, to output: Pad) throws {
        let ticket = burst.ticket
        defer { state.withLock { $0.release(ticket.id) } }
        guard let end = ticket.endOfBurst() else { return burst.drop() }
        do {
            try passFrames(of: burst, to: output)
        } catch {
            // The result must be set before the event is pushed, because the last branch that passes the event on ends
            // the capture.
            burst.abandon(after: error)
            output.push(end)
            throw error
        }
        output.push(end)
    }

    private func passFrames(of burst: Burst, to output: Pad) throws {
        let ticket = burst.ticket
        var hasPostedLoss = false
        for index in burst.summaries.indices {
            guard !ticket.isAbandoned, let frame = burst.next() else { return burst.drop() }
            var losses: [String] = []
            let tagged = try tagged(frame, index, of: burst, &losses)
            if !losses.isEmpty && !hasPostedLoss {
                element.postLoss("frame \(index): " + losses.joined(separator: "; "), capture: ticket.id)
                hasPostedLoss = true
            }
            ticket.post(.frame(id: ticket.id, index: index, count: burst.summaries.count))
            try output.push(tagged)
        }
        // Released before the message `taken`, so that a press that follows the message finds the memory free.
        state.withLock { $0.release(ticket.id) }
        ticket.take(frame: burst.summaries.first?.number ?? 0, lag: burst.lag(of: 0))
    }

    /// Returns a frame of a burst with the capture's tag and its digest in its metadata; appends messages about
    /// metadata that could not be kept to `losses`.
    private func tagged(
        _ frame: consuming Buffer, _ index: Int, of burst: Burst, _ losses: inout [String]
    ) throws -> Buffer {
        var tagged = try frame.copySharingMemory()
        var ignored = IgnoredFields()
        var metadata = tagged.frameMetadata(noting: &ignored) ?? FrameMetadata()
        metadata.capture = CaptureTag(
            id: burst.ticket.id, index: index, count: burst.summaries.count, fusionMode: burst.request.fusionMode,
            lag: burst.lag(of: index), mayBeReference: burst.mayBeReference(index))
        metadata.sensorDigests = []
        if let message = ignored.message { losses.append(message) }
        do {
            metadata.sensorDigests = [try digest(of: tagged).description]
        } catch {
            losses.append("the digest is lost, so files cannot be verified against the frame: \(error)")
        }
        try tagged.setFrameMetadata(metadata)
        element.postOverexposure(of: tagged, metadata, format.withLock { $0 })
        return tagged
    }

    /// Returns the digest of the frame's codes, by which a reader can verify that a file contains the sensor's data;
    /// throws if the buffer is too short.
    private func digest(of frame: borrowing Buffer) throws -> RawDigest {
        guard let format = format.withLock({ $0 }) else { throw FlowError.notNegotiated }
        return try frame.withValues(of: UInt16.self) { codes in try RawDigest(mosaic: codes, format: format) }
    }
}

extension FrameSummary {
    /// Summarizes a frame from its metadata and timestamp. A frame without a timestamp counts as taken when it arrived.
    fileprivate init(_ frame: borrowing Buffer, _ segment: Segment?, _ arrival: Int64?) {
        let timestamp = frame.presentationTime
        let time = timestamp.map { segment?.runningTime(of: $0) ?? Int64(clamping: $0) }
        let metadata = frame.frameMetadata
        self.init(
            number: metadata?.frameNumber ?? frame.offset ?? 0, start: time ?? arrival ?? 0,
            exposureTime: metadata?.exposureTime ?? 0, iso: metadata?.iso ?? 0)
    }
}
