internal import GStreamer
internal import Synchronization

/// The connection of a photo output to a pad of a pipeline that belongs to the application.
///
///     detached ──attach──► attaching ──the branch runs and is linked──► attached
///        ▲                     │                                           │
///        ├──the branch fails───┘                                         detach
///        │                                                                 │
///        └──the branch is out of the pipeline, or ten seconds──  detaching ◄┘
///
/// Calls of attach and detach are carried out one after another, in their order, so the states in the middle are seen
/// from outside alone. *Thread-safe.*
final class Attachment: Sendable {
    enum Phase: Sendable, Hashable { case detached, attaching, attached, detaching }

    private struct State {
        var phase = Phase.detached
        /// The branch; nil unless attached or detaching.
        var branch: AttachedBranch?
        /// The task of the newest operation; the next one waits for its end.
        var last: Task<Void, Never>?
    }

    private let state = Mutex(State())

    var phase: Phase { state.withLock(\.phase) }

    /// The branch; nil unless the output is attached.
    var branch: AttachedBranch? { state.withLock { $0.phase == .attached ? $0.branch : nil } }

    /// Carries out an operation after all earlier ones, and returns its result.
    func inTurn<R: Sendable>(_ body: @escaping @Sendable () async -> R) async -> R {
        let task = state.withLock { state in
            let before = state.last
            let task = Task<R, Never> {
                await before?.value
                return await body()
            }
            state.last = Task { _ = await task.value }
            return task
        }
        return await task.value
    }

    // MARK: - Transitions, called by operations in turn

    /// Begins to attach; returns false if the output is attached.
    func beginAttaching() -> Bool {
        state.withLock { state in
            guard state.phase == .detached else { return false }
            state.phase = .attaching
            return true
        }
    }

    /// Ends the attaching: with a branch that runs, or with none.
    func endAttaching(_ branch: AttachedBranch?) {
        state.withLock { state in
            state.branch = branch
            state.phase = branch == nil ? .detached : .attached
        }
    }

    /// Begins to detach; returns the branch, or nil if the output is not attached.
    func beginDetaching() -> AttachedBranch? {
        state.withLock { state in
            guard state.phase == .attached else { return nil }
            state.phase = .detaching
            return state.branch
        }
    }

    /// Ends the detaching.
    func endDetaching() {
        // Returned, so that the branch is released without the lock.
        _ = state.withLock { state in
            state.phase = .detached
            return state.branch.take()
        }
    }
}
