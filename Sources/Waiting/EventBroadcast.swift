internal import Dispatch
internal import Synchronization

/// Delivers events to any number of readers, each of which has a stream of its own.
///
///     send ──► the stream of each reader
///       └────► kept, if the events are replayed: a later reader receives them first
///
/// A reader that cancels ends its own stream only. *Thread-safe.* Yielding to a stream never blocks or calls back, so
/// it is done under the lock, which gives all readers the same order. It resumes the task of the reader, which takes
/// the lock of that task's state: code that runs under such a lock, as a task's cancellation handler does, must not
/// call this.
package final class EventBroadcast<Event: Sendable>: Sendable {
    package typealias Buffering = AsyncStream<Event>.Continuation.BufferingPolicy

    private struct State {
        var readers: [UInt64: AsyncStream<Event>.Continuation] = [:]
        var count: UInt64 = 0
        /// The events for later readers.
        var kept: [Event] = []
        var replays: Bool
        var hasEnded = false
    }

    private let state: Mutex<State>
    /// The events that are buffered for a reader that is slower than they come.
    private let buffering: Buffering

    /// Creates a broadcast without events. `replays` means that a later reader receives the earlier events, too.
    package init(replays: Bool, buffering: Buffering = .unbounded) {
        state = Mutex(State(replays: replays))
        self.buffering = buffering
    }

    deinit { finish() }

    /// Returns a stream for one more reader: the events that are kept, and those from now on.
    package func stream() -> AsyncStream<Event> {
        let (stream, reader) = AsyncStream<Event>.makeStream(bufferingPolicy: buffering)
        let key = state.withLock { state -> UInt64? in
            for event in state.kept { reader.yield(event) }
            if state.hasEnded { return nil }
            state.count += 1
            state.readers[state.count] = reader
            return state.count
        }
        guard let key else {
            reader.finish()
            return stream
        }
        // On another thread, because a task that is cancelled calls this under the lock of its state. Returned, so that
        // the reader is released without the lock.
        reader.onTermination = { [weak self] _ in
            DispatchQueue.global().async { [weak self] in
                _ = self?.state.withLock { $0.readers.removeValue(forKey: key) }
            }
        }
        return stream
    }

    /// Sends an event to all readers. Does nothing after the end.
    package func send(_ event: Event) {
        state.withLock { state in
            if state.hasEnded { return }
            if state.replays { state.kept.append(event) }
            for reader in state.readers.values { reader.yield(event) }
        }
    }

    /// Ends the streams of all readers, after the events that they have not read yet.
    package func finish() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [:] }
            return state.readers
        }
        for reader in readers.values { reader.finish() }
    }

    /// The newest of the events that are kept; nil if there is none.
    package var newest: Event? { state.withLock { $0.kept.last } }

    /// Releases the events that are kept, because no more readers come.
    package func endReplay() {
        // Returned, so that the events are released without the lock.
        _ = state.withLock { state in
            state.replays = false
            defer { state.kept = [] }
            return state.kept
        }
    }
}
