internal import CGStreamer

/// A lock shared by all copies of this module in a process.
///
/// A host program may link this module and also load the plugin, which contains another copy. GStreamer's tables of
/// types and metadata are global to the process, so checking for a name and then registering it must exclude the other
/// copy too. The mutex is therefore attached to an object shared by the whole process: GStreamer's registry.
enum ProcessWideLock {
    // The mutex is never freed, because any thread may be about to lock it.
    @safe private struct Shared: @unchecked Sendable {
        // Sendable: a GMutex may be used from any thread, and its address never changes.
        let mutex: UnsafeMutablePointer<GMutex>
    }

    private static let shared = unsafe Shared(mutex: findOrCreate())

    /// Runs `body` while holding the lock. Not reentrant.
    static func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe g_mutex_lock(shared.mutex)
        defer { unsafe g_mutex_unlock(shared.mutex) }
        return try body()
    }

    /// Returns the mutex attached to the registry, attaching a new one on the first call in the process.
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
