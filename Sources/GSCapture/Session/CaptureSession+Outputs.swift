internal import Synchronization

// While the session runs, a change outside a transaction is a transaction of one change: it is carried out after the
// operations before it, and the event `refused` reports a failure.

// MARK: - The camera

extension CaptureSession {
    /// Returns whether the camera can be added: the session has none yet, and this one delivers Bayer frames and has
    /// formats for the session's preset.
    public func canAdd(_ input: CaptureDeviceInput) -> Bool { allows(.addInput(input)) }

    /// Sets the camera. Throws with the reason if `canAdd` is false.
    public func add(_ input: CaptureDeviceInput) throws(CaptureError) { try change(.addInput(input)) }

    /// Removes the camera; does nothing for another camera than the session's. To replace the camera of a running
    /// session, remove it and add another in one transaction: a session does not run without a camera.
    public func remove(_ input: CaptureDeviceInput) {
        contents.withLock { contents in
            guard contents.newest.input?.device.uniqueID == input.device.uniqueID else { return }
            record(.removeInput(input.device.uniqueID), in: &contents)
        }
    }

    /// Returns whether the preset can be set: its camera has a format for it.
    public func canSetSessionPreset(_ preset: Preset) -> Bool { allows(.setPreset(preset)) }

    /// The choice of the camera's format.
    public var sessionPreset: Preset { contents.withLock(\.newest).preset }

    /// Sets the choice of the camera's format. Throws with the reason if `canSetSessionPreset` is false.
    public func setSessionPreset(_ preset: Preset) throws(CaptureError) { try change(.setPreset(preset)) }

    /// The zoom factor: 1 for the whole view of the widest camera. A camera that is removed takes its zoom factor
    /// along.
    public var videoZoomFactor: Double { contents.withLock(\.newest).input?.device.videoZoomFactor ?? 1 }

    /// Sets the zoom factor for the captures that follow; those under way keep theirs, and the pipeline goes on. Throws
    /// with the reason unless the factor is from 1 to the camera's `maxAvailableVideoZoomFactor`.
    ///
    /// Of a virtual device, the longest lens that shows all of the zoomed view is active: the last one whose
    /// switch-over factor is at most the zoom factor. Its photos are cropped by the rest.
    public func setVideoZoomFactor(_ factor: Double) throws(CaptureError) { try change(.setZoom(factor)) }

    private func allows(_ change: SessionConfiguration.Change) -> Bool {
        contents.withLock(\.newest).refusal(of: change) == nil
    }
}

// MARK: - The photo output

extension CaptureSession {
    /// Returns whether the output can be added: the session has no output yet, and this output belongs to no session.
    public func canAdd(_ output: PhotoOutput) -> Bool {
        allows(.addPhoto(output, PlannedPhotos())) && (!output.isInSession || isLeaving(output))
    }

    /// Sets the output for photos. Throws if the output belongs to a session already, or the session has an output.
    public func add(_ output: PhotoOutput) throws(CaptureError) {
        guard allows(.addPhoto(output, PlannedPhotos())) else { return try change(.addPhoto(output, PlannedPhotos())) }
        let isLeaving = isLeaving(output)
        let joins = output.join { [weak self, weak output] in
            if let output { self?.recordFormats(of: output) }
        }
        guard joins || isLeaving else {
            let isAttached = output.attachment.phase != .detached
            let reason = isAttached ? "the output is attached to a pipeline; detach it first" : Self.isTaken
            throw CaptureError(.cannotAdd, reason)
        }
        output.setSource { [weak self] in self?.source }
        do throws(CaptureError) {
            try change(.addPhoto(output, output.planned))
        } catch {
            if joins { output.leave() }
            throw error
        }
    }

    /// The source of the frames; nil while there is no camera.
    private var source: PhotoSource? {
        let configuration = contents.withLock(\.newest)
        if let plan = configuration.plan { return .plan(plan) }
        guard var device = configuration.input?.device else { return nil }
        device.activeFormat = device.format(for: configuration.preset)
        return .device(device)
    }

    /// Removes the output for photos; its unfinished captures fail. Does nothing for the output of another session.
    public func remove(_ output: PhotoOutput) {
        guard recordRemoval(of: output, .removePhoto(output)) else { return }
        output.leave()
        contents.withLock(\.running)?.failAll(Self.removed)
    }

    /// Whether the open transaction removes this output, which still belongs to the session.
    private func isLeaving(_ output: AnyObject) -> Bool {
        contents.withLock { $0.open.contains { $0.removes(output) } }
    }

    private static let isTaken = "the output belongs to a session already; remove it there first"
}

// MARK: - Previews and frames

extension CaptureSession {
    /// Returns whether the preview can be added: its size is valid, and the session runs no custom plan.
    public func canAdd(_ preview: PreviewOutput) -> Bool { allows(.addPreview(preview)) }

    /// Adds a live preview; a session may have several. Throws with the reason if `canAdd` is false.
    public func add(_ preview: PreviewOutput) throws(CaptureError) { try change(.addPreview(preview)) }

    /// Removes the newest preview with this sink and size; does nothing if there is none.
    public func remove(_ preview: PreviewOutput) {
        contents.withLock { contents in
            if contents.newest.previews.contains(preview) { record(.removePreview(preview), in: &contents) }
        }
    }

    /// Returns whether the output of frames can be added: it belongs to no session, its size is valid, and the session
    /// runs no custom plan.
    public func canAdd(_ output: FrameOutput) -> Bool {
        allows(.addFrames(output)) && (!output.isInSession || isLeaving(output))
    }

    /// Adds an output of frames for analysis; a session may have several. Throws with the reason if `canAdd` is false.
    public func add(_ output: FrameOutput) throws(CaptureError) {
        let isLeaving = isLeaving(output)
        let joins = output.join(ObjectIdentifier(self))
        guard joins || isLeaving else { throw CaptureError(.cannotAdd, Self.isTaken) }
        do throws(CaptureError) {
            try change(.addFrames(output))
        } catch {
            if joins { output.leave(ObjectIdentifier(self)) }
            throw error
        }
    }

    /// Removes an output of frames, whose stream ends. Does nothing for the output of another session.
    public func remove(_ output: FrameOutput) {
        if recordRemoval(of: output, .removeFrames(output)) { output.leave(ObjectIdentifier(self)) }
    }
}

// MARK: - Movies

extension CaptureSession {
    /// Returns whether the output of movies can be added: it belongs to no session, its size is valid, and the session
    /// has no such output yet and runs no custom plan.
    public func canAdd(_ output: MovieOutput) -> Bool {
        allows(.addMovie(output)) && (!output.isInSession || isLeaving(output))
    }

    /// Sets the output for movies. Throws with the reason if `canAdd` is false.
    public func add(_ output: MovieOutput) throws(CaptureError) {
        let isLeaving = isLeaving(output)
        let joins = output.join(ObjectIdentifier(self))
        guard joins || isLeaving else { throw CaptureError(.cannotAdd, Self.isTaken) }
        do throws(CaptureError) {
            try change(.addMovie(output))
        } catch {
            if joins { output.leave(ObjectIdentifier(self)) }
            throw error
        }
    }

    /// Removes the output for movies; its recording ends. Does nothing for the output of another session.
    public func remove(_ output: MovieOutput) {
        if recordRemoval(of: output, .removeMovie(output)) { output.leave(ObjectIdentifier(self)) }
    }
}
