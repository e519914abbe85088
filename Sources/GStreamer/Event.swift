internal import CGStreamer

/// An event (GstEvent), which travels between pads alongside the buffers.
@safe public final class Event: @unchecked Sendable {
    // Sendable: immutable after creation, and the reference count is atomic.
    let pointer: UnsafeMutablePointer<GstEvent>

    /// Takes ownership of the caller's reference (transfer full).
    init(takingFull pointer: UnsafeMutablePointer<GstEvent>) {
        unsafe self.pointer = pointer
    }

    /// Adds a reference; the caller keeps its own (transfer none).
    convenience init(retainingNone pointer: UnsafeMutablePointer<GstEvent>) {
        unsafe retainMiniObject(pointer)
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe releaseMiniObject(pointer)
    }

    /// Returns an additional reference for a C call that takes ownership (transfer full).
    func copyFull() -> UnsafeMutablePointer<GstEvent> {
        unsafe retainMiniObject(pointer)
        return unsafe pointer
    }

    /// The event types that this module distinguishes.
    public enum Kind: Sendable, Hashable {
        case streamStart, caps, segment, tag, gap, endOfStream, flushStart, flushStop
        case latency, reconfigure, quality
        case customUpstream, customDownstream
        case other
    }

    /// The event type.
    public var kind: Kind {
        switch unsafe pointer.pointee.type {
        case GST_EVENT_STREAM_START: .streamStart
        case GST_EVENT_CAPS: .caps
        case GST_EVENT_SEGMENT: .segment
        case GST_EVENT_TAG: .tag
        case GST_EVENT_GAP: .gap
        case GST_EVENT_EOS: .endOfStream
        case GST_EVENT_FLUSH_START: .flushStart
        case GST_EVENT_FLUSH_STOP: .flushStop
        case GST_EVENT_LATENCY: .latency
        case GST_EVENT_RECONFIGURE: .reconfigure
        case GST_EVENT_QOS: .quality
        case GST_EVENT_CUSTOM_UPSTREAM: .customUpstream
        case GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_OOB, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
            .customDownstream
        default: .other
        }
    }

    /// The event's structure; nil if the event type has none.
    public var structure: Structure? {
        unsafe gst_event_get_structure(pointer).map { unsafe Structure(reading: $0) }
    }

    /// The caps of a caps event; nil for other events.
    public var caps: Caps? {
        guard kind == .caps else { return nil }
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_event_parse_caps(pointer, &caps)
        return unsafe caps.map { unsafe Caps(retainingNone: $0) }
    }

    /// Creates an end-of-stream event.
    public static func endOfStream() -> Event { unsafe owning(gst_event_new_eos()) }

    /// Creates a gap event: no data from `time` for `duration` nanoseconds, so sinks can preroll without a buffer.
    public static func gap(at time: UInt64, duration: UInt64? = nil) -> Event {
        unsafe owning(gst_event_new_gap(GstClockTime(time), GstClockTime(duration ?? UInt64.max)))
    }

    /// Creates a flush-start event, which makes downstream elements discard their data.
    public static func flushStart() -> Event { unsafe owning(gst_event_new_flush_start()) }

    /// Creates a flush-stop event, after which data may flow again. `resetTime` resets the running time to 0.
    public static func flushStop(resetTime: Bool) -> Event {
        unsafe owning(gst_event_new_flush_stop(resetTime ? 1 : 0))
    }

    /// Creates a custom upstream event, which travels toward the source.
    public static func customUpstream(_ structure: Structure) -> Event {
        unsafe owning(gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, structure.intoFull()))
    }

    /// Creates a custom downstream event, which travels toward the sinks in order with the buffers.
    public static func customDownstream(_ structure: Structure) -> Event {
        unsafe owning(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structure.intoFull()))
    }

    private static func owning(_ pointer: UnsafeMutablePointer<GstEvent>?) -> Event {
        // GLib aborts the process when memory runs out, so constructors never return null.
        if let pointer = unsafe pointer { return unsafe Event(takingFull: pointer) }
        preconditionFailure("GStreamer returned no event")
    }
}
