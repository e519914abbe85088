internal import Synchronization

extension CaptureError.Code {
    /// `commitConfiguration` was called without a transaction to commit.
    public static let noTransaction = CaptureError.Code(rawValue: "noTransaction")
}

// MARK: - Transactions

extension CaptureSession {
    /// Begins a transaction: the changes of inputs, outputs and preset that follow take effect together, at
    /// `commitConfiguration`. Transactions may be nested; the outermost commit applies the changes.
    public func beginConfiguration() {
        contents.withLock { $0.depth += 1 }
    }

    /// Applies the changes since `beginConfiguration`.
    ///
    /// A running session creates the new pipeline first. If that fails, this throws the reason, the changes are
    /// discarded, and the running pipeline continues undisturbed. Otherwise the new pipeline replaces the old one:
    /// unfinished captures abort and the preview freezes briefly. If the new pipeline does not start, the earlier
    /// configuration starts again, and this throws the reason; but if the camera was disconnected meanwhile, the
    /// changes take effect when it is back. A session that is stopped records the changes for its next start.
    public func commitConfiguration() async throws(CaptureError) {
        typealias Operation = Task<Result<Void, CaptureError>, Never>
        let operation = contents.withLock { contents -> Result<Operation?, CaptureError> in
            guard contents.depth > 0 else {
                return .failure(
                    CaptureError(.noTransaction, "there is no transaction to commit; call beginConfiguration first"))
            }
            contents.depth -= 1
            guard contents.depth == 0, !contents.open.isEmpty else { return .success(nil) }
            let transaction = contents.queue(contents.open)
            contents.open = []
            return .success(contents.enqueue { [self] in await carryOut(transaction.number) })
        }
        if let operation = try operation.get() { try await operation.value.get() }
    }

    /// Checks and records a change: in the open transaction; or at once if no pipeline depends on it; or as a
    /// transaction of one change.
    func change(_ change: SessionConfiguration.Change) throws(CaptureError) {
        let refusal = contents.withLock { contents -> String? in
            if let refusal = contents.newest.refusal(of: change) { return refusal }
            record(change, in: &contents)
            return nil
        }
        if let refusal { throw CaptureError(.cannotAdd, refusal) }
        showZoom()
        connectPhotoOutput()
    }

    func record(_ change: SessionConfiguration.Change, in contents: inout SessionContents) {
        if contents.depth > 0 { return contents.open.append(change) }
        let isIdle = [.stopped, .failed].contains(contents.state) && contents.queued.isEmpty
        // The outputs do not change the pipeline of a custom plan, and the zoom factor that of no plan.
        let isApart = contents.configuration.plan != nil || change.setsZoom && contents.queued.isEmpty
        if isIdle || isApart { return contents.configuration.apply(change) }
        let transaction = contents.queue([change])
        _ = contents.enqueue { [self] in
            guard case .failure(let error) = await carryOut(transaction.number) else { return }
            self.contents.withLock { $0.report(.refused(error)) }
        }
    }

    /// Records the removal of an output at once, before its turn, so that the caller can add it to another session.
    /// Returns whether the output leaves now; in a transaction, it leaves at the commit.
    func recordRemoval(of output: AnyObject, _ removal: SessionConfiguration.Change) -> Bool {
        contents.withLock { contents in
            let newest = contents.newest
            let isMember = newest.photo === output || newest.movie === output
            guard isMember || newest.frames.contains(where: { $0 === output }) else { return false }
            record(removal, in: &contents)
            guard contents.depth == 0 else { return false }
            contents.configuration.apply(removal)
            for index in contents.queued.indices {
                contents.queued[index].changes.removeAll { $0.adds(output) }
            }
            return true
        }
    }

    /// Records the formats of the photo output, which have changed.
    func recordFormats(of output: PhotoOutput) {
        contents.withLock { contents in
            guard contents.newest.photo === output else { return }
            record(.setFormats(output, output.planned), in: &contents)
        }
    }
}

// MARK: - Carrying out

extension CaptureSession {
    /// Applies a transaction to the pipeline, if there is one, and to the configuration.
    private func carryOut(_ number: Int) async -> Result<Void, CaptureError> {
        let (target, running, isRecovering) = contents.withLock { contents in
            let changes = contents.queued.first { $0.number == number }?.changes ?? []
            return (contents.configuration.applying(changes), contents.usable, contents.isRecovering)
        }
        do throws(CaptureError) {
            if let running {
                try await replace(running, by: target)
            } else if isRecovering {
                _ = try target.compiled()
            }
            settle(number, isRefused: false)
            return .success(())
        } catch {
            settle(number, isRefused: true)
            return .failure(error)
        }
    }

