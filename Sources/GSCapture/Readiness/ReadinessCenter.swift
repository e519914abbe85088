internal import FrameStream
internal import GStreamer
internal import Synchronization
internal import Waiting

/// The settings of a photo output that concern readiness, applied to the shutter of its running pipeline.
///
/// *Thread-safe.* Neither the shutter nor an observer is called under the lock.
final class ReadinessCenter: Sendable {
    private struct State {
        weak var running: (any PhotoPipeline)?
        var isResponsive = true
        var lowersQuality = false
        var maxQuality = PhotoQualityPrioritization.quality
        /// The value of `maxQueuedBytes`; nil leaves it to the pipeline text.
        var budget: Int?
        /// The value of `isZeroShutterLagEnabled`; nil leaves it to the pipeline text.
        var zeroLag: Bool?
        var prepared: [PhotoSettings] = []
        /// The number of the newest change of `prepared`; a call that waits for an older one gives up.
        var preparations = 0
        /// The shutter's `ring-frames` before settings were prepared; nil if none were in this pipeline.
        var normalRing: Int?
        /// The number of frames of the newest capture that fits the memory for captures.
        var latestBurst = 1
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var observerCount: UInt64 = 0
    }

    private let state = Mutex(State())
    let clock = WaitClock.current

    /// The default of `maxQueuedBytes`.
    static let standardBudget = 1 << 30

    // MARK: - Settings

    var isResponsive: Bool {
        get { state.withLock(\.isResponsive) }
        set {
            state.withLock { $0.isResponsive = newValue }
            changed()
        }
    }

    var lowersQuality: Bool {
        get { state.withLock(\.lowersQuality) }
        set { state.withLock { $0.lowersQuality = newValue } }
    }

    /// The highest quality prioritization of a capture.
    var maxQuality: PhotoQualityPrioritization {
        get { state.withLock(\.maxQuality) }
        set {
            state.withLock { $0.maxQuality = newValue }
            changed()
        }
    }

    var budget: Int {
        get {
            if let budget = state.withLock(\.budget) { return budget }
            let mebibytes: Int? = try? running?.control?.get("max-queued")
            return mebibytes.map { $0 << 20 } ?? Self.standardBudget
        }
        set {
            state.withLock { $0.budget = min(1_000_000, max(1, newValue >> 20)) << 20 }
            applySettings()
            changed()
        }
    }

    var zeroLag: Bool {
        get {
            if let zeroLag = state.withLock(\.zeroLag) { return zeroLag }
            let isOn: Bool? = try? running?.shutter?.get("zero-shutter-lag")
            return isOn ?? true
        }
        set {
            state.withLock { $0.zeroLag = newValue }
            applySettings()
        }
    }

    /// The pipeline that takes the captures; nil while the session is not running.
    var running: (any PhotoPipeline)? { state.withLock { $0.running } }

    /// Connects the pipeline that takes the captures from now on, or none. A pipeline that is connected already keeps
    /// its settings: its `ring-frames` are those of the prepared settings, not the normal ones.
    func connect(_ running: (any PhotoPipeline)?) {
        let former = state.withLock { state in
            defer {
                if state.running !== running { state.normalRing = nil }
                state.running = running
            }
            return state.running
        }
        if let former, former === running { return }
        former?.engine.changes.setHandler(nil)
        running?.engine.changes.setHandler { [weak self] in self?.changed() }
        applySettings()
        applyPreparation()
        changed()
        if let next = preparation, !next.settings.isEmpty {
            Task { [weak self] in await self?.waitUntilPrepared(next.number) }
        }
    }

    private func applySettings() {
        let (running, budget, zeroLag) = state.withLock { ($0.running, $0.budget, $0.zeroLag) }
        guard let running else { return }
        if let budget { try? running.control?.set("max-queued", .uint(UInt32(clamping: budget >> 20))) }
        if let zeroLag { try? running.shutter?.set("zero-shutter-lag", .boolean(zeroLag)) }
    }

    // MARK: - Prepared settings

    /// The prepared settings.
    var prepared: [PhotoSettings] { state.withLock(\.prepared) }

    /// The prepared settings with their number, the running pipeline, and its `ring-frames` before settings were
    /// prepared, nil if none were; nil while no pipeline runs.
    var preparation: (number: Int, settings: [PhotoSettings], running: any PhotoPipeline, normalRing: Int?)? {
        state.withLock { state in
            state.running.map { (state.preparations, state.prepared, $0, state.normalRing) }
        }
    }

