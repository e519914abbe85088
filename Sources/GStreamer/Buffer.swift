internal import CGStreamer
internal import CGStreamerShims

/// A GStreamer buffer: memory, timestamps and metadata. Owns one reference.
@safe public struct Buffer: ~Copyable, @unchecked Sendable {
    // Sendable: the reference count is atomic; bytes and metadata are written only while GStreamer reports the buffer
    // as writable, that is, while this reference is the only one.
    let pointer: UnsafeMutablePointer<GstBuffer>

    /// Takes ownership of the caller's reference (transfer full).
    init(takingFull pointer: UnsafeMutablePointer<GstBuffer>) {
        unsafe self.pointer = pointer
    }

    /// Adds a reference; the caller keeps its own (transfer none).
    init(retainingNone pointer: UnsafeMutablePointer<GstBuffer>) {
        unsafe retainMiniObject(pointer)
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe releaseMiniObject(pointer)
    }

    /// Returns the C buffer and transfers this reference to the caller (transfer full).
    consuming func intoFull() -> UnsafeMutablePointer<GstBuffer> {
        let pointer = unsafe self.pointer
        discard self
        return unsafe pointer
    }

    /// Allocates a buffer of `size` bytes with undefined content.
    public init(size: Int) throws(GscapError) {
        try GStreamerRuntime.start()
        guard size >= 0, let pointer = unsafe gst_buffer_new_allocate(nil, gsize(size), nil) else {
            throw GscapError(message: "cannot allocate a buffer of \(size) bytes", place: "buffer")
        }
        unsafe self.init(takingFull: pointer)
    }

    /// Creates a buffer with a copy of `bytes`; for small data and tests.
    public init(copying bytes: [UInt8]) throws(GscapError) {
        try self.init(size: bytes.count)
        _ = unsafe bytes.withUnsafeBytes { unsafe gst_buffer_fill(pointer, 0, $0.baseAddress, gsize($0.count)) }
    }

    /// Returns a second reference to the same buffer. The buffer is read-only while both references exist.
    public func newReference() -> Buffer {
        unsafe Buffer(retainingNone: pointer)
    }

    /// Returns a buffer that shares this buffer's memory and has its own copy of the metadata. The copy keeps this
    /// buffer alive, so that the memory does not return to its pool.
    public func copySharingMemory() throws(GscapError) -> Buffer {
        guard let copy = unsafe gscap_buffer_copy_with_parent(pointer) else {
            throw GscapError(message: "cannot copy the buffer", place: "buffer")
        }
        return unsafe Buffer(takingFull: copy)
    }

    /// As `copySharingMemory`, and keeps `owner` until the last buffer is released that shares the memory by this copy.
    public func copySharingMemory(keeping owner: some AnyObject & Sendable) throws(GscapError) -> Buffer {
        let copy = unsafe gscap_buffer_copy_with_owner(
            pointer, Unmanaged.passRetained(owner).toOpaque(),
            { owner in if let owner = unsafe owner { unsafe Unmanaged<AnyObject>.fromOpaque(owner).release() } })
        guard let copy = unsafe copy else {
            throw GscapError(message: "cannot copy the buffer", place: "buffer")
        }
        return unsafe Buffer(takingFull: copy)
    }

    /// The size of the buffer's content, in bytes.
    public var size: Int { unsafe Int(gst_buffer_get_size(pointer)) }

    /// Whether the buffer returns to a GstBufferPool, which may have few buffers, as that of a camera.
    public var isFromPool: Bool { unsafe pointer.pointee.pool != nil }

    /// Whether this is the only reference, so that timestamps, flags and metadata may change.
    public var isWritable: Bool {
        unsafe isMiniObjectWritable(pointer)
    }

    /// The presentation timestamp in nanoseconds; nil if unset.
    public var presentationTime: UInt64? {
        get { unsafe Self.optional(UInt64(pointer.pointee.pts)) }
        set { unsafe pointer.pointee.pts = UInt(newValue ?? UInt64.max) }
    }

    /// The decoding timestamp in nanoseconds; nil if unset.
    public var decodingTime: UInt64? {
        get { unsafe Self.optional(UInt64(pointer.pointee.dts)) }
        set { unsafe pointer.pointee.dts = UInt(newValue ?? UInt64.max) }
    }

    /// The duration in nanoseconds; nil if unset.
    public var duration: UInt64? {
        get { unsafe Self.optional(UInt64(pointer.pointee.duration)) }
        set { unsafe pointer.pointee.duration = UInt(newValue ?? UInt64.max) }
    }

    /// The buffer's offset as its source defines it, such as a frame number; nil if unset.
    public var offset: UInt64? {
        get { unsafe Self.optional(UInt64(pointer.pointee.offset)) }
        set { unsafe pointer.pointee.offset = UInt(newValue ?? UInt64.max) }
    }

    private static func optional(_ value: UInt64) -> UInt64? { value == UInt64.max ? nil : value }

    /// The times and the offset of a buffer.
    public struct Timestamps: Sendable, Hashable {
        fileprivate let presentation, decoding, duration, offset: UInt64?
    }

