/// Time limits on sequences of events.
enum Deadline {
    /// Returns a stream of the same events. At the deadline, if there is one, the stream yields nil and ends.
    static func sequence<Event: Sendable>(
        _ events: AsyncStream<Event>, until deadline: ContinuousClock.Instant?
    ) -> AsyncStream<Event?> {
        let (stream, continuation) = AsyncStream<Event?>.makeStream()
        let reader = Task {
            for await event in events { continuation.yield(event) }
            continuation.finish()
        }
        let clock = deadline.map { deadline in
            Task {
                try? await Task.sleep(until: deadline)
                guard !Task.isCancelled else { return }
                continuation.yield(nil)
                continuation.finish()
            }
        }
        continuation.onTermination = { _ in
            reader.cancel()
            clock?.cancel()
        }
        return stream
    }
}
