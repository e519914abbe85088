internal import CGStreamer
internal import Waiting

extension Pad {
    /// The interval at which `whileIdle` looks again: nothing is signalled when GStreamer unlocks a lock.
    private static let interval = Duration.microseconds(500)

    /// Calls `body` while neither a buffer nor an event of the stream passes this sink pad, which then wait for it. If
    /// something still passes after `attempts` intervals of half a millisecond, calls `body` nevertheless: a stream may
    /// wait in there for as long as its pipeline is paused.
    public func whileIdle<R>(attempts: Int = 100, _ body: () throws -> R) rethrows -> R {
        for _ in 0..<attempts {
            // The lock that a streaming thread holds while it pushes.
            if unsafe g_rec_mutex_trylock(&pointer.pointee.stream_rec_lock) != 0 {
                defer { unsafe g_rec_mutex_unlock(&pointer.pointee.stream_rec_lock) }
                return try body()
            }
            WaitClock.machine.block(for: Self.interval)
        }
        return try body()
    }
}
