internal import CGStreamer

/// A pad (GstPad): an input or output of an element.
@safe public final class Pad: @unchecked Sendable {
    // Sendable: GstPad's functions lock the pad.
    let pointer: UnsafeMutablePointer<GstPad>

    /// Takes ownership of the caller's reference (transfer full).
    init(takingFull pointer: UnsafeMutablePointer<GstPad>) {
        unsafe self.pointer = pointer
    }

    /// Adds a reference; the caller keeps its own (transfer none).
    convenience init(retainingNone pointer: UnsafeMutablePointer<GstPad>) {
        unsafe gst_object_ref(pointer)
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// The pad's name, unique within its element.
    public var name: String {
        unsafe Element.gstObjectName(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self))
    }

    /// Whether the pad is a source pad, through which data leaves the element.
    public var isSource: Bool { unsafe gst_pad_get_direction(pointer) == GST_PAD_SRC }

    /// Whether the pad is linked to a peer.
    public var isLinked: Bool { unsafe gst_pad_is_linked(pointer) != 0 }

    /// The linked pad; nil if the pad is not linked.
    public var peer: Pad? { unsafe gst_pad_get_peer(pointer).map { unsafe Pad(takingFull: $0) } }

    /// The element that owns the pad.
    public var parentElement: Element? {
        unsafe gst_pad_get_parent_element(pointer).map { unsafe Element(takingFull: $0) }
    }

    /// The negotiated caps; nil before negotiation.
    public var currentCaps: Caps? {
        unsafe gst_pad_get_current_caps(pointer).map { unsafe Caps(takingFull: $0) }
    }

    /// The sequence number of the segment event that the pad received or sent last; nil before the first segment.
    public var segmentNumber: UInt32? { sticky(GST_EVENT_SEGMENT)?.sequenceNumber }

    /// Returns the caps that the pad supports, restricted to `filter`.
    public func queryCaps(filter: Caps? = nil) -> Caps {
        unsafe gst_pad_query_caps(pointer, filter?.pointer).map { unsafe Caps(takingFull: $0) } ?? .none
    }

    /// Returns the caps that the peer supports, restricted to `filter`; ANY if the pad is not linked.
    public func peerQueryCaps(filter: Caps? = nil) -> Caps {
        unsafe gst_pad_peer_query_caps(pointer, filter?.pointer).map { unsafe Caps(takingFull: $0) } ?? .any
    }

    /// Whether the source upstream of this pad is live, such as a camera; nil if no element answers.
    public var hasLiveSource: Bool? {
        let query = unsafe gst_query_new_latency()
        defer { unsafe query.map { unsafe releaseMiniObject($0) } }
        let isAnswered = isSource ? unsafe gst_pad_query(pointer, query) : unsafe gst_pad_peer_query(pointer, query)
        guard isAnswered != 0 else { return nil }
        var isLive: gboolean = 0
        unsafe gst_query_parse_latency(query, &isLive, nil, nil)
        return isLive != 0
    }

    /// Links this source pad to a sink pad.
    public func link(to other: Pad) throws(GscapError) {
        let result = unsafe gst_pad_link(pointer, other.pointer)
        guard result == GST_PAD_LINK_OK else {
            let reason = unsafe gst_pad_link_get_name(result).map { unsafe String(cString: $0) } ?? "refused"
            throw GscapError(message: "cannot link \(name) to \(other.name): \(reason)", place: name)
        }
    }

    /// Unlinks the pad from its peer. Returns whether the two were linked.
    @discardableResult
    public func unlink(from other: Pad) -> Bool {
        unsafe gst_pad_unlink(pointer, other.pointer) != 0
    }

    /// Makes the pad accept data, or refuse it. A state change of the element does so as well.
    @discardableResult
    public func setActive(_ isActive: Bool) -> Bool {
        unsafe gst_pad_set_active(pointer, isActive ? 1 : 0) != 0
    }

    /// Sends an event from this pad to its peer. Returns whether the event was handled.
    @discardableResult
    public func push(_ event: Event) -> Bool {
        unsafe gst_pad_push_event(pointer, event.copyFull()) != 0
    }

