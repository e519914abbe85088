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
        case latency, reconfigure, quality, seek
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
        case GST_EVENT_SEEK: .seek
        case GST_EVENT_CUSTOM_UPSTREAM: .customUpstream
        case GST_EVENT_CUSTOM_DOWNSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM_OOB, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
            .customDownstream
        default: .other
        }
    }

    /// The number that an event has in common with the events that it causes, such as a seek with the segment and the
    /// end of the stream that follow it.
    public var sequenceNumber: UInt32 { unsafe gst_event_get_seqnum(pointer) }

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

    /// The segment of a segment event; nil for other events.
    public var segment: Segment? {
        guard kind == .segment else { return nil }
        var segment: UnsafePointer<GstSegment>?
        unsafe gst_event_parse_segment(pointer, &segment)
        return unsafe segment.map { unsafe Segment($0.pointee) }
    }

    /// The timestamp and the duration of a gap event in nanoseconds; nil for other events.
    public var gap: (time: UInt64, duration: UInt64?)? {
        guard kind == .gap else { return nil }
        var (time, duration): (GstClockTime, GstClockTime) = (0, 0)
        unsafe gst_event_parse_gap(pointer, &time, &duration)
        return (UInt64(time), duration == .max ? nil : UInt64(duration))
    }

    /// Creates a caps event: the format of the buffers that follow. `caps` must be fixed.
    public static func caps(_ caps: Caps) -> Event { unsafe owning(gst_event_new_caps(caps.pointer)) }

    /// Creates an end-of-stream event; `sequenceNumber` is that of the event that ends the stream, or of the segment
    /// that it ends, and nil a new one.
    public static func endOfStream(sequenceNumber: UInt32? = nil) -> Event {
        let event = unsafe owning(gst_event_new_eos())
        // 0 is GST_SEQNUM_INVALID, which GStreamer refuses.
        if let sequenceNumber, sequenceNumber != 0 {
            unsafe gst_event_set_seqnum(event.pointer, sequenceNumber)
        }
        return event
    }

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

    /// Creates a seek event: the stream continues at `position` nanoseconds of its time, after a flush. It is sent to
    /// the end of a stream, such as a sink or a pipeline, and travels to the source.
    public static func seek(to position: UInt64) -> Event {
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        let start = Int(clamping: position)
        return unsafe owning(
            gst_event_new_seek(1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start, GST_SEEK_TYPE_NONE, -1))
    }

    /// Creates a custom upstream event, which travels toward the source.
    public static func customUpstream(_ structure: Structure) -> Event {
        unsafe owning(gst_event_new_custom(GST_EVENT_CUSTOM_UPSTREAM, structure.intoFull()))
    }

    /// Creates a custom downstream event, which travels toward the sinks in order with the buffers.
    public static func customDownstream(_ structure: Structure) -> Event {
        unsafe owning(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM, structure.intoFull()))
    }

    /// Creates a custom downstream event that does not wait in queues behind the buffers.
    public static func customDownstreamOutOfBand(_ structure: Structure) -> Event {
        unsafe owning(gst_event_new_custom(GST_EVENT_CUSTOM_DOWNSTREAM_OOB, structure.intoFull()))
    }

    /// Creates an event that makes a video encoder encode the next buffer as a key picture.
    public static func forceKeyPicture() -> Event { customDownstream(Structure("GstForceKeyUnit")) }

    /// Creates a custom downstream event that calls `body` once its last reference is released: after every branch has
    /// passed the event on to its sink, or has dropped it. The call comes on the thread that releases the event, which
    /// may hold locks of an element, so `body` must not call GStreamer.
    public static func customDownstream(
        _ structure: Structure, whenReleased body: @escaping @Sendable () -> Void
    ) -> Event {
        let event = customDownstream(structure)
        let object = unsafe UnsafeMutableRawPointer(event.pointer).assumingMemoryBound(to: GstMiniObject.self)
        unsafe gst_mini_object_set_qdata(
            object, releaseQuark, Unmanaged.passRetained(ReleaseHandler(body)).toOpaque(),
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<ReleaseHandler>.fromOpaque(context).takeRetainedValue().body()
            })
        return event
    }

    private static let releaseQuark = unsafe g_quark_from_static_string("gscap-event-released")

    private static func owning(_ pointer: UnsafeMutablePointer<GstEvent>?) -> Event {
        // GLib aborts the process when memory runs out, so constructors never return null.
        if let pointer = unsafe pointer { return unsafe Event(takingFull: pointer) }
        preconditionFailure("GStreamer returned no event")
    }
}

/// The user data of an event's release callback: the function to call.
private final class ReleaseHandler: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// A segment (GstSegment): the mapping of a stream's timestamps to the pipeline's running time.
public struct Segment: @unchecked Sendable {
    // Sendable: only the numbers of the C struct are read, and nothing changes them.
    let segment: GstSegment

    init(_ segment: GstSegment) {
        self.segment = segment
    }

    /// Creates the segment of a stream whose timestamps begin at `start`, in nanoseconds, at the running time 0.
    package init(start: UInt64) {
        var segment = GstSegment()
        unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
        (segment.start, segment.time, segment.position) = (UInt(start), UInt(start), UInt(start))
        self.init(segment)
    }

    /// The segment without its end. An appsrc would end the stream at the end of its segment.
    package var withoutEnd: Segment {
        var segment = self.segment
        if segment.rate > 0 { segment.stop = .max }
        return Segment(segment)
    }

    /// Returns the timestamp at a running time in nanoseconds; nil if the segment has none.
    package func timestamp(atRunningTime time: Int64) -> UInt64? {
        guard segment.format == GST_FORMAT_TIME, time >= 0 else { return nil }
        let position = unsafe withUnsafePointer(to: segment) { segment in
            unsafe gst_segment_position_from_running_time(segment, GST_FORMAT_TIME, guint64(time))
        }
        return position == .max ? nil : UInt64(position)
    }

    /// Returns the running time in nanoseconds of a timestamp, negative for one before the segment; nil if the segment
    /// does not measure time.
    public func runningTime(of timestamp: UInt64) -> Int64? {
        guard segment.format == GST_FORMAT_TIME else { return nil }
        var time: guint64 = 0
        let sign = unsafe withUnsafePointer(to: segment) { segment in
            unsafe gst_segment_to_running_time_full(segment, GST_FORMAT_TIME, GstClockTime(timestamp), &time)
        }
        return sign == 0 ? nil : Int64(sign) * Int64(clamping: time)
    }
}
