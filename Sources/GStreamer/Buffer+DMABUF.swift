internal import CGStreamer

extension Buffer {
    /// Creates a buffer over memory that other devices can use, which a descriptor names (DMABUF). The buffer closes
    /// the descriptor, and retains `owner`, which owns the memory, until the buffer's memory is freed.
    package init(dmabuf descriptor: Int32, size: Int, keeping owner: some AnyObject & Sendable) throws(GscapError) {
        try GStreamerRuntime.start()
        let allocator = unsafe gst_dmabuf_allocator_new()
        defer { unsafe gst_object_unref(allocator) }
        guard let memory = unsafe gst_dmabuf_allocator_alloc(allocator, descriptor, gsize(size)),
            let buffer = unsafe gst_buffer_new()
        else { throw GscapError(message: "cannot share memory of \(size) bytes", place: "buffer") }
        unsafe gst_mini_object_set_qdata(
            UnsafeMutableRawPointer(memory).assumingMemoryBound(to: GstMiniObject.self),
            g_quark_from_static_string("gscap-memory-owner"), Unmanaged.passRetained(owner).toOpaque(),
            { owner in if let owner = unsafe owner { unsafe Unmanaged<AnyObject>.fromOpaque(owner).release() } })
        unsafe gst_buffer_append_memory(buffer, memory)
        unsafe self.init(takingFull: buffer)
    }
}
