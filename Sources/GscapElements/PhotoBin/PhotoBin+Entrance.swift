internal import GStreamer
internal import Synchronization

// The way of the host's stream into the bin. Nothing that happens in the bin stops that stream.

extension PhotoBin {
    /// Adds the bin's pad, which is active in every state.
    func addEntrance() {
        guard let bin = element.bin, let input = bin.element(named: Self.entranceName)?.pad("sink") else { return }
        do throws(GStreamerError) {
            try bin.addEntrance("sink", to: input) { [weak self] change in self?.handle(change) }.setActive(true)
        } catch {
            element.post(error: error)
        }
    }

    private func handle(_ change: StreamEntrance.Change) {
        switch change {
        case .taken: obstacle.withLock { $0 = nil }
        case .refused(let caps):
            let reason =
                "photos need Bayer frames (video/x-bayer), and the stream delivers \(caps): frames are dropped until "
                + "it delivers Bayer frames"
            stop(reason, GStreamerError(message: reason, place: element.name))
        case .failed(let flow):
            // The element that failed has usually posted why.
            guard obstacle.withLock({ $0 == nil }) else { return }
            let reason = "the photo branch refuses the frames: \(flow)"
            stop(reason, GStreamerError(message: reason, place: element.name))
        }
    }

    /// Turns an error of an element before the branches into a warning, if the host's pipeline runs already: the stream
    /// goes on without photos. `source` is the element's name. Returns false if the pipeline is starting, which then
    /// fails.
    func contains(_ error: GStreamerError, from source: String) -> Bool {
        let hosts = sequence(first: element.element?.parentBin) { $0?.parentBin }.prefix { $0 != nil }
        let isInRunningHost = hosts.contains { ($0?.state() ?? .null) >= .paused }
        guard isRunning.isRaised || isInRunningHost else { return false }
        if isRunning.isRaised, source == Self.entranceName {
            stop("the photo branch refuses the frames: \(error.message)", error)
        } else {
            element.post(warning: error)
        }
        return true
    }

    /// Refuses presses and fails the captures under way until a frame passes.
    private func stop(_ reason: String, _ error: GStreamerError) {
        let isNew = obstacle.withLock { obstacle in
            defer { obstacle = reason }
            return obstacle != reason
        }
        guard isNew else { return }
        element.post(warning: error)
        for id in ledger.failAll(reason) { _ = try? shutter?.emit("cancel", id) }
    }
}
