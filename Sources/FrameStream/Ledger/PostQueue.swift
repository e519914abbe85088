internal import Dispatch
package import Waiting

/// A queue on whose thread captures are ended that a timer, or the last branch of a burst, has found to be over. Their
/// own threads may hold an element's lock, under which nothing may be posted. *Thread-safe.*
package final class PostQueue: Sendable {
    private let queue = DispatchQueue(label: "gscap.capture-ends")
    /// A key whose value is set only on the queue's thread, so that functions can detect that they run there.
    private let isOwnThread = DispatchSpecificKey<Bool>()
    package let clock = WaitClock.current

    /// Creates a queue.
    package init() { queue.setSpecific(key: isOwnThread, value: true) }

    package func async(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Calls `body` when the time that `due` returns is reached, as `WaitClock` does.
    @discardableResult
    package func alarm(
        due: @escaping @Sendable () -> WaitClock.Instant?, _ body: @escaping @Sendable () -> Void
    ) -> Alarm {
        clock.alarm(on: queue, due: due, body)
    }

    /// Waits until everything queued is posted, because a bus discards messages in the state NULL. Returns at once on
    /// the queue's own thread, on which a message's handler may stop the pipeline.
    package func drain() {
        if DispatchQueue.getSpecific(key: isOwnThread) == nil { queue.sync {} }
    }
}
