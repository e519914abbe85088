package import Dispatch
internal import Waiting

// Waits of tests, all for a condition or a signal. Their limits only end a test that hangs: all tests of a run start at
// once, so that a task may wait for minutes for a thread.

extension DispatchSemaphore {
    /// Waits for a signal; returns whether it came within the limit.
    package func isSignalled(within limit: Duration = .seconds(120)) -> Bool {
        WaitClock.machine.wait(for: self, until: WaitClock.machine.now + limit)
    }
}

/// Waits for the end of an operation; returns nil after the limit, and cancels the operation.
package func result<R: Sendable>(
    within limit: Duration = .seconds(300), of body: @escaping @Sendable () async -> R
) async -> R? {
    let (results, continuation) = AsyncStream<R?>.makeStream()
    let work = Task { continuation.yield(await body()) }
    let alarm = WaitClock.machine.alarm(after: limit) { continuation.yield(nil) }
    var iterator = results.makeAsyncIterator()
    let first: R?? = await iterator.next()
    alarm.cancel()
    guard let result = first ?? nil else {
        work.cancel()
        return nil
    }
    return result
}

/// Waits for the end of an operation; returns whether it has ended within the limit.
package func ends(
    within limit: Duration = .seconds(300), _ body: @escaping @Sendable () async -> Void
) async -> Bool {
    await result(within: limit, of: body) != nil
}

/// Waits until a condition holds that nothing signals; returns whether it does within the limit.
package func reached(
    _ limit: Duration = .seconds(120), isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async rethrows -> Bool {
    let end = WaitClock.machine.now + limit
    while try !condition() {
        guard WaitClock.machine.now < end else { return false }
        await WaitClock.machine.sleep(for: .milliseconds(5))
    }
    return true
}

/// Blocks the thread until a condition holds that nothing signals; returns whether it does within the limit.
package func blocks(for limit: Duration = .seconds(120), until condition: () throws -> Bool) rethrows -> Bool {
    let end = WaitClock.machine.now + limit
    while try !condition() {
        guard WaitClock.machine.now < end else { return false }
        WaitClock.machine.block(for: .milliseconds(2))
    }
    return true
}

/// Lets the threads of the code under test work for some milliseconds, so that the next call comes at any moment of
/// theirs. No result may depend on it.
package func pause(_ milliseconds: Int, isolation: isolated (any Actor)? = #isolation) async {
    await WaitClock.machine.sleep(for: .milliseconds(milliseconds))
}
