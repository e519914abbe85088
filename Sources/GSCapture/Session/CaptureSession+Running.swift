internal import Synchronization

extension CaptureSession {
    /// Builds and starts the pipeline; returns when it is running. After a failure this starts again. Does nothing
    /// while the session is running or interrupted.
    public func startRunning() async throws(CaptureError) {
        let result: Result<Void, CaptureError> = await inTurn { [self] in
            do throws(CaptureError) {
                try await start()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Stops the pipeline, or the attempts to start it again. Unfinished captures are aborted: their photos fail and
    /// `finished` is delivered.
    public func stopRunning() async {
        await inTurn { [self] in await stop() }
    }

    private func start() async throws(CaptureError) {
        if [.running, .interrupted].contains(state) { return }
        await stop()
        let configuration = contents.withLock { contents in
            contents.state = .starting
            return contents.configuration
        }
        do throws(CaptureError) {
            let pipeline = try pipeline(of: configuration)
            if pipeline.plan.hidesPreview { contents.withLock { $0.report(.previewHidden) } }
            try await bringUp(pipeline)
        } catch {
            contents.withLock { $0.state = .failed }
            throw error
        }
        connectPhotoOutput()
    }

    private func stop() async {
        let (running, lost, recovery, photo) = contents.withLock { contents in
            let running = contents.running
            // The first error of a pipeline is reported; others that it posts until it stops are consequences.
            if contents.state == .failed { contents.running = nil }
            if contents.state != .stopped { contents.state = .stopping }
            contents.isRecovering = false
            return (running, contents.lost, contents.recovery, contents.configuration.photo)
        }
        recovery?.cancel()
        photo?.connect(nil)
        photo?.resetLivePhotos()
        await running?.stop()
        await lost?.stop()
        contents.withLock { contents in
            (contents.running, contents.lost, contents.recovery) = (nil, nil, nil)
            contents.earlierFrames = 0
            contents.state = .stopped
        }
    }

    /// Connects the photo output to the pipeline, if both are in use, or if the pipeline has failed or ended while it
    /// started, so that presses throw the reason. A stop, a failure or a removal at the same moment may have
    /// disconnected them before this connects them, so this looks again afterwards.
    func connectPhotoOutput() {
        let (photo, running) = contents.withLock { ($0.configuration.photo, $0.connectable) }
        guard let photo, let running else { return }
        photo.connect(running)
        let areInUse = contents.withLock { $0.configuration.photo === photo && $0.connectable === running }
        if !areInUse { photo.disconnect(running) }
    }
}

// MARK: - Pipelines

extension CaptureSession {
    /// Creates the pipeline of a configuration, without starting it.
    func pipeline(of configuration: SessionConfiguration) throws(CaptureError) -> RunningPipeline {
        try pipeline(try configuration.compiled(), configuration)
    }

    /// Creates the pipeline of a plan, without starting it. The outputs of the configuration receive the frames of the
    /// plan's sinks.
    func pipeline(
        _ plan: PipelinePlan, _ configuration: SessionConfiguration
    ) throws(CaptureError) -> RunningPipeline {
        let (number, waits) = contents.withLock { contents in
            contents.pipelines += 1
            return (contents.pipelines, contents.waits)
        }
        let pipeline = try RunningPipeline(
            plan, number: number, frameOutputs: configuration.frames, movie: configuration.movie,
            constituents: try configuration.constituentPlans(), frameLimit: waits.frames
        ) { [weak self] event in
            self?.receive(event, from: number)
        }
        pipeline.setZoom { configuration.zoomFactor ?? 1 }
        return pipeline
    }

    /// Starts a pipeline as the session's own. If it does not start, the session has no pipeline.
    func bringUp(_ pipeline: RunningPipeline) async throws(CaptureError) {
        pipeline.measureScene(with: scene)
        contents.withLock { contents in
            contents.running = pipeline
            contents.isStarting = true
            contents.startEnd = nil
        }
        do throws(CaptureError) {
            try await pipeline.start()
        } catch {
            contents.withLock { contents in
                contents.isStarting = false
                if contents.running === pipeline { contents.running = nil }
            }
            throw error
        }
        let end = contents.withLock { contents in
            contents.isStarting = false
            contents.state = .running
            if contents.isRecovering {
                contents.isRecovering = false
                contents.report(.resumed)
            }
            return contents.startEnd
        }
        // A failure right after the start counts as one of the running session.
        if let end { receive(end, from: pipeline.number) }
    }

    /// Takes an event of a pipeline: changes the state and reports it, in one step. Events of other pipelines than the
    /// one in use are ignored. Called on streaming threads.
    private func receive(_ event: SessionEvent, from number: Int) {
        let (isLost, photo) = contents.withLock { contents -> (Bool, PhotoOutput?) in
            guard contents.running?.number == number else { return (false, nil) }
            return (contents.receive(event), contents.configuration.photo)
        }
        guard isLost, case .failed(let error) = event else { return }
        photo?.connect(nil, because: error)
        recover()
    }
}

extension SessionContents {
    /// Takes an event of the pipeline in use; returns true if its camera is lost and the session recovers.
    mutating func receive(_ event: SessionEvent) -> Bool {
        switch event {
        case .failed, .ended:
            if isStarting {
                startEnd = startEnd ?? event
                return false
            }
            if case .failed(let error) = event, loses(error) { return true }
            // Further errors of the elements are consequences of the first.
            if state == .failed { return false }
            if state != .stopping { state = .failed }
        // A camera that also stops to deliver frames changes nothing in a session that has failed.
        case .interrupted:
            guard state == .running else { return false }
            state = .interrupted
        case .resumed:
            guard state == .interrupted else { return false }
            state = .running
        case .progress, .warning, .previewHidden, .refused: break
        }
        report(event)
        return false
    }

    /// Puts the pipeline aside if the failure is the loss of its camera and the session recovers from it.
    private mutating func loses(_ error: CaptureError) -> Bool {
        guard error.code == .noDevice, recovers, let running, running.isLive, usable != nil else { return false }
        earlierFrames += running.framesSeen
        (lost, self.running) = (running, nil)
        isRecovering = true
        losses += 1
        state = .interrupted
        report(.interrupted(error))
        return true
    }
}
