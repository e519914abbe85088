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
        /// The time in seconds between the last two checks that found new frames. The limit is at least three times as
        /// long, so that long exposures do not count as an interruption.
        var lastGap = 0.0
    }

    private static let interval = DispatchTimeInterval.milliseconds(250)

    private let state: Mutex<State>
    private let limit: Double
    private let count: @Sendable () -> Int
    private let changed: @Sendable (Change) -> Void

    /// Starts to watch, until the watch is released. `count` returns the number of frames so far. `changed` is called
    /// when no frame arrived for `limit` seconds (longer after long exposures), and when frames arrive again.
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
                let gap =
                    state.isInterrupted
                    ? 0 : Double(DispatchTime.now().uptimeNanoseconds - state.since.uptimeNanoseconds) / 1e9
                defer { state = State(count: count, lastGap: gap) }
                return state.isInterrupted ? .resumed : nil
            }
            let limit = max(limit, 3 * state.lastGap)
            guard !state.isInterrupted, DispatchTime.now() > state.since + limit else { return nil }
            state.isInterrupted = true
            return .interrupted
        }
    }
}
