internal import Dispatch
internal import GStreamer
internal import GscapElements
internal import RawImage
internal import Synchronization

/// Measures the scene for the readers of a session's scene updates, over all its pipelines.
///
///     idle ──first reader──► measuring, at most four times a second ──last reader ends──► idle
///
/// The streaming thread only takes samples of the frame (0.1 ms); a queue estimates. Without readers each frame costs
/// one read of a flag. *Thread-safe.*
final class SceneMonitor: Sendable {
    private struct Contents {
        var readers: [Int: AsyncStream<SceneState>.Continuation] = [:]
        var lastReader = 0
        var estimator = SceneEstimator()
        /// Number of times that the estimator has been replaced. A measurement under way at that time is discarded.
        var run = 0
        /// The newest measurement; nil while nothing has been measured since the first reader or the last start.
        var current: SceneState?
        /// The caps of the frames; nil before they are known.
        var caps: Caps?
        /// The earliest time of the next measurement, in nanoseconds of the system's uptime.
        var nextTime: UInt64 = 0
    }

    private static let interval: UInt64 = 250_000_000

    private let hasReaders = Atomic(false)
    /// While this lock is held, only streams are called, and yielding to a stream never blocks.
    private let contents = Mutex(Contents())
    private let queue = DispatchQueue(label: "gscap.scene", qos: .utility)

    deinit {
        for reader in contents.withLock({ Array($0.readers.values) }) { reader.finish() }
    }

    /// Returns the measurements for one reader: the current one first, if there is one, then each new one. A slow
    /// reader receives the newest.
    func updates() -> AsyncStream<SceneState> {
        let (stream, reader) = AsyncStream<SceneState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = contents.withLock { contents in
            contents.lastReader += 1
            contents.readers[contents.lastReader] = reader
            if let current = contents.current { reader.yield(current) }
            hasReaders.store(true, ordering: .relaxed)
            return contents.lastReader
        }
        // On another thread, because a task that is cancelled calls this under the lock of its state.
        reader.onTermination = { [weak self] _ in DispatchQueue.global().async { [weak self] in self?.remove(id) } }
        return stream
    }

    private func remove(_ id: Int) {
        contents.withLock { contents in
            contents.readers[id] = nil
            guard contents.readers.isEmpty else { return }
            hasReaders.store(false, ordering: .relaxed)
            // The next reader may come much later, when this measurement is out of date.
            Self.clear(&contents)
        }
    }

    /// Prepares for the frames of another pipeline.
    func restart() {
        contents.withLock { contents in
            Self.clear(&contents)
            contents.caps = nil
        }
    }

    private static func clear(_ contents: inout Contents) {
        contents.current = nil
        contents.estimator = SceneEstimator()
        contents.run += 1
    }

    /// Stores the caps of the following frames.
    func setCaps(_ caps: Caps) { contents.withLock { $0.caps = caps } }

    /// Samples a frame on the streaming thread if there are readers and a measurement is due.
    func receive(_ frame: borrowing Buffer) {
        guard hasReaders.load(ordering: .relaxed), let caps = capsIfDue(),
            let samples = SceneSamples(frame, caps: caps)
        else { return }
        queue.async { [weak self] in self?.measure(samples) }
    }

    private func capsIfDue() -> Caps? {
        let now = DispatchTime.now().uptimeNanoseconds
        return contents.withLock { contents in
            guard now >= contents.nextTime, let caps = contents.caps else { return nil }
            contents.nextTime = now + Self.interval
            return caps
        }
    }

    private func measure(_ samples: SceneSamples) {
        // The estimator works outside the lock, so that the streaming thread does not wait for it. Only this queue
        // feeds it.
        let (former, run) = contents.withLock { ($0.estimator, $0.run) }
        var estimator = former
        let state = estimator.feed(samples)
        contents.withLock { contents in
            guard contents.run == run, !contents.readers.isEmpty else { return }
            contents.estimator = estimator
            contents.current = state
            for reader in contents.readers.values { reader.yield(state) }
        }
    }
}

extension RunningPipeline {
    /// Passes the frames at the entrance to a scene monitor. Called before the pipeline starts.
    func measureScene(with monitor: SceneMonitor) {
        monitor.restart()
        guard let entrance else { return }
        _ = entrance.addEventProbe { [weak monitor] event in
            if event.kind == .caps, let caps = event.caps { monitor?.setCaps(caps) }
            return .pass
        }
        _ = entrance.addBufferProbe { [weak monitor] frame in
            monitor?.receive(frame)
            return .pass
        }
    }
}
