internal import CGStreamer

/// A buffer together with its caps (GstSample).
@safe public final class Sample: @unchecked Sendable {
    // Sendable: immutable after creation, and the reference count is atomic.
    private let pointer: OpaquePointer

    /// Takes ownership of the caller's reference (transfer full).
    init(takingFull pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(pointer))
    }

    /// The caps of the buffer; nil if the sample has none.
    public var caps: Caps? {
        unsafe gst_sample_get_caps(pointer).map { unsafe Caps(retainingNone: $0) }
    }

    /// A reference to the buffer; nil if the sample has none.
    public var buffer: Buffer? {
        unsafe gst_sample_get_buffer(pointer).map { unsafe Buffer(retainingNone: $0) }
    }
}
