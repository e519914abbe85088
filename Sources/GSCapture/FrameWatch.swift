internal import Dispatch
internal import Synchronization

/// Watches whether a live camera delivers frames.
///
///     running ──no frame for the limit──► interrupted ──a frame──► running
///
/// *Thread-safe.*
final class FrameWatch: Sendable {
    /// A change that the watch has noticed.
    enum Change: Sendable { case interrupted, resumed }

    private struct State {
        var count: Int
        var since = DispatchTime.now()
        var isInterrupted = false
    }

    private static let interval = DispatchTimeInterval.milliseconds(250)

    private let state: Mutex<State>
    private let limit: Double
    private let count: @Sendable () -> Int
    private let changed: @Sendable (Change) -> Void

    /// Starts to watch until the watch is released. `count` returns the number of frames so far; `changed` is called
    /// when none came for `limit` seconds, and when they come again.
    init(limit: Double, count: @escaping @Sendable () -> Int, changed: @escaping @Sendable (Change) -> Void) {
        state = Mutex(State(count: count()))
        self.limit = limit
        self.count = count
        self.changed = changed
        schedule()
    }

    private func schedule() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            guard let self else { return }
            if let change = look() { changed(change) }
            schedule()
        }
    }

    private func look() -> Change? {
        let count = count()
        return state.withLock { state in
            if count != state.count {
                defer { state = State(count: count) }
                return state.isInterrupted ? .resumed : nil
            }
            guard !state.isInterrupted, DispatchTime.now() > state.since + limit else { return nil }
            state.isInterrupted = true
            return .interrupted
        }
    }
}
