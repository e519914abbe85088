public import Dispatch
internal import Synchronization

/// Receives the changes of a coordinator's readiness.
public protocol PhotoReadinessDelegate: AnyObject, Sendable {
    /// The readiness has changed; the first call reports the current one.
    func readinessCoordinator(
        _ coordinator: PhotoReadinessCoordinator, captureReadinessDidChange readiness: CaptureReadiness)
}

/// The readiness of a photo output for an app in which presses reach the output later, such as on another thread: it
/// counts requests from the moment they are tracked.
///
///     startTracking ──► tracked ──the output captures the settings──► counted by the output
///                          └────── stopTracking ────────────────────► not counted
///
/// Thread-safe.
public final class PhotoReadinessCoordinator: Sendable {
    private struct State {
        /// The requests that are tracked, by the id of their settings.
        var tracked: [UInt64: PhotoSettings] = [:]
        /// The task that calls the delegate.
        var deliveries: Task<Void, Never>?
    }

    /// The state, which the computation of readiness needs after the coordinator is released, too.
    private final class Requests: Sendable {
        let state = Mutex(State())
    }

    private let output: PhotoOutput
    private let requests: Requests
    private let updates: ReadinessUpdates
    private let observer: UInt64

    /// Creates a coordinator for an output, without tracked requests.
    public init(_ output: PhotoOutput) {
        let requests = Requests()
        let updates = ReadinessUpdates { Self.readiness(of: output, requests) }
        self.output = output
        self.requests = requests
        self.updates = updates
        observer = output.readiness.observe { [weak updates] in updates?.refresh() }
    }

    deinit {
        output.readiness.remove(observer: observer)
        requests.state.withLock { $0.deliveries }?.cancel()
    }

    /// Counts a request from now on, until the output captures these settings or tracking stops. A press that is
    /// refused captures nothing: press again, or stop to track.
    public func startTrackingCaptureRequest(using settings: PhotoSettings) {
        requests.state.withLock { $0.tracked[settings.uniqueID] = settings }
        updates.refresh()
    }

    /// Stops to count a request; `id` is the id of its settings.
    public func stopTrackingCaptureRequest(using id: UInt64) {
        requests.state.withLock { $0.tracked[id] = nil }
        updates.refresh()
    }

    /// The readiness of the output after the tracked requests.
    public var captureReadiness: CaptureReadiness { Self.readiness(of: output, requests).0 }

    /// The readiness: the current value first, then each change. A value that was not read is replaced by a newer one.
    public var captureReadinessUpdates: AsyncStream<CaptureReadiness> { updates.stream() }

    /// Sets the delegate, or removes it. Its calls come one after another, on `queue` or else on a queue of the
    /// coordinator. The delegate is not retained.
    public func setDelegate(_ delegate: (any PhotoReadinessDelegate)?, on queue: DispatchQueue? = nil) {
        let task = delegate.map { delegate in
            deliveries(to: delegate, on: DispatchQueue(label: "gscap.readiness", target: queue))
        }
        let former = requests.state.withLock { state in
            defer { state.deliveries = task }
            return state.deliveries
        }
        former?.cancel()
    }

    private func deliveries(to delegate: any PhotoReadinessDelegate, on queue: DispatchQueue) -> Task<Void, Never> {
        let updates = updates.stream()
        return Task { [weak self, weak delegate] in
            for await readiness in updates {
                // Waits for the call: meanwhile newer values replace each other.
                await withCheckedContinuation { continuation in
                    queue.async { [weak self, weak delegate] in
                        if let self { delegate?.readinessCoordinator(self, captureReadinessDidChange: readiness) }
                        continuation.resume()
                    }
                }
            }
        }
    }

    private static func readiness(
        of output: PhotoOutput, _ requests: Requests
    ) -> (CaptureReadiness, recheck: Double?) {
        let tracked = requests.state.withLock(\.tracked)
        let captured = tracked.keys.filter(output.hasCaptured)
        if !captured.isEmpty {
            requests.state.withLock { state in
                for id in captured { state.tracked[id] = nil }
            }
        }
        let awaited = tracked.values.filter { !captured.contains($0.uniqueID) }
        let running = output.readiness.running
        let expected = awaited.reduce(0) { $0 + (running?.neededFrames(for: $1) ?? 0) }
        return output.readiness.readiness(
            frames: output.readiness.usualFrames,
            expected: min(1 << 20, expected), expectsPress: !awaited.isEmpty)
    }
}
