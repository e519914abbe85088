internal import FrameStream
internal import GStreamer
internal import Waiting

// Captures that change the camera's exposure or fire its flash.
//
//     press ─► resolved ──its turn──► sequence of requests (ExposureSequence) ──all frames──► burst
//                 │                                     │                                       │
//                 └──the camera's exposure unknown──────┴──not obeyed, cancelled, time limit────┴─► next turn, or
//                                                                                       the former exposure restored

extension ShutterState {
    /// Determines, by the newest frame, what a capture requires of the camera: whether the flash fires in mode `auto`,
    /// and the exposures that are relative to the camera's own.
    mutating func resolve(_ capture: inout Waiting, by newest: FrameSummary, _ frame: borrowing Buffer) {
        guard !capture.isResolved else { return }
        // A frame with the exposure or flash of another capture says nothing about the light of the scene.
        if capture.request.flash == .auto, camera.isReplaced(in: newest) { return }
        capture.isResolved = true
        var request = capture.request
        if request.flash == .auto {
            let isDark = request.bracket.isEmpty && format.map { FrameBrightness.isDark(frame, $0) } ?? false
            request.flash = isDark ? .on : .off
        }
        let own = camera.own(newest)
        let exposures = request.exposures.compactMap { $0.resolved(from: own) }
        guard exposures.count == request.exposures.count else {
            capture.problem =
                "exposure-bias is relative to the camera's exposure, and its frames have no exposure time and ISO"
            return
        }
        if request.bracket.isEmpty, let only = exposures.first {
            (request.exposureTime, request.iso, request.exposureBias) = (only.exposureTime, only.iso, nil)
        } else {
            request.bracket = exposures.map { $0.completed(from: own) }
        }
        let matches = newest.matches(exposureTime: request.exposureTime, iso: request.iso)
        request.changesExposure = !request.bracket.isEmpty || request.flash == .on || !matches
        capture.request = request
    }

    /// Resolves the waiting captures by the newest frame of the ring, if there is one.
    mutating func resolveAll() {
        guard let newest, waiting.contains(where: { !$0.isResolved }), let frame = ring[ring.count - 1] else { return }
        for index in waiting.indices {
            var capture = waiting[index]
            resolve(&capture, by: newest, frame)
            waiting[index] = capture
        }
    }

    /// Begins the sequence of a capture whose turn it is. Captures that change the exposure take turns, because each
    /// would undo the other's change. Nothing is requested before the first frame, because the source may not handle
    /// events yet.
    mutating func begin(_ capture: inout Waiting, _ work: inout Work) {
        guard capture.sequence == nil, let newest else { return }
        begin(&capture, at: newest, &work)
    }

    /// Begins a capture's sequence and requests its first exposure; `newest` is the newest frame.
    mutating func begin(_ capture: inout Waiting, at newest: FrameSummary, _ work: inout Work) {
        let request = capture.request
        work.expose(&capture)
        camera.change(newest, usesFlash: request.flash == .on)
        capture.since = clock.now
        capture.asked = [request.press, lastArrival].compactMap(\.self).max()
        capture.collected = CollectedFrames(capacity: request.totalFrames)
        let flash = flash(for: request)
        var sequence = ExposureSequence(
            steps: request.exposures.map {
                ExposureSequence.Step(exposureTime: $0.exposureTime, iso: $0.iso, flashFired: flash)
            }, frames: request.frames, newest: newest)
        if let step = sequence.begin() { self.request(step, of: capture, &work) }
        capture.sequence = sequence
    }

    /// Returns whether the flash has to fire for a capture, or must not, because frames of an earlier capture's flash
    /// may still be on their way; nil if it does not matter.
    private func flash(for request: CaptureRequest) -> Bool? {
        request.flash == .on ? true : camera.hasUsedFlash ? false : nil
    }

    /// Requests an exposure of a capture from the sensor.
    func request(_ step: Int, of capture: Waiting, _ work: inout Work) {
        let request = capture.request
        guard request.exposures.indices.contains(step) else { return }
        let exposure = request.exposures[step]
        let control = SensorControl(
            exposureTime: exposure.exposureTime, iso: exposure.iso, flash: flash(for: request))
        work.control = control ?? work.control
    }

