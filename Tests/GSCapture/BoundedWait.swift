/// Waits for the end of an operation, at most for `limit`; returns nil after that, and cancels the operation. The limit
/// is generous: all tests of a run start at once, so that a task may wait for minutes for a thread.
func result<R: Sendable>(
    within limit: Duration = .seconds(300), of body: @escaping @Sendable () async -> R
) async -> R? {
    let (results, continuation) = AsyncStream<R?>.makeStream()
    let work = Task { continuation.yield(await body()) }
    let clock = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    var iterator = results.makeAsyncIterator()
    let first: R?? = await iterator.next()
    clock.cancel()
    guard let result = first ?? nil else {
        work.cancel()
        return nil
    }
    return result
}

/// Waits for the end of an operation, at most for `limit`; returns whether it has ended.
func ends(within limit: Duration = .seconds(300), _ body: @escaping @Sendable () async -> Void) async -> Bool {
    await result(within: limit, of: body) != nil
}

/// Waits until a condition holds, at most for `limit`; returns whether it does.
func reached(
    _ limit: Duration = .seconds(120), isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
