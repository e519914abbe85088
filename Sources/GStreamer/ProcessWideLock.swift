internal import CGStreamer

/// A lock that all copies of this module in a process share.
///
/// A host program may link this module and also load the plugin, which contains a copy. GStreamer's tables of types and
/// metadata are the process's, so checking a name and then registering it must exclude the other copy too. The lock is
/// therefore kept on an object that the whole process shares: GStreamer's registry.
enum ProcessWideLock {
    // The mutex is never freed: any thread may be about to lock it.
    @safe private struct Shared: @unchecked Sendable {
        // Sendable: a GMutex may be used by any thread, and its address never changes.
        let mutex: UnsafeMutablePointer<GMutex>
    }

    private static let shared = unsafe Shared(mutex: findOrCreate())

    /// Runs `body` while no other thread of the process does so. Not reentrant.
    static func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe g_mutex_lock(shared.mutex)
        defer { unsafe g_mutex_unlock(shared.mutex) }
        return try body()
    }

    /// The process's mutex: the first caller's is kept, whichever copy of this module the caller is in.
    private static func findOrCreate() -> UnsafeMutablePointer<GMutex> {
        let name = unsafe g_quark_from_string("gscap-registration-lock")
        let registry = unsafe UnsafeMutableRawPointer(gst_registry_get()).assumingMemoryBound(to: GObject.self)
        let created = UnsafeMutablePointer<GMutex>.allocate(capacity: 1)
        unsafe g_mutex_init(created)
        if unsafe g_object_replace_qdata(registry, name, nil, created, nil, nil) != 0 { return unsafe created }
        unsafe g_mutex_clear(created)
        unsafe created.deallocate()
        return unsafe g_object_get_qdata(registry, name).assumingMemoryBound(to: GMutex.self)
    }
}
