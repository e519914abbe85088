internal import FrameStream
internal import GStreamer
internal import Waiting

// The selection of frames in a live stream.

extension ShutterState {
    /// Adds a frame of a live stream to the ring; returns the captures that are now complete or can no longer be.
    mutating func take(_ frame: consuming Buffer, _ summary: FrameSummary, arrival: Int64?) -> Work {
        timing.add(instant: summary.instant, arrival: arrival)
        if let arrival { datePresses(now: arrival) }
        lastArrival = arrival
        giveFirst(summary)
        resize(to: max(capacity, waiting.map(\.request.frames).max() ?? 0))
        serial += 1
        var summary = summary
        summary.serial = serial
        camera.note(summary)
        var work = Work()
        collect(frame, summary, &work)
        ring.append(frame)
        summaries.append(summary)
        if summaries.count > ring.count { summaries.removeFirst(summaries.count - ring.count) }
        select(isFinal: false, &work)
        queueControl(of: work)
        return work
    }

    /// Converts the times of all presses to the running time by the pipeline's base time of now.
    mutating func rebase(to baseTime: UInt64) {
        for index in waiting.indices { waiting[index].request.rebase(to: baseTime) }
        if let old = self.baseTime, old != baseTime { timing.forgetDelays() }
        self.baseTime = baseTime
    }

    /// Computes the running time of the presses from before the pipeline had one; `now` is the running time.
    private mutating func datePresses(now: Int64) {
        for index in waiting.indices where waiting[index].request.press == nil {
            waiting[index].request.press = now - (clock.now - waiting[index].pressed).clampedNanoseconds
        }
    }

    /// Gives the captures that were requested before the stream's first frame that frame's instant: it is their moment,
    /// however many frames follow.
    private mutating func giveFirst(_ frame: FrameSummary) {
        for index in waiting.indices where waiting[index].meansFirstFrame {
            let request = waiting[index].request
            guard request.usesPast || frame.start >= request.press ?? Int64.min else { continue }
            waiting[index].meansFirstFrame = false
            waiting[index].request.instant = request.usesPast ? frame.instant : frame.start
        }
    }

    /// Selects the frames of a capture whose time is over from those that are there. Returns nothing for it if they do
    /// not suffice.
    mutating func selectFinally(_ id: UInt64) -> Work {
        for index in waiting.indices where waiting[index].ticket.id == id { waiting[index].isFinal = true }
        return select()
    }

    /// Selects the frames of all waiting captures; returns the captures that are complete or can no longer be.
    /// `isFinal` means that no more frames will arrive.
    mutating func select(isFinal: Bool = false) -> Work {
        var work = Work()
        select(isFinal: isFinal, &work)
        queueControl(of: work)
        return work
    }

    private mutating func select(isFinal: Bool, _ work: inout Work) {
        work.format = format
        if isInOrder == false {
            resolveAll()
            var kept: [Waiting] = []
            for var capture in waiting {
                let isServed = serve(&capture, after: kept, isFinal, &work)
                if !isServed { kept.append(capture) }
            }
            waiting = kept
        }
        restoreExposure(&work)
    }

    /// Adds a capture that is complete, or can no longer be, to the work; returns whether it is. `kept` are the
    /// captures that were waiting before it and still are.
    private mutating func serve(
        _ capture: inout Waiting, after kept: [Waiting], _ isFinal: Bool, _ work: inout Work
    ) -> Bool {
        if let problem = capture.problem {
            work.failures.append((capture.ticket, problem))
            return true
        }
        guard capture.isResolved else { return false }
        if let reason = reasonOfMissingItsMoment(capture) {
            work.failures.append((capture.ticket, reason))
            return true
        }
        let isItsTurn = !kept.contains { $0.isResolved && $0.request.changesExposure }
        if capture.request.changesExposure {
            if isItsTurn { begin(&capture, &work) }
            return end(capture, &work)
        }
        resize(to: max(ring.capacity, capture.request.frames))
        let request = requestOfOwnExposure(capture.request)
        let selection = request.selection(from: summaries, circumstances(of: request, isFinal || capture.isFinal))
        if case .frames = selection {
        } else if camera.replaced != nil {
            capture.request = request
            capture.request.changesExposure = true
            capture.request.followsAnother = true
            if isItsTurn { begin(&capture, &work) }
            return false
        }
        switch selection {
        case .waiting:
            if request.hasBegun(in: summaries) { work.expose(&capture) }
            return false
        case .frames(let indices):
            work.expose(&capture)
            work.bursts.append(burst(capture, indices))
        case .missed(let reason):
            let diagnosis = "; no segment event followed the flush of the stream, so the frames have no valid time"
            work.failures.append((capture.ticket, lacksSegment ? reason + diagnosis : reason))
        }
        return true
    }

    /// Returns the reason if a capture that waits for the camera's own exposure, after another capture has changed it,
    /// can no longer have a frame within the tolerance that its request states; otherwise nil.
    private func reasonOfMissingItsMoment(_ capture: Waiting) -> String? {
        let request = capture.request
        guard request.followsAnother, let instant = request.instant, let tolerance = request.tolerance, let newest,
            newest.instant - instant > tolerance,
            capture.collected?.first.map({ request.lag(of: $0) > tolerance }) ?? true
        else { return nil }
        let lag = CaptureRequest.milliseconds(newest.instant - instant)
        return "no frame with the camera's own exposure came within \(CaptureRequest.milliseconds(tolerance)) of the "
            + "press (\(lag) have passed), because a capture before this one changed it: press later, or allow more"
    }

    /// Returns the request with the camera's own exposure required where it requires none, while the ring may hold
    /// frames with the exposure of another capture. If the ring has not enough frames of the camera's own, the capture
    /// takes its turn after the one that changed the exposure: it must not get frames exposed for the other.
    private func requestOfOwnExposure(_ request: CaptureRequest) -> CaptureRequest {
        guard let own = camera.replaced, request.exposureTime == nil, request.iso == nil else { return request }
        var request = request
        (request.exposureTime, request.iso) = (own.exposureTime, own.iso)
        return request
    }

    private func circumstances(of request: CaptureRequest, _ isFinal: Bool) -> CaptureRequest.Circumstances {
        var circumstances = CaptureRequest.Circumstances(timing: timing, isFinal: isFinal)
        if let lastReference, let instant = request.instant, let period = timing.period,
            instant - lastReference.instant > period
        {
            circumstances.lastReference = lastReference.number
        }
        circumstances.excludesFlash = camera.hasUsedFlash && camera.replaced != nil
        return circumstances
    }

    private mutating func burst(_ capture: Waiting, _ indices: [Int]) -> Burst {
        var frames = BufferQueue(capacity: indices.count)
        for index in indices {
            if let frame = ring[index] { frames.append(frame) }
        }
        let chosen = indices.map { summaries[$0] }
        let considered = ConsideredFrames(
            frames: summaries, timing: timing, lastReference: circumstances(of: capture.request, false).lastReference)
        if let reference = chosen.first, let instant = capture.request.instant,
            instant >= lastReference?.instant ?? Int64.min
        {
            lastReference = (max(reference.serial, lastReference?.number ?? 0), instant)
        }
        return Burst(
            capture.request, capture.ticket, [Burst.Part(exposure: 0, summaries: chosen)], frames,
            period: timing.period, considered: considered)
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