    /// The presentation and decoding timestamps, the duration and the offset.
    public var timestamps: Timestamps {
        get {
            Timestamps(presentation: presentationTime, decoding: decodingTime, duration: duration, offset: offset)
        }
        set {
            (presentationTime, decodingTime) = (newValue.presentation, newValue.decoding)
            (duration, offset) = (newValue.duration, newValue.offset)
        }
    }

    /// Truncates the buffer to its first `size` bytes.
    public mutating func truncate(to size: Int) {
        unsafe gst_buffer_set_size(pointer, gssize(min(max(0, size), self.size)))
    }
}

extension Buffer {
    /// Calls `body` with the bytes, mapped for reading. The span is empty if mapping fails.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe mapped(GST_MAP_READ) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)))
        }
    }

    /// Calls `body` with the bytes as values of a plain type; trailing bytes that do not fill a value are left out.
    /// Memory that is not aligned for the type is copied first. The span is empty if mapping fails.
    public func withValues<T: BitwiseCopyable, R: ~Copyable, E: Error>(
        of type: T.Type, _ body: (Span<T>) throws(E) -> R
    ) throws(E) -> R {
        try unsafe mapped(GST_MAP_READ) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            if unsafe Self.isAligned(bytes, for: type) {
                return try unsafe body(Span(_unsafeElements: UnsafeBufferPointer(Self.values(in: bytes))))
            }
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: bytes.count, alignment: MemoryLayout<T>.alignment)
            defer { unsafe copy.deallocate() }
            unsafe copy.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return try unsafe body(Span(_unsafeElements: UnsafeBufferPointer(Self.values(in: copy))))
        }
    }

    /// Calls `body` with the bytes, mapped for writing. The span is empty if the buffer is not writable.
    public mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (inout MutableRawSpan) throws(E) -> R
    ) throws(E) -> R {
        try unsafe mapped(GST_MAP_WRITE) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            var span = unsafe MutableRawSpan(_unsafeBytes: bytes)
            return try body(&span)
        }
    }

    /// Calls `body` with the bytes as values of a plain type, mapped for writing. The span is empty if the buffer is
    /// not writable or the memory is not aligned for the type.
    public mutating func withMutableValues<T: BitwiseCopyable, R: ~Copyable, E: Error>(
        of type: T.Type, _ body: (inout MutableSpan<T>) throws(E) -> R
    ) throws(E) -> R {
        try unsafe mapped(GST_MAP_WRITE) { (bytes: UnsafeMutableRawBufferPointer) throws(E) -> R in
            var span = unsafe MutableSpan<T>(_unsafeElements: Self.values(in: bytes))
            return try body(&span)
        }
    }

    /// Maps the buffer's memory while `body` runs; `body` receives an empty range if mapping fails or if write access
    /// is not allowed.
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

    private static func isAligned<T>(_ bytes: UnsafeMutableRawBufferPointer, for type: T.Type) -> Bool {
        Int(bitPattern: bytes.baseAddress) % MemoryLayout<T>.alignment == 0
    }

    /// Returns the mapped bytes as values of the type, without trailing bytes that do not fill one; none if the memory
    /// is not aligned for the type.
    private static func values<T: BitwiseCopyable>(
        in bytes: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableBufferPointer<T> {
        guard let start = bytes.baseAddress, unsafe isAligned(bytes, for: T.self) else {
            return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeMutableBufferPointer(
            start: start.assumingMemoryBound(to: T.self), count: bytes.count / MemoryLayout<T>.stride)
    }
}

extension Buffer {
    /// Creates a read-only buffer over existing memory, without a copy. `owner` owns the memory and is retained until
    /// the buffer's memory is freed.
    package init(over memory: UnsafeRawBufferPointer, keeping owner: some AnyObject & Sendable) throws(GscapError) {
        try GStreamerRuntime.start()
        let wrapped = unsafe gst_buffer_new_wrapped_full(
            GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: memory.baseAddress), gsize(memory.count), 0,
            gsize(memory.count), Unmanaged.passRetained(owner).toOpaque(),
            { owner in if let owner = unsafe owner { unsafe Unmanaged<AnyObject>.fromOpaque(owner).release() } })
        guard let wrapped = unsafe wrapped else {
            throw GscapError(message: "cannot wrap \(memory.count) bytes in a buffer", place: "buffer")
        }
        unsafe self.init(takingFull: wrapped)
    }

    /// Creates a read-only buffer over the memory of an array, without a copy.
    package init<Element: BitwiseCopyable & Sendable>(sharing values: [Element]) throws(GscapError) {
        let owner = ArrayOwner(values)
        // Safe: plain values are in one block of memory, which stays at its address while the owner keeps the array and
        // nobody changes it.
        let memory = unsafe owner.values.withUnsafeBytes { unsafe $0 }
        try unsafe self.init(over: memory, keeping: owner)
    }
}

/// Keeps an array alive.
private final class ArrayOwner<Element: Sendable>: Sendable {
    let values: [Element]

    init(_ values: [Element]) { self.values = values }
}
