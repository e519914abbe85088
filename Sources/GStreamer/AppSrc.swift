internal import CGStreamer

/// The start of a pipeline in the application: buffers go in here.
///
/// Back-pressure: with `maxBuffers` set, `push` waits until the pipeline has taken what it was given.
public final class AppSrc: Element, @unchecked Sendable {
    private var source: UnsafeMutablePointer<GstAppSrc> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstAppSrc.self)
    }

    /// A source that holds up to `maxBuffers` buffers (0: any number); `push` waits while it is full.
    public convenience init(name: String? = nil, caps: Caps? = nil, maxBuffers: Int = 0) throws(GStreamerError) {
        try unsafe self.init(retainingNone: Self.make(factory: "appsrc", name: name))
        if let caps { setCaps(caps) }
        unsafe gst_app_src_set_max_bytes(source, 0)
        unsafe gst_app_src_set_max_buffers(source, UInt(max(0, maxBuffers)))
        try set("block", true)
        try set("format", "time")
    }

    /// The appsrc that an element of a parsed pipeline is; nil when it is another kind.
    public convenience init?(_ element: Element) {
        guard element.factoryName == "appsrc" else { return nil }
        unsafe self.init(retainingNone: element.pointer)
    }

    /// Says what the buffers from now on are.
    public func setCaps(_ caps: Caps) {
        unsafe gst_app_src_set_caps(source, caps.pointer)
    }

    /// Hands a buffer over; waits while the source is full.
    public func push(_ buffer: consuming Buffer) throws(FlowError) {
        try FlowError.check(unsafe gst_app_src_push_buffer(source, buffer.intoFull()))
    }

    /// Says that no more will come.
    public func endOfStream() {
        unsafe gst_app_src_end_of_stream(source)
    }

    /// How many buffers wait in it.
    public var waiting: Int { unsafe Int(gst_app_src_get_current_level_buffers(source)) }
}