    /// Replaces the running pipeline by that of another configuration, unless both are the same.
    private func replace(
        _ old: RunningPipeline, by target: SessionConfiguration
    ) async throws(CaptureError) {
        let plan = try target.compiled()
        let hasSameFrames = old.frameOutputs.elementsEqual(target.frames) { $0 === $1 }
        let hasSameCameras = (old.constituents?.plans ?? []) == (try target.constituentPlans())
        if old.plan.launchText == plan.launchText && hasSameFrames && hasSameCameras && old.movie === target.movie {
            return
        }
        let next = try pipeline(plan, target)
        let (isInUse, photo) = contents.withLock { contents -> (Bool, PhotoOutput?) in
            guard contents.usable === old else { return (false, nil) }
            contents.earlierFrames += old.framesSeen
            contents.running = nil
            // The start of another pipeline ends an interruption.
            contents.isRecovering = contents.state == .interrupted
            contents.state = .starting
            return (true, contents.configuration.photo)
        }
        // The session failed or lost its camera in the meantime; its next start uses the new configuration.
        guard isInUse else { return }
        photo?.connect(nil)
        await old.stop(because: "the session's configuration changed before the photo was done")
        do throws(CaptureError) {
            try await bringUp(next)
        } catch {
            // The camera that stays is lost, not the change at fault: the change waits for the camera.
            let isLost = contents.withLock { $0.keepsLostCamera(target, error) && $0.recordLoss(error) }
            if isLost { return recover() }
            await goBack()
            throw error
        }
    }

    /// Starts the pipeline of the configuration in effect, after another one did not start.
    private func goBack() async {
        let configuration = contents.withLock(\.configuration)
        do throws(CaptureError) {
            try await bringUp(try pipeline(of: configuration))
        } catch {
            let recovers = contents.withLock { $0.recordLoss(error) }
            if recovers { recover() }
        }
    }

    /// Takes a transaction from the queue: its changes become the configuration, or are discarded. Outputs that do not
    /// belong to the configuration leave the session.
    private func settle(_ number: Int, isRefused: Bool) {
        let (photos, frames, movies, abandoned, kept) = contents.withLock { contents in
            let before = contents.configuration
            let changes = contents.queued.first { $0.number == number }?.changes ?? []
            contents.queued.removeAll { $0.number == number }
            if !isRefused { contents.configuration = before.applying(changes) }
            let after = contents.configuration
            let photos = ([before.photo] + changes.map(\.addedPhoto)).compactMap { $0 }
            let frames = before.frames + changes.compactMap(\.addedFrames)
            let movies = ([before.movie] + changes.map(\.addedMovie)).compactMap { $0 }
            let newest = contents.newest
            let kept = isRefused && changes.contains(where: \.setsFormats) ? newest.photo : nil
            // An output that a refused transaction should have added has no captures.
            let hasLeft = before.photo != nil && before.photo !== after.photo
            return (
                photos.filter { $0 !== after.photo },
                frames.filter { output in !after.frames.contains { $0 === output } },
                movies.filter { $0 !== after.movie }, hasLeft ? contents.running : nil,
                kept.map { ($0, newest.photos) }
            )
        }
        for photo in photos { photo.leave() }
        abandoned?.failAll(Self.removed)
        for output in frames { output.leave(ObjectIdentifier(self)) }
        for output in movies { output.leave(ObjectIdentifier(self)) }
        if let (photo, planned) = kept { photo.restore(planned) }
        showZoom()
        connectPhotoOutput()
    }

    /// Shows the view of the zoom factor.
    private func showZoom() {
        contents.withLock(\.usable)?.setZoom { contents.withLock(\.configuration).zoomFactor ?? 1 }
    }

    static var removed: CaptureError {
        CaptureError(.aborted, "the output was removed before the photo was done")
    }
}

extension SessionContents {
    /// Whether a pipeline of this configuration did not start because the camera in use is lost.
    fileprivate func keepsLostCamera(_ target: SessionConfiguration, _ error: CaptureError) -> Bool {
        guard let device = target.input?.device, error.code == .noDevice, recovers else { return false }
        return device.isLive && device.uniqueID == configuration.input?.device.uniqueID
    }

    /// Records that no pipeline runs after a change; returns true if the session waits for its camera.
    fileprivate mutating func recordLoss(_ error: CaptureError) -> Bool {
        guard error.code == .noDevice, recovers, configuration.input?.device.isLive ?? true else {
            isRecovering = false
            state = .failed
            report(.failed(error))
            return false
        }
        isRecovering = true
        losses += 1
        state = .interrupted
        report(.interrupted(error))
        return true
    }
}