    /// Sends a buffer from this source pad to its peer.
    public func push(_ buffer: consuming Buffer) throws(FlowError) {
        try FlowError.check(unsafe gst_pad_push(pointer, buffer.intoFull()))
    }

    /// Delivers an event to this pad as if its peer had sent it. Returns whether the event was handled.
    @discardableResult
    public func send(_ event: Event) -> Bool {
        unsafe gst_pad_send_event(pointer, event.copyFull()) != 0
    }
}

// MARK: - Probes

extension Pad {
    /// A probe's decision about a buffer or event.
    public enum ProbeDecision: Sendable {
        /// The data continues to flow.
        case pass
        /// The data is discarded.
        case drop
        /// The data continues to flow, and the probe is removed.
        case remove
    }

    /// An installed probe, which stays installed until `remove` is called.
    public struct ProbeToken: Sendable {
        let pad: Pad
        let identifier: UInt

        /// Removes the probe.
        public func remove() {
            unsafe gst_pad_remove_probe(pad.pointer, identifier)
        }
    }

    /// Calls `probe` on the streaming thread with every buffer that passes the pad. The call must not block for long.
    public func addBufferProbe(_ probe: @escaping @Sendable (borrowing Buffer) -> ProbeDecision) -> ProbeToken {
        let box = unsafe ProbeBox { _, info in
            guard let data = unsafe gst_pad_probe_info_get_buffer(info) else { return .pass }
            let buffer = unsafe Buffer(retainingNone: data)
            return .init(probe(buffer))
        }
        return add(box, GST_PAD_PROBE_TYPE_BUFFER)
    }

    /// The events that a probe is called for.
    public enum ProbedEvents: Sendable {
        /// Downstream events, except flushes.
        case downstream
        /// Upstream events.
        case upstream
        /// Flush-start and flush-stop events.
        case flush

        var raw: GstPadProbeType {
            switch self {
            case .downstream: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
            case .upstream: GST_PAD_PROBE_TYPE_EVENT_UPSTREAM
            case .flush: GST_PAD_PROBE_TYPE_EVENT_FLUSH
            }
        }
    }

    /// Calls `probe` with every event of the given kind, on the thread that sends the event.
    public func addEventProbe(
        _ events: ProbedEvents = .downstream, _ probe: @escaping @Sendable (Event) -> ProbeDecision
    ) -> ProbeToken {
        let box = unsafe ProbeBox { _, info in
            guard let data = unsafe gst_pad_probe_info_get_event(info) else { return .pass }
            return unsafe .init(probe(Event(retainingNone: data)))
        }
        return add(box, events.raw)
    }

    func add(_ box: ProbeBox, _ kind: GstPadProbeType) -> ProbeToken {
        let identifier = unsafe gst_pad_add_probe(
            pointer, kind,
            { pad, info, context in
                guard let pad = unsafe pad, let info = unsafe info, let context = unsafe context else {
                    return GST_PAD_PROBE_OK
                }
                switch unsafe Unmanaged<ProbeBox>.fromOpaque(context).takeUnretainedValue().body(pad, info) {
                case .pass: return GST_PAD_PROBE_OK
                case .drop: return GST_PAD_PROBE_DROP
                case .remove: return GST_PAD_PROBE_REMOVE
                case .handled: return GST_PAD_PROBE_HANDLED
                }
            },
            Unmanaged.passRetained(box).toOpaque(),
            { context in if let context = unsafe context { unsafe Unmanaged<ProbeBox>.fromOpaque(context).release() } })
        return ProbeToken(pad: self, identifier: UInt(identifier))
    }
}

/// The user data of the C callback: the probe's closure.
@safe final class ProbeBox {
    /// A decision about the data of a probe, including that the probe has taken the data over.
    enum Decision {
        case pass, drop, remove, handled

        init(_ decision: Pad.ProbeDecision) {
            switch decision {
            case .pass: self = .pass
            case .drop: self = .drop
            case .remove: self = .remove
            }
        }
    }

    typealias Body = (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>) -> Decision

    let body: Body

    init(_ body: @escaping Body) {
        unsafe self.body = body
    }
}
