internal import FrameStream
internal import GStreamer

// Captures of a stream that is not live: each takes the next frames of the stream.

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
        var summary = summary
        summary.serial = serial
        camera.note(summary)
        var first = waiting[0]
        resolve(&first, by: summary, frame)
        waiting[0] = first
        if let problem = first.problem {
            waiting.removeFirst()
            work.failures = [(first.ticket, problem)]
            return work
        }
        guard first.isResolved else { return work }
        let request = first.request
        if !request.bracket.isEmpty || request.flash == .on { return gatherSequence(frame, summary) }
        let wanted = gatheredNumbers.first
        let fits = summary.matches(
            exposureTime: request.exposureTime ?? wanted?.exposureTime, iso: request.iso ?? wanted?.iso)
        let isPlain = request.exposureTime == nil && request.iso == nil
        guard fits, !(isPlain && camera.isReplaced(in: summary)) else { return skip(summary) }
        camera.noteCaptured(summary)
        work.expose(&waiting[0])
        if gathered.capacity < request.frames {
            var longer = BufferQueue(capacity: request.frames)
            while let buffer = gathered.removeFirst() { longer.append(buffer) }
            gathered = longer
        }
        gathered.append(frame)
        gatheredNumbers.append(summary)
        guard gathered.count >= request.frames else { return work }
        // A burst from files has the reference that they state.
        let reference = gatheredNumbers.firstIndex(where: \.isStoredReference) ?? 0
        let order = [reference] + gatheredNumbers.indices.filter { $0 != reference }
        var frames = BufferQueue(capacity: request.frames)
        for index in order { if let frame = gathered[index] { frames.append(frame) } }
        gathered.removeAll()
        let part = Burst.Part(exposure: 0, summaries: order.map { gatheredNumbers[$0] })
        work.bursts = [Burst(request, waiting.removeFirst().ticket, [part], frames, period: nil)]
        gatheredNumbers = []
        restoreExposure(&work)
        return work
    }

    /// Gives a frame to the sequence of the first waiting capture, which begins with it. The first frame may belong to
    /// the first exposure, as in a recorded bracket.
    private mutating func gatherSequence(_ frame: borrowing Buffer, _ summary: FrameSummary) -> Work {
        var work = Work()
        if waiting[0].sequence == nil {
            var capture = waiting[0]
            begin(&capture, at: summary, &work)
            waiting[0] = capture
            guard capture.sequence?.steps.first?.matches(summary) == true else { return work }
        }
        collect(frame, summary, &work)
        if end(waiting[0], &work) { waiting.removeFirst() }
        restoreExposure(&work)
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
            restoreExposure(&work)
        } else if !waiting[0].hasSentControl {
            waiting[0].hasSentControl = true
            let request = waiting[0].request
            guard let control = SensorControl(exposureTime: request.exposureTime, iso: request.iso) else { return work }
            camera.change(summary, usesFlash: false)
            work.control = control
        }
        return work
    }
}
