internal import CGStreamer

/// Something that travels along pads beside the buffers.
@safe public final class Event: @unchecked Sendable {
    // Sendable: immutable once made, and its count is atomic.
    let pointer: UnsafeMutablePointer<GstEvent>

    /// Takes over a reference. // transfer: full
    init(takingFull pointer: UnsafeMutablePointer<GstEvent>) {
        unsafe self.pointer = pointer
    }

    /// Takes a reference of its own. // transfer: none
    convenience init(retainingNone pointer: UnsafeMutablePointer<GstEvent>) {
        unsafe retainMiniObject(pointer)
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe releaseMiniObject(pointer)
    }

    /// A reference for a call that takes one. // transfer: full
    func copyFull() -> UnsafeMutablePointer<GstEvent> {
        unsafe retainMiniObject(pointer)
        return unsafe pointer
    }

    /// The kinds this module tells apart.
    public enum Kind: Sendable, Hashable {
        case streamStart, caps, segment, tag, gap, endOfStream, flushStart, flushStop
        case latency, reconfigure, quality
        case customUpstream, customDownstream
        case other
    }

    /// What it is.
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

    /// Its fields, if it has some.
    public var structure: Structure? {
        unsafe gst_event_get_structure(pointer).map { unsafe Structure(reading: $0) }
    }

    /// The caps of a caps event.
    public var caps: Caps? {
        guard kind == .caps else { return nil }
        var caps: UnsafeMutablePointer<GstCaps>?
        unsafe gst_event_parse_caps(pointer, &caps)
        return unsafe caps.map { unsafe Caps(retainingNone: $0) }
    }

    /// The end of the stream.
    public static func endOfStream() -> Event { unsafe made(gst_event_new_eos()) }

    /// Nothing will come for a while: sinks need not wait for a first buffer.
    public static func gap(at time: UInt64, duration: UInt64? = nil) -> Event {
        unsafe made(gst_event_new_gap(GstClockTime(time), GstClockTime(duration ?? UInt64.max)))
    }

    /// Everything under way is dropped.
    public static func flushStart() -> Event { unsafe made(gst_event_new_flush_start()) }

    /// Data may flow again.
    public static func flushStop(resetTime: Bool) -> Event { unsafe made(gst_event_new_flush_stop(resetTime ? 1 : 0)) }

    /// A message of our own toward the source.
    public static func customUpstream(_ structure: Structure) -> Event {
        unsafe made(gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, structure.intoFull()))
    }

    /// A message of our own toward the sinks, in order with the buffers.
    public static func customDownstream(_ structure: Structure) -> Event {
        unsafe made(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structure.intoFull()))
    }

    private static func made(_ pointer: UnsafeMutablePointer<GstEvent>?) -> Event {
        // GLib ends the process itself when memory runs out.
        if let pointer = unsafe pointer { return unsafe Event(takingFull: pointer) }
        preconditionFailure("GStreamer gave no event")
    }
}
