internal import CGStreamer

/// A buffer with the caps it was sent under.
@safe public final class Sample: @unchecked Sendable {
    // Sendable: immutable once made, and its count is atomic.
    private let pointer: OpaquePointer

    /// Takes over a reference. // transfer: full
    init(takingFull pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(pointer))
    }

    /// The format of the buffer.
    public var caps: Caps? {
        unsafe gst_sample_get_caps(pointer).map { unsafe Caps(retainingNone: $0) }
    }

    /// A reference to the buffer.
    public var buffer: Buffer? {
        unsafe gst_sample_get_buffer(pointer).map { unsafe Buffer(retainingNone: $0) }
    }
}
