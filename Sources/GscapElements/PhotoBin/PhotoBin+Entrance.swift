internal import GStreamer
internal import Synchronization
internal import Waiting

// The way of the host's stream into the bin. Nothing that happens in the bin stops that stream.

extension PhotoBin {
    /// Adds the bin's pad, which is active in every state.
    func addEntrance() {
        guard let bin = element.bin, let input = bin.element(named: Self.entranceName)?.pad("sink") else { return }
        do throws(GscapError) {
            try bin.addEntrance("sink", to: input) { [weak self] change in self?.handle(change) }.setActive(true)
        } catch {
            element.post(error: error)
        }
    }

    private func handle(_ change: StreamEntrance.Change) {
        switch change {
        case .taken:
            obstacle.withLock { $0 = nil }
            entranceError.withLock { $0 = nil }
        case .refused(let caps):
            let reason =
                "photos need Bayer frames (video/x-bayer), and the stream delivers \(caps): frames are dropped until "
                + "it delivers Bayer frames"
            element.post(warning: GscapError(message: reason, place: element.name))
            stop(reason)
        case .failed(let flow):
            let posted = entranceError.withLock { $0 }
            let reason = "the photo branch refuses the frames: \(posted ?? flow.description)"
            if posted == nil { element.post(warning: GscapError(message: reason, place: element.name)) }
            stop(reason)
        }
    }

    /// Turns an error of an element before the branches into a warning, if the host's pipeline runs already: the stream
    /// goes on without photos. `source` is the element's name. Returns false if the pipeline is starting, which then
    /// fails.
    func contains(_ error: GscapError, from source: String) -> Bool {
        let hosts = sequence(first: element.element?.parentBin) { $0?.parentBin }.prefix { $0 != nil }
        let isInRunningHost = hosts.contains { ($0?.state() ?? .null) >= .paused }
        guard isRunning.isRaised || isInRunningHost else { return false }
        var isNew = true
        if isRunning.isRaised, source == Self.entranceName {
            isNew = entranceError.withLock { last in
                defer { last = error.message }
                return last != error.message
            }
        }
        if isNew { element.post(warning: error) }
        return true
    }

    /// Refuses presses until a frame is taken, and fails the captures under way.
    private func stop(_ reason: String) {
        obstacle.withLock { $0 = reason }
        for id in ledger.failAll(reason) { _ = try? shutter?.emit("cancel", id) }
    }
}
