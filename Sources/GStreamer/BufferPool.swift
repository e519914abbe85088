internal import CGStreamer

/// Buffers of one size that come back to be used again, so that a stream in steady state allocates nothing.
@safe public final class BufferPool: @unchecked Sendable {
    // Sendable: GstBufferPool is thread-safe.
    private let pointer: UnsafeMutablePointer<GstBufferPool>

    /// How many bytes each buffer holds.
    public let size: Int

    /// A pool of buffers of `size` bytes, ready for use. It grows with the demand.
    public init(size: Int, caps: Caps? = nil) throws(GStreamerError) {
        try GStreamerRuntime.start()
        guard let size32 = UInt32(exactly: size), let pointer = unsafe gst_buffer_pool_new() else {
            throw GStreamerError(message: "no pool of buffers of \(size) bytes", place: "buffer pool")
        }
        unsafe self.pointer = pointer
        self.size = size
        let configuration = unsafe gst_buffer_pool_get_config(pointer)
        unsafe gst_buffer_pool_config_set_params(configuration, caps?.pointer, size32, 0, 0)
        guard unsafe gst_buffer_pool_set_config(pointer, configuration) != 0,
            unsafe gst_buffer_pool_set_active(pointer, 1) != 0
        else {
            throw GStreamerError(message: "the pool refuses buffers of \(size) bytes", place: "buffer pool")
        }
    }

    deinit {
        // Buffers that are still out keep the C object alive and free themselves later.
        unsafe gst_buffer_pool_set_active(pointer, 0)
        unsafe gst_object_unref(pointer)
    }

    /// A buffer of the pool, with undefined content.
    public func acquire() throws(FlowError) -> Buffer {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        try FlowError.check(unsafe gst_buffer_pool_acquire_buffer(pointer, &buffer, nil))
        guard let buffer = unsafe buffer else { throw .error }
        return unsafe Buffer(takingFull: buffer)
    }
}
