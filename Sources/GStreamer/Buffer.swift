internal import CGStreamer
internal import CGStreamerShims

/// A buffer of a pipeline: bytes, times, metadata. It owns one reference.
@safe public struct Buffer: ~Copyable, @unchecked Sendable {
    // Sendable: the count is atomic; bytes and metadata are written only through a buffer that C says is writable, that is,
    // one with this sole reference.
    let pointer: UnsafeMutablePointer<GstBuffer>

    /// Takes over a reference. // transfer: full
    init(takingFull pointer: UnsafeMutablePointer<GstBuffer>) {
        unsafe self.pointer = pointer
    }

    /// Takes a reference of its own. // transfer: none
    init(retainingNone pointer: UnsafeMutablePointer<GstBuffer>) {
        unsafe retainMiniObject(pointer)
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe releaseMiniObject(pointer)
    }

    /// Gives the reference away. // transfer: full
    consuming func intoFull() -> UnsafeMutablePointer<GstBuffer> {
        let pointer = unsafe self.pointer
        discard self
        return unsafe pointer
    }

    /// A buffer of new memory with undefined content.
    public init(size: Int) throws(GStreamerError) {
        try GStreamerRuntime.start()
        guard size >= 0, let pointer = unsafe gst_buffer_new_allocate(nil, gsize(size), nil) else {
            throw GStreamerError(message: "no memory for a buffer of \(size) bytes", place: "buffer")
        }
        unsafe self.init(takingFull: pointer)
    }

    /// A buffer with a copy of bytes: for small data and tests.
    public init(copying bytes: [UInt8]) throws(GStreamerError) {
        try self.init(size: bytes.count)
        _ = unsafe bytes.withUnsafeBytes { unsafe gst_buffer_fill(pointer, 0, $0.baseAddress, gsize($0.count)) }
    }

    /// A second reference to the same buffer; both are read-only while the other lives.
    public func copyRef() -> Buffer {
        unsafe Buffer(retainingNone: pointer)
    }

    /// A buffer with metadata of its own over the same memory. It keeps this one, and with it its pool's memory, alive.
    public func sharingMemory() throws(GStreamerError) -> Buffer {
        guard let copy = unsafe gscap_buffer_copy_with_parent(pointer) else {
            throw GStreamerError(message: "no memory for a buffer", place: "buffer")
        }
        return unsafe Buffer(takingFull: copy)
    }

    /// How many bytes it holds.
    public var size: Int { unsafe Int(gst_buffer_get_size(pointer)) }

    /// Whether this is the only reference, so that times, flags and metadata may change.
    public var isWritable: Bool {
        unsafe isMiniObjectWritable(pointer)
    }

    /// When it is to be shown, in nanoseconds of stream time.
    public var presentationTime: UInt64? {
        get { unsafe Self.time(UInt64(pointer.pointee.pts)) }
        set { unsafe pointer.pointee.pts = UInt(newValue ?? UInt64.max) }
    }

    /// When it is to be decoded.
    public var decodingTime: UInt64? {
        get { unsafe Self.time(UInt64(pointer.pointee.dts)) }
        set { unsafe pointer.pointee.dts = UInt(newValue ?? UInt64.max) }
    }

    /// How long it lasts, in nanoseconds.
    public var duration: UInt64? {
        get { unsafe Self.time(UInt64(pointer.pointee.duration)) }
        set { unsafe pointer.pointee.duration = UInt(newValue ?? UInt64.max) }
    }

    /// The buffer's number in its stream, by the source's count.
    public var offset: UInt64? {
        get { unsafe Self.time(UInt64(pointer.pointee.offset)) }
        set { unsafe pointer.pointee.offset = UInt(newValue ?? UInt64.max) }
    }

    private static func time(_ value: UInt64) -> UInt64? { value == UInt64.max ? nil : value }

    /// Copies times, flags and custom metadata from another buffer.
    public mutating func copyTimes(from other: borrowing Buffer) {
        unsafe pointer.pointee.pts = other.pointer.pointee.pts
        unsafe pointer.pointee.dts = other.pointer.pointee.dts
        unsafe pointer.pointee.duration = other.pointer.pointee.duration
        unsafe pointer.pointee.offset = other.pointer.pointee.offset
    }

    /// Keeps only the first `size` bytes.
    public mutating func truncate(to size: Int) {
        unsafe gst_buffer_set_size(pointer, gssize(min(max(0, size), self.size)))
    }
}

extension Buffer {
    /// Lets `body` read the bytes.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe mapped(GST_MAP_READ) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)))
        }
    }

    /// Lets `body` read the bytes as values of a plain type; bytes left over at the end are not seen.
    public func withValues<T: BitwiseCopyable, R: ~Copyable, E: Error>(
        of type: T.Type, _ body: (Span<T>) throws(E) -> R
    ) throws(E) -> R {
        try unsafe mapped(GST_MAP_READ) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            try unsafe body(Span(_unsafeElements: UnsafeBufferPointer(Self.values(in: bytes))))
        }
    }

    /// Lets `body` change the bytes; it sees none when the memory is shared or read-only.
    public mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (inout MutableRawSpan) throws(E) -> R
    ) throws(E) -> R {
        try unsafe mapped(GST_MAP_WRITE) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            var span = unsafe MutableRawSpan(_unsafeBytes: bytes)
            return try body(&span)
        }
    }

    /// Lets `body` change the bytes as values of a plain type; it sees none when the memory is shared or read-only.
    public mutating func withMutableValues<T: BitwiseCopyable, R: ~Copyable, E: Error>(
        of type: T.Type, _ body: (inout MutableSpan<T>) throws(E) -> R
    ) throws(E) -> R {
        try unsafe mapped(GST_MAP_WRITE) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            var span = unsafe MutableSpan<T>(_unsafeElements: Self.values(in: bytes))
            return try body(&span)
        }
    }

    /// Maps the memory for the time of `body`, which sees no bytes when it cannot be mapped.
    private func mapped<R: ~Copyable, E: Error>(
        _ access: GstMapFlags, _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        var map = unsafe GstMapInfo()
        let isAllowed = access == GST_MAP_READ || isWritable
        guard isAllowed, unsafe gst_buffer_map(pointer, &map, access) != 0 else {
            return try unsafe body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        }
        defer { unsafe gst_buffer_unmap(pointer, &map) }
        return try unsafe body(UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
    }

    /// The whole values in mapped bytes; none when the memory is not aligned for them.
    private static func values<T: BitwiseCopyable>(
        in bytes: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableBufferPointer<T> {
        guard let start = bytes.baseAddress, Int(bitPattern: start) % MemoryLayout<T>.alignment == 0 else {
            return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeMutableBufferPointer(
            start: start.assumingMemoryBound(to: T.self), count: bytes.count / MemoryLayout<T>.stride)
    }
}

extension Buffer {
    /// A read-only buffer over memory that somebody else owns, without a copy. `owner` is kept until nobody reads any more.
    package init(over memory: UnsafeRawBufferPointer, keeping owner: some AnyObject & Sendable) throws(GStreamerError) {
        try GStreamerRuntime.start()
        let wrapped = unsafe gst_buffer_new_wrapped_full(
            GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: memory.baseAddress), gsize(memory.count), 0,
            gsize(memory.count), Unmanaged.passRetained(owner).toOpaque(),
            { owner in if let owner = unsafe owner { unsafe Unmanaged<AnyObject>.fromOpaque(owner).release() } })
        guard let wrapped = unsafe wrapped else {
            throw GStreamerError(message: "no buffer over \(memory.count) bytes", place: "buffer")
        }
        unsafe self.init(takingFull: wrapped)
    }
}