    /// Gives a new frame to the capture whose sequence is under way.
    mutating func collect(_ frame: borrowing Buffer, _ summary: FrameSummary, _ work: inout Work) {
        guard let index = waiting.firstIndex(where: { $0.sequence != nil }),
            var sequence = waiting[index].sequence
        else { return }
        let (owner, next) = sequence.take(summary)
        waiting[index].sequence = sequence
        if waiting[index].request.exposureBegan == nil, let asked = waiting[index].asked, summary.start >= asked {
            waiting[index].request.exposureBegan = summary.start
        }
        if let owner {
            camera.noteCaptured(summary)
            waiting[index].collected?.append(frame.newReference(), summary, exposure: owner)
            work.progress.append((waiting[index].ticket, sequence.completed))
        }
        if let next { request(next, of: waiting[index], &work) }
    }

    /// Adds a capture whose sequence has ended to the work; returns whether it has.
    func end(_ capture: Waiting, _ work: inout Work) -> Bool {
        guard let sequence = capture.sequence, let collected = capture.collected else { return false }
        if sequence.isComplete {
            work.bursts.append(collected.burst(capture.request, capture.ticket))
            return true
        }
        guard sequence.failed != nil else { return false }
        work.failures.append((capture.ticket, capture.reasonForDelay))
        return true
    }

    /// Requests the camera's former exposure once no capture needs another.
    mutating func restoreExposure(_ work: inout Work) {
        let needsAnother = waiting.contains { capture in
            let waitsForTurn = isInOrder == false && capture.isResolved && capture.request.changesExposure
            return capture.sequence != nil || capture.hasSentControl || waitsForTurn
        }
        guard !needsAnother else { return }
        if let control = camera.restore(newest: serial) { work.control = control }
    }
}

extension ShutterState {
    /// Returns the control event that restores the camera's former exposure when the stream stops; nil if it is not
    /// changed.
    mutating func cameraControl() -> SensorControl? { camera.restore(newest: serial) }

    /// Queues the request to the sensor. Two threads that sent their requests by themselves could exchange their order,
    /// and the camera would keep the exposure of a capture that has ended.
    mutating func queueControl(of work: Work) {
        if let control = work.control { controls.append(control) }
    }

    /// Returns whether the caller has to send the queued requests: there are some, and no other thread sends them.
    mutating func beginSendingControls() -> Bool {
        guard !isSendingControls, !controls.isEmpty else { return false }
        isSendingControls = true
        return true
    }

    /// Returns the next request to send; nil after the last.
    mutating func nextControl() -> SensorControl? {
        if controls.isEmpty {
            isSendingControls = false
            return nil
        }
        return controls.removeFirst()
    }
}

extension ShutterState.Work {
    /// Adds that the first exposure of a capture begins, once: its frames are in the ring, its first frame arrives, or
    /// the sensor is asked for its exposure.
    mutating func expose(_ capture: inout ShutterState.Waiting) {
        if !capture.isExposing { exposing.append(capture.ticket) }
        capture.isExposing = true
    }
}

extension ShutterState.Waiting {
    /// Describes why the capture may not have got its frames in time.
    var reasonForDelay: String {
        let frames = request.frames
        guard request.changesExposure else {
            return "the camera did not deliver \(frames == 1 ? "a frame" : "\(frames) frames of one exposure") in time"
        }
        let missing = sequence?.failed ?? sequence?.completed ?? 0
        let exposure = request.exposures.indices.contains(missing) ? request.exposures[missing] : CaptureExposure()
        let what = [exposure.description, request.flash == .on ? "the flash" : ""].filter { !$0.isEmpty }
            .joined(separator: " and ")
        let place = request.bracket.isEmpty ? "" : "exposure \(missing) of the bracket: "
        if let shown = sequence?.limit?.shown {
            let exposure = CaptureExposure(exposureTime: shown.exposureTime, iso: shown.iso)
            return "\(place)no frame with \(what) came: it is out of the sensor's range, which answered with "
                + "\(exposure.description)"
        }
        let cause =
            request.flash == .on ? "the source may have no flash" : "it may be out of the sensor's range"
        return "\(place)no \(frames == 1 ? "frame" : "\(frames) frames") with \(what) came in time: \(cause), "
            + "or the source may not obey gscap-sensor-control events"
    }
}