    /// Replaces the prepared settings; returns the number of the change.
    func replacePrepared(by settings: [PhotoSettings]) -> Int {
        state.withLock { state in
            state.prepared = settings
            state.preparations += 1
            return state.preparations
        }
    }

    /// Removes the prepared settings of this number; returns false if others were prepared meanwhile.
    func dropPrepared(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.preparations == number else { return false }
            state.prepared = []
            state.preparations += 1
            return true
        }
    }

    /// Returns the shutter's `ring-frames` before settings were prepared; if none were, that is `found`, which is
    /// stored.
    func normalRing(of running: any PhotoPipeline, found: Int) -> Int {
        state.withLock { state in
            guard state.running === running else { return found }
            state.normalRing = state.normalRing ?? found
            return state.normalRing ?? found
        }
    }

    // MARK: - Observers

    /// Adds a function that is called after each change that may concern readiness, on any thread; returns its key.
    func observe(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.observerCount += 1
            state.observers[state.observerCount] = observer
            return state.observerCount
        }
    }

    /// Removes an observer.
    func remove(observer key: UInt64) {
        // Returned, so that the function is released without the lock.
        _ = state.withLock { $0.observers.removeValue(forKey: key) }
    }

    /// Calls the observers. Must not be called under a lock.
    func changed() {
        for observer in state.withLock({ Array($0.observers.values) }) { observer() }
    }
}

// MARK: - Readiness

extension ReadinessCenter {
    /// Returns the readiness for a press of this many frames, after `expected` frames of presses still to come, and the
    /// time in seconds after which the shutter expects to have memory for it.
    func readiness(
        frames: Int, expected: Int = 0, expectsPress: Bool = false
    ) -> (CaptureReadiness, recheck: Double?) {
        let (running, isResponsive) = state.withLock { ($0.running, $0.isResponsive) }
        guard let running, !running.engine.isClosed else { return (.sessionNotRunning, nil) }
        var conditions = ReadinessConditions(isRunning: true, allowsOverlap: isResponsive)
        conditions.activity = running.engine.activity.summary
        conditions.expectsPress = expectsPress
        conditions.isStreaming =
            running.framesSeen > 0 && !conditions.activity.isInterrupted && !running.isRestarting
            && running.constituents?.awaitsFrames != true
        conditions.admission = running.admission(frames: frames, expected: expected)
        let readiness = conditions.readiness
        return (readiness, readiness == .ready ? nil : conditions.admission?.retryAfter)
    }

    /// The number of frames that the next press is expected to need, unless its settings are known: that of the newest
    /// capture, of the largest prepared settings, or of a burst at the highest quality, but no more than fit the memory
    /// for captures: a press of more is never accepted, so waiting for it would never end.
    var usualFrames: Int {
        let state = state.withLock { ($0.running, $0.maxQuality, $0.prepared, $0.latestBurst) }
        let (running, maxQuality, prepared, latest) = state
        guard let running else { return latest }
        let plan = running.plan
        let burst = plan.hasFusion ? max(maxQuality.frames, plan.burstFrames) : plan.burstFrames
        let frames = max(burst, latest, Self.frames(of: prepared, in: running))
        guard let admission = running.admission(frames: frames), admission.verdict == .tooLarge,
            admission.frameBytes > 0
        else { return frames }
        return max(1, budget / admission.frameBytes)
    }

    /// Admits a capture that has begun; throws `busy` if captures may not overlap and an earlier one is not finished.
    func admit(_ resolved: ResolvedPhotoSettings, to running: any PhotoPipeline) throws(CaptureError) {
        let fits = running.admission(frames: resolved.neededFrames).map { $0.verdict != .tooLarge } ?? true
        let isResponsive = state.withLock { state in
            if fits { state.latestBurst = resolved.neededFrames }
            return state.isResponsive
        }
        guard !isResponsive, let wait = running.engine.activity.timeUntilAlone(resolved.uniqueID) else { return }
        var error = CaptureError(
            .busy,
            "the photos of an earlier capture are not finished, and isResponsiveCaptureEnabled is false: wait for "
                + "its end, or set it to true")
        error.retryAfter = .seconds(wait)
        throw error
    }
}

extension ResolvedPhotoSettings {
    /// The number of frames for which the shutter reserves memory at the press.
    var neededFrames: Int { frames * exposures.count }
}
