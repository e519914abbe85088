internal import CGStreamer

/// An appsrc: the source element into which the application pushes buffers.
///
/// When `maxBuffers` is set and that many buffers are queued, `push` blocks until the pipeline consumes one.
public final class AppSrc: Element, @unchecked Sendable {
    private var source: UnsafeMutablePointer<GstAppSrc> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstAppSrc.self)
    }

    /// Creates an appsrc that queues up to `maxBuffers` buffers (0 for no limit); `push` blocks while the queue is
    /// full. Timestamps are in nanoseconds (format=time).
    public convenience init(name: String? = nil, caps: Caps? = nil, maxBuffers: Int = 0) throws(GscapError) {
        try unsafe self.init(retainingNone: Self.make(factory: "appsrc", name: name))
        if let caps { setCaps(caps) }
        unsafe gst_app_src_set_max_bytes(source, 0)
        unsafe gst_app_src_set_max_buffers(source, UInt(max(0, maxBuffers)))
        try set("block", true)
        try set("format", "time")
    }

    /// Wraps an element of a parsed pipeline; nil unless its factory is appsrc.
    public convenience init?(_ element: Element) {
        guard element.factoryName == "appsrc" else { return nil }
        unsafe self.init(retainingNone: element.pointer)
    }

    /// Sets the caps of the buffers pushed from now on.
    public func setCaps(_ caps: Caps) {
        unsafe gst_app_src_set_caps(source, caps.pointer)
    }

    /// The caps of the buffers pushed from now on; nil if none are set.
    public var caps: Caps? { unsafe gst_app_src_get_caps(source).map { unsafe Caps(takingFull: $0) } }

    /// Pushes a buffer into the pipeline; blocks while the queue is full.
    public func push(_ buffer: consuming Buffer) throws(FlowError) {
        try FlowError.check(unsafe gst_app_src_push_buffer(source, buffer.intoFull()))
    }

    /// Pushes the buffer of a sample into the pipeline, with the sample's segment if it changes and the property
    /// `handle-segment-change` is set; blocks while the queue is full.
    public func push(_ sample: Sample) throws(FlowError) {
        try FlowError.check(unsafe gst_app_src_push_sample(source, sample.borrowed))
    }

    /// Signals the end of the stream: no more buffers follow.
    public func endOfStream() {
        unsafe gst_app_src_end_of_stream(source)
    }

    /// The number of buffers that were pushed and that the pipeline has not consumed yet.
    public var waiting: Int { unsafe Int(gst_app_src_get_current_level_buffers(source)) }
}
