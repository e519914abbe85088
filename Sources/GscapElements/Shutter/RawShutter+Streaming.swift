internal import Dispatch
internal import FrameStream
public import GStreamer
internal import RawImage
internal import Synchronization
internal import Waiting

// The stream of frames from the camera.

extension RawShutter {
    /// Starts the stream with an empty ring.
    public func start() {
        let settings = settings.current
        beginPhotos()
        queue.open()
        isLive.withLock { $0 = nil }
        triggers.withLock { $0.restart() }
        state.withLock { state in
            state = ShutterState(capacity: settings.ringCapacity, memory: memory, clock: clock)
            state.open()
        }
    }

    /// Refuses presses and stops pushing frames when the state changes from PAUSED to READY. Before PAUSED,
    /// requests another gap event, because the sinks downstream preroll again.
    public func willChangeState(_ transition: StateTransition) {
        if transition.to == .paused { state.withLock { $0.hasSentGap = false } }
        guard transition.from == .paused, transition.to == .ready else { return }
        queue.close()
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.close("the pipeline is not running")
        }
        // The camera keeps its controls while the pipeline is stopped.
        state.withLock { state in
            if let control = state.cameraControl() { state.controls.append(control) }
        }
        sendControls()
        abandon(waiting, .cancelled, "the pipeline stopped")
        wakeUp.signal()
        pendingEnds.wake()
    }

    /// Releases the frames and ends all remaining captures. The elements behind the shutter have stopped already, so no
    /// more photos can follow.
    public func stop() {
        queue.drain()
        abandon(state.withLock { $0.close("the pipeline is not running") }, .cancelled, "the pipeline stopped")
        posts.drain()
        abandon(tickets.withLock { Array($0.values) }, .cancelled, "the pipeline stopped before the photos were done")
        posts.drain()
        pendingEnds.flush()
        // The elements behind the shutter have stopped before it, so no photo is computed any more.
        endPhotos()
    }

    /// Stores the format of the frames and clears the ring, because all frames of a burst must have the same format.
    public func setCaps(input: Caps, output: Caps) throws {
        let shape = try BayerCaps.format(input)
        var period: Int64?
        if case .fraction(let rate)? = input.first?["framerate"], rate.number > 0 { period = Int64(1e9 / rate.number) }
        state.withLock { $0.setFormat(shape, nominalPeriod: period) }
        format.withLock { $0 = shape }
        // Bursts of the former format are pushed or ended before the caps of the new one.
        queue.drain()
    }

    /// Offers buffers of the size of a frame, as many as the ring holds.
    public func inputAllocation(for caps: Caps) -> InputAllocation? {
        (try? BayerCaps.format(caps)).map {
            InputAllocation(size: BayerCaps.size($0), held: settings.current.ringCapacity)
        }
    }

    /// Adds the frame to the ring of a live stream, or to the first waiting capture of a stream that is not live.
    public func process(_ input: consuming Buffer, output: Pad) throws {
        guard let format = format.withLock({ $0 }) else { throw FlowError.notNegotiated }
        let input = try input.placingRows(of: format)
        let settings = settings.current
        let time = input.presentationTime ?? 0
        let arrival = element.runningTime.map(Int64.init(clamping:))
        if let baseTime = element.baseTime { state.withLock { $0.rebase(to: baseTime) } }
        learnNoise(of: input, format)
        let summary = state.withLock { state in
            state.reopen()
            var summary = FrameSummary(input, state.segment, arrival)
            state.settle(&summary)
            return summary
        }
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
            beginIfDue(at: summary, isInOrder: false)
        } else {
            beginIfDue(at: summary, isInOrder: true)
            try processInOrder(input, summary, settings, output)
        }
    }

    /// Learns the noise of a camera that does not state it.
    private func learnNoise(of frame: borrowing Buffer, _ format: MosaicFormat) {
        guard !frame.hasNoiseProfile, let metadata = frame.frameMetadata else { return }
        frame.withValues(of: UInt16.self) { codes in noise.learn(codes, format, metadata) }
    }

    private func processInOrder(
        _ input: consuming Buffer, _ summary: FrameSummary, _ settings: Settings, _ output: Pad
    ) throws {
        if state.withLock({ $0.startsOwnCapture(of: settings.captures) }) {
            var request = CaptureRequest(id: Self.newTicket(), frames: settings.frames)
            request.priority = settings.priority
            _ = accept(request, budget: Int.max, isOwn: true)
        }
        if settings.waits, settings.captures == 0, !settings.hasTrigger {
            while !state.withLock({ $0.needsFrames }) { wakeUp.wait() }
        }
        var frame: Buffer? = input
        let work = state.withLock { state in
            guard let frame = frame.take() else { return ShutterState.Work() }
            let work = state.gather(frame, summary)
            state.queueControl(of: work)
            return work
        }
        for ticket in work.exposing { ticket.expose() }
        for progress in work.progress { progress.ticket.expose(upTo: progress.completed) }
        for failure in work.failures { failure.ticket.end(.failed, failure.reason) }
        sendControls()
        for burst in work.bursts {
            element.log(.debug, burst.debugText)
            try pass(burst, to: output)
        }
        if settings.captures > 0 && state.withLock({ $0.hasDone(settings.captures) }) {
            end()
            // The end belongs to the segment, as that of a source.
            output.push(.endOfStream(sequenceNumber: output.segmentNumber))
            throw FlowError.endOfStream
        }
    }

    /// Whether the source is live, or does not say so yet. On a busy machine the time limit of a press may be reached
    /// before the first frame, so that the source has to be asked.
    var mayBeLive: Bool {
        isLive.withLock { $0 } ?? element.element?.pad("sink")?.hasLiveSource ?? true
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
            for ticket in tickets.withLock({ Array($0.values) }) {
                ticket.interrupt("the stream was flushed before the photos were done")
            }
            wakeUp.signal()
            pendingEnds.wake()
        case .flushStop:
            queue.open()
            state.withLock { state in
                state.clear()
                state.open()
                (state.isFlushing, state.lacksSegment) = (false, true)
            }
        case .segment:
            isLive.withLock { $0 = nil }
            state.withLock { state in
                state.hasSentGap = false
                (state.segment, state.lacksSegment) = (event.segment, false)
                state.open()
            }
        case .caps: queue.drain()
        case .customDownstream:
            if CameraWork.isReported(by: event) { state.withLock { $0.lastWork = clock.now } }
            if let reason = CameraLoss.reason(in: event) { interrupt(reason) }
        default: break
        }
        return .forward
    }

    /// Ends the captures that wait for frames, and refuses presses until the camera is back, whose next frame opens the
    /// shutter again.
    private func interrupt(_ reason: String) {
        carryOut(state.withLock { $0.select(isFinal: true) })
        let waiting = state.withLock { state in
            state.isCameraLost = true
            return state.close(reason)
        }
        abandon(waiting, .failed, reason)
    }

    /// Completes the waiting captures for which the ring has enough frames, and ends the others: no more frames will
    /// arrive. Waits until all captures have ended, because the end of the stream is their last message's successor;
    /// not if an encoder of GStreamer follows, which holds back the event that ends a burst until the end of the
    /// stream.
    private func end() {
        carryOut(state.withLock { $0.select(isFinal: true) })
        abandon(
            state.withLock { $0.close("the camera's stream has ended") }, .failed,
            "the stream ended before the burst was complete; give the source more frames")
        queue.drain()
        if element.element?.pad("src")?.leads(toType: "GstVideoEncoder") == true { return }
        pendingEnds.wait { state.withLock { !$0.isStopped && !$0.isFlushing } }
    }

    private func abandon(_ tickets: [CaptureTicket], _ result: CaptureResult, _ reason: String) {
        for ticket in tickets { ticket.end(result, reason) }
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
        flashFired = metadata?.flashFired
        isStoredReference = metadata?.isStoredReference ?? false
    }
}
