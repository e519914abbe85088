internal import CGStreamer

/// A pool of reusable buffers of one size, so that a stream in steady state allocates no memory.
@safe public final class BufferPool: @unchecked Sendable {
    // Sendable: GstBufferPool is thread-safe.
    private let pointer: UnsafeMutablePointer<GstBufferPool>

    /// The size of each buffer in bytes.
    public let size: Int

    /// Creates an active pool of buffers of `size` bytes, which grows without limit on demand.
    public init(size: Int, caps: Caps? = nil) throws(GStreamerError) {
        try GStreamerRuntime.start()
        guard let size32 = UInt32(exactly: size), let pointer = unsafe gst_buffer_pool_new() else {
            throw GStreamerError(message: "cannot create a pool of \(size)-byte buffers", place: "buffer pool")
        }
        unsafe self.pointer = pointer
        self.size = size
        let configuration = unsafe gst_buffer_pool_get_config(pointer)
        unsafe gst_buffer_pool_config_set_params(configuration, caps?.pointer, size32, 0, 0)
        guard unsafe gst_buffer_pool_set_config(pointer, configuration) != 0,
            unsafe gst_buffer_pool_set_active(pointer, 1) != 0
        else {
            throw GStreamerError(message: "the pool rejects a buffer size of \(size) bytes", place: "buffer pool")
        }
    }

    deinit {
        // Outstanding buffers keep the C pool alive; they are freed when they return to the inactive pool.
        unsafe gst_buffer_pool_set_active(pointer, 0)
        unsafe gst_object_unref(pointer)
    }

    /// Takes a buffer from the pool, allocating one if none is free; its content is undefined.
    public func acquire() throws(FlowError) -> Buffer {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        try FlowError.check(unsafe gst_buffer_pool_acquire_buffer(pointer, &buffer, nil))
        guard let buffer = unsafe buffer else { throw .error }
        return unsafe Buffer(takingFull: buffer)
    }
}
