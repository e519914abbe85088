internal import Cameras
internal import Waiting

/// Lets a streaming thread wait until cameras come or change, or until it is woken.
final class CameraArrival: Sendable {
    private struct State {
        var changes = 0
        var isWoken = false
    }

    private let state = Awaited(State())
    private let clock = WaitClock.current

    /// The time after which the camera is looked for again although nothing has changed: a driver may need a while
    /// after its device files have appeared.
    private static let patience = Duration.seconds(1)

    /// Calls `isDone` now and after each change until it returns true; returns false if the thread was woken before.
    func wait(until isDone: () -> Bool) -> Bool {
        let watches = CameraSystem.backends.compactMap { backend in
            backend.watch { [state] in state.change { $0.changes += 1 } }
        }
        defer { _ = consume watches }
        while true {
            let seen = state.withLock(\.changes)
            if state.withLock(\.isWoken) { return false }
            if isDone() { return true }
            _ = state.wait(until: clock.now + Self.patience, by: clock) { state in
                state.isWoken || state.changes != seen ? true : nil
            }
        }
    }

    /// Ends the wait at once, and those that begin before `permitWaits`.
    func wake() { state.change { $0.isWoken = true } }

    /// Permits waits again.
    func permitWaits() { state.change { $0.isWoken = false } }
}
