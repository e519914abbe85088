internal import Synchronization
internal import Waiting

/// Compares the cameras before and after each change of the machine's devices, and reports the differences.
///
///     started ──▶ watching ──▶ ended        A change while the cameras are compared is compared afterwards.
///                  ▲    │ change
///                  └────┘ after 200 ms without a change
final class CameraChanges: Sendable {
    private struct State {
        var known: [String: Camera] = [:]
        var watches: [CameraWatch] = []
        var comparison: Alarm?
        var isEnded = false
    }

    /// A device file appears before udevd gives it its rights, and the parts of one camera appear one by one.
    private static let patience = Duration.milliseconds(200)

    private let state = Mutex(State())
    private let backends: [any CameraBackend]
    private let report: @Sendable (CameraEvent) -> Void
    private let clock = WaitClock.current
    /// Held while cameras are compared, so that the events come in their order.
    private let comparing = Mutex(())

    init(_ backends: [any CameraBackend], _ report: @escaping @Sendable (CameraEvent) -> Void) {
        (self.backends, self.report) = (backends, report)
    }

    /// Reports the cameras that are there, and begins to watch. The watches begin first, so that nothing is missed.
    func start() {
        let watches = backends.compactMap { backend in backend.watch { [weak self] in self?.schedule() } }
        state.withLock { $0.watches = watches }
        compare()
    }

    /// Ends the watches; no event is reported from now on, except one that is being reported.
    func end() {
        let (watches, comparison) = state.withLock { state in
            state.isEnded = true
            defer { (state.watches, state.comparison) = ([], nil) }
            return (state.watches, state.comparison)
        }
        comparison?.cancel()
        // The last reference ends a watch, outside of the lock.
        _ = consume watches
    }

    private func schedule() {
        let alarm = clock.alarm(after: Self.patience) { [weak self] in self?.compare() }
        let old = state.withLock { state in
            defer { state.comparison = state.isEnded ? nil : alarm }
            return state.isEnded ? alarm : state.comparison
        }
        old?.cancel()
    }

    private func compare() {
        comparing.withLock { _ in
            let cameras = Dictionary(backends.flatMap { $0.discover() }.map { ($0.id, $0) }) { first, _ in first }
            let known = state.withLock { state -> [String: Camera]? in
                defer { state.known = cameras }
                return state.isEnded ? nil : state.known
            }
            guard let known else { return }
            for event in Self.events(from: known, to: cameras) { report(event) }
        }
    }

    /// Returns the differences: first what has gone, in the order of the identifiers.
    static func events(from old: [String: Camera], to new: [String: Camera]) -> [CameraEvent] {
        let removed = old.values.filter { new[$0.id] == nil }.sorted { $0.id < $1.id }
        let others = new.values.sorted { $0.id < $1.id }.compactMap { camera -> CameraEvent? in
            guard let before = old[camera.id] else { return .added(camera) }
            return before == camera ? nil : before.isUsable || !camera.isUsable ? .changed(camera) : .added(camera)
        }
        return removed.map(CameraEvent.removed) + others
    }
}
