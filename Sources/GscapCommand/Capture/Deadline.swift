internal import Waiting

/// Time limits on sequences of events.
enum Deadline {
    /// Returns a stream of the same events. At the deadline, if there is one, the stream yields nil and ends.
    static func sequence<Event: Sendable>(
        _ events: AsyncStream<Event>, until deadline: WaitClock.Instant?
    ) -> AsyncStream<Event?> {
        let (stream, continuation) = AsyncStream<Event?>.makeStream()
        let reader = Task {
            for await event in events { continuation.yield(event) }
            continuation.finish()
        }
        let limit = deadline.map { deadline in
            WaitClock.current.alarm(at: deadline) {
                continuation.yield(nil)
                continuation.finish()
            }
        }
        continuation.onTermination = { _ in
            reader.cancel()
            limit?.cancel()
        }
        return stream
    }
}
