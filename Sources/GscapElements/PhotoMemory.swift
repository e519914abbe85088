internal import GStreamer
internal import Synchronization

/// The buffer pool of a fusion's photos, of which some may be allocated before the first capture.
///
/// *Thread-safe.* No call waits for a fusion.
final class PhotoMemory: Sendable {
    private struct State {
        var pool: BufferPool?
        /// The expected size of the photos in bytes; nil before the stream's format is known.
        var size: Int?
        /// The number of buffers to keep allocated.
        var kept = 0
    }

    private let state = Mutex(State())

    /// Sets the number of buffers to keep allocated.
    func keep(_ count: Int) throws(GscapError) {
        let (pool, size) = state.withLock { state in
            state.kept = count
            return (state.pool, state.size)
        }
        if let pool { return pool.keep(count) }
        if count > 0, let size { _ = try self.pool(size: size) }
    }

    /// Sets the expected size of the photos in bytes, and allocates the buffers to keep if they are not.
    func expect(size: Int) throws(GscapError) {
        let kept = state.withLock { state in
            state.size = size
            return state.kept
        }
        if kept > 0 { _ = try pool(size: size) }
    }

    /// Returns a buffer for a photo of `size` bytes.
    func buffer(size: Int) throws -> Buffer { try pool(size: size).acquire() }

    /// Releases the memory, at the end of a stream.
    func release() {
        // Returned, so that the pool is released without the lock.
        _ = state.withLock { state in
            // Without a stream nothing is expected, so that `keep` allocates nothing before the next one.
            defer { (state.pool, state.size) = (nil, nil) }
            return state.pool
        }
    }

    /// Returns a pool for photos of `size` bytes, reusing the previous pool if the size is unchanged.
    private func pool(size: Int) throws(GscapError) -> BufferPool {
        if let pool = state.withLock({ $0.pool }), pool.size == size { return pool }
        let pool = try BufferPool(size: size)
        let kept = state.withLock { state in
            state.pool = pool
            return state.kept
        }
        pool.keep(kept)
        return pool
    }
}
