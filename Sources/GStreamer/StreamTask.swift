internal import CGStreamer
internal import CGStreamerShims
internal import Glibc

/// The work of a streaming thread that is about to start.
@safe public final class StreamTask: @unchecked Sendable {
    // Sendable: GstTask is thread-safe.
    private let pointer: UnsafeMutablePointer<GstTask>

    private init(retainingNone pointer: UnsafeMutablePointer<GstTask>) {
        unsafe gst_object_ref(pointer)
        unsafe self.pointer = pointer
    }

    deinit { unsafe gst_object_unref(pointer) }

    /// Reads the task of a message about a thread; nil unless the task has just been created.
    convenience init?(createdBy message: UnsafeMutablePointer<GstMessage>) {
        var type = GST_STREAM_STATUS_TYPE_ENTER
        unsafe gst_message_parse_stream_status(message, &type, nil)
        guard type == GST_STREAM_STATUS_TYPE_CREATE, let value = unsafe gst_message_get_stream_status_object(message),
            let object = unsafe g_value_get_object(value),
            unsafe gscap_instance_is_a(object, gst_task_get_type()) != 0
        else { return nil }
        unsafe self.init(retainingNone: object.assumingMemoryBound(to: GstTask.self))
    }

    /// Runs the task on a separate thread with a higher nice value, so that other threads get a processor first.
    /// Threads that the task starts inherit the nice value. Call this in the handler of the message about the task.
    public func runInBackground() {
        if let pool = unsafe BackgroundPool.shared?.pointer { unsafe gst_task_set_pool(pointer, pool) }
    }
}

/// The threads of tasks in the background. Each ends with its task: a thread cannot raise its priority again, so it
/// must not return to the threads that all pipelines share.
@safe private struct BackgroundPool: @unchecked Sendable {
    // Sendable: the pool has no state, and lives until the process exits.
    let pointer: UnsafeMutablePointer<GstTaskPool>

    static let shared = BackgroundPool()

    /// The nice value beyond that of the process. Threads with the process's own get three times the processor time.
    private static let niceness: Int32 = 5

    /// The function that a new thread calls, and its argument.
    @unsafe private struct Work {
        let body: GstTaskPoolFunction
        let data: UnsafeMutableRawPointer?
    }

    private init?() {
        guard let pool = unsafe g_object_new_with_properties(Self.type, 0, nil, nil) else { return nil }
        unsafe pointer = gst_object_ref_sink(pool).assumingMemoryBound(to: GstTaskPool.self)
        // The flag keeps the leaks tracer from reporting it.
        unsafe pointer.pointee.object.flags |= GST_OBJECT_FLAG_MAY_BE_LEAKED.rawValue
    }

    /// The class of the pool, registered once for all copies of this module in the process.
    private static var type: GType {
        ProcessWideLock.withLock {
            let name = "GscapBackgroundPool"
            let existing = unsafe g_type_from_name(name)
            if existing != gscap_type_invalid { return existing }
            var info = unsafe GTypeInfo()
            unsafe info.class_size = UInt16(clamping: MemoryLayout<GstTaskPoolClass>.size)
            unsafe info.instance_size = UInt16(clamping: MemoryLayout<GstTaskPool>.size)
            unsafe info.class_init = { anyClass, _ in
                if let anyClass = unsafe anyClass {
                    unsafe BackgroundPool.fill(anyClass.assumingMemoryBound(to: GstTaskPoolClass.self))
                }
            }
            return unsafe g_type_register_static(gst_task_pool_get_type(), name, &info, GTypeFlags(rawValue: 0))
        }
    }

    private static func fill(_ poolClass: UnsafeMutablePointer<GstTaskPoolClass>) {
        unsafe poolClass.pointee.prepare = { _, _ in }
        unsafe poolClass.pointee.cleanup = { _ in }
        // A task waits by itself until its function has returned.
        unsafe poolClass.pointee.join = { _, _ in }
        unsafe poolClass.pointee.push = { _, body, data, error in
            guard let body = unsafe body else { return nil }
            let work = UnsafeMutablePointer<Work>.allocate(capacity: 1)
            unsafe work.initialize(to: Work(body: body, data: data))
            let thread = unsafe g_thread_try_new("background", { unsafe BackgroundPool.run($0) }, work, error)
            if let thread = unsafe thread { unsafe g_thread_unref(thread) } else { unsafe work.deallocate() }
            return nil
        }
    }

    /// The function of a thread.
    private static func run(_ data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let work = unsafe data?.assumingMemoryBound(to: Work.self) else { return nil }
        // On Linux, 0 means the calling thread alone, and the process's ID its first thread.
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        _ = setpriority(which, 0, getpriority(which, id_t(getpid())) + niceness)
        let (body, argument) = unsafe (work.pointee.body, work.pointee.data)
        unsafe work.deallocate()
        unsafe body(argument)
        return nil
    }
}
