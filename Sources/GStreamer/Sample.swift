internal import CGStreamer

/// A buffer together with its caps (GstSample).
@safe public final class Sample: @unchecked Sendable {
    // Sendable: immutable after creation, and the reference count is atomic.
    private let pointer: OpaquePointer

    /// Takes ownership of the caller's reference (transfer full).
    init(takingFull pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// Adds a reference; the caller keeps its own (transfer none).
    convenience init(retainingNone pointer: OpaquePointer) {
        unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(pointer))
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(pointer))
    }

    /// The caps of the buffer; nil if the sample has none.
    public var caps: Caps? {
        unsafe gst_sample_get_caps(pointer).map { unsafe Caps(retainingNone: $0) }
    }

    /// The segment of the buffer's timestamp.
    public var segment: Segment? {
        unsafe gst_sample_get_segment(pointer).map { unsafe Segment($0.pointee) }
    }

    /// A reference to the buffer; nil if the sample has none.
    public var buffer: Buffer? {
        unsafe gst_sample_get_buffer(pointer).map { unsafe Buffer(retainingNone: $0) }
    }
}

extension Sample {
    /// Creates a sample of a buffer, which it retains, its caps, and the segment of its timestamp.
    public convenience init(
        _ buffer: borrowing Buffer, caps: Caps?, segment: Segment? = nil
    ) throws(GscapError) {
        let pointer = unsafe withUnsafePointer(to: segment?.segment ?? GstSegment()) {
            unsafe gst_sample_new(buffer.pointer, caps?.pointer, segment == nil ? nil : $0, nil)
        }
        guard let pointer = unsafe pointer else {
            throw GscapError(message: "cannot create a sample", place: "sample")
        }
        unsafe self.init(takingFull: pointer)
    }

    /// The C sample, for calls that retain it themselves.
    var borrowed: OpaquePointer { unsafe pointer }

    /// Stores a reference to the sample in a GValue of the type GstSample.
    func set(_ value: UnsafeMutablePointer<GValue>) {
        unsafe g_value_set_boxed(value, UnsafeRawPointer(pointer))
    }
}

extension Sample: Hashable {
    /// Whether two values are the same GstSample.
    public static func == (left: Sample, right: Sample) -> Bool { unsafe left.pointer == right.pointer }

    /// Hashes the identity of the GstSample.
    public func hash(into hasher: inout Hasher) { unsafe hasher.combine(pointer) }
}
