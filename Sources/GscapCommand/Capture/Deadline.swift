/// Time limits on sequences of events.
enum Deadline {
    /// The events as they come; when the time is up first, one nil, and the end.
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
