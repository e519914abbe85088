internal import CGStreamer

/// An appsink: the sink element from which the application takes samples.
///
/// When `maxBuffers` is set and that many samples are queued, the pipeline blocks until the application takes one.
public final class AppSink: Element, @unchecked Sendable {
    private var sink: UnsafeMutablePointer<GstAppSink> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstAppSink.self)
    }

    /// Creates an appsink that accepts `caps` and queues up to `maxBuffers` samples (0 for no limit) before it blocks
    /// the pipeline. Clock synchronization is off.
    public convenience init(name: String? = nil, caps: Caps? = nil, maxBuffers: Int = 0) throws(GscapError) {
        try unsafe self.init(retainingNone: Self.make(factory: "appsink", name: name))
        if let caps { unsafe gst_app_sink_set_caps(sink, caps.pointer) }
        unsafe gst_app_sink_set_max_buffers(sink, UInt32(clamping: maxBuffers))
        try set("sync", false)
    }

    /// Wraps an element of a parsed pipeline; nil unless its factory is appsink.
    public convenience init?(_ element: Element) {
        guard element.factoryName == "appsink" else { return nil }
        unsafe self.init(retainingNone: element.pointer)
    }

    /// A sample or an event, in the order in which the sink received them.
    public enum Item: Sendable {
        case sample(Sample)
        case event(Event)
    }

    /// Returns the next sample or event, or nil if none arrives within `timeout`.
    public func next(timeout: Duration = .zero) -> Item? {
        guard let object = unsafe gst_app_sink_try_pull_object(sink, timeout.clockTime) else { return nil }
        let raw = UnsafeMutableRawPointer(object)
        if unsafe object.pointee.type == gst_event_get_type() {
            return unsafe .event(Event(takingFull: raw.assumingMemoryBound(to: GstEvent.self)))
        }
        return unsafe .sample(Sample(takingFull: OpaquePointer(raw)))
    }

    /// Returns the next sample, or nil if none arrives within `timeout`. Events before the sample are discarded.
    public func nextSample(timeout: Duration) -> Sample? {
        unsafe gst_app_sink_try_pull_sample(sink, timeout.clockTime).map { unsafe Sample(takingFull: $0) }
    }

    /// Whether the end of the stream was reached and every queued sample was taken.
    public var isAtEnd: Bool { unsafe gst_app_sink_is_eos(sink) != 0 }

    /// Calls `handler` on the streaming thread whenever a sample or event can be taken with `next`, and `ended` at the
    /// end of the stream. An error that `handler` returns for a sample becomes the flow return of the pad.
    public func setHandler(
        _ handler: @escaping @Sendable (AppSink) -> FlowError?, ended: @escaping @Sendable () -> Void
    ) {
        let box = SinkBox(handler: handler, ended: ended)
        var callbacks = GstAppSinkCallbacks()
        unsafe callbacks.eos = { _, context in
            if let context = unsafe context {
                unsafe Unmanaged<SinkBox>.fromOpaque(context).takeUnretainedValue().ended()
            }
        }
        unsafe callbacks.new_sample = { sink, context in unsafe SinkBox.call(sink, context) }
        unsafe callbacks.new_event = { sink, context in
            _ = unsafe SinkBox.call(sink, context)
            // 1 would keep the event from the base class, which after a flush would go on to discard all data.
            return 0
        }
        unsafe gst_app_sink_set_callbacks(
            sink, &callbacks, Unmanaged.passRetained(box).toOpaque(),
            { context in if let context = unsafe context { unsafe Unmanaged<SinkBox>.fromOpaque(context).release() } })
    }

    /// Removes the handler that `setHandler` installed; samples and events then only wait to be taken.
    public func removeHandler() {
        var callbacks = GstAppSinkCallbacks()
        unsafe gst_app_sink_set_callbacks(sink, &callbacks, nil, nil)
    }
}

/// The user data of the C callbacks: the handlers that `setHandler` received.
private final class SinkBox: Sendable {
    let handler: @Sendable (AppSink) -> FlowError?
    let ended: @Sendable () -> Void

    init(handler: @escaping @Sendable (AppSink) -> FlowError?, ended: @escaping @Sendable () -> Void) {
        self.handler = handler
        self.ended = ended
    }

    static func call(_ sink: UnsafeMutablePointer<GstAppSink>?, _ context: UnsafeMutableRawPointer?) -> GstFlowReturn {
        guard let sink = unsafe sink, let context = unsafe context else { return GST_FLOW_ERROR }
        let box = unsafe Unmanaged<SinkBox>.fromOpaque(context).takeUnretainedValue()
        let element = unsafe AppSink(
            retainingNone: UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstElement.self))
        return box.handler(element).map { GstFlowReturn(rawValue: $0.rawValue) } ?? GST_FLOW_OK
    }
}
