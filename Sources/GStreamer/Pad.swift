internal import CGStreamer

/// Where data enters or leaves an element.
@safe public final class Pad: @unchecked Sendable {
    // Sendable: GstPad's functions take the pad's own locks.
    let pointer: UnsafeMutablePointer<GstPad>

    /// Takes over a reference. // transfer: full
    init(takingFull pointer: UnsafeMutablePointer<GstPad>) {
        unsafe self.pointer = pointer
    }

    /// Takes a reference of its own. // transfer: none
    convenience init(retainingNone pointer: UnsafeMutablePointer<GstPad>) {
        unsafe gst_object_ref(pointer)
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// Its name in the element.
    public var name: String {
        unsafe Element.gstObjectName(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self))
    }

    /// Whether data leaves here.
    public var isSource: Bool { unsafe gst_pad_get_direction(pointer) == GST_PAD_SRC }

    /// Whether another pad is linked to it.
    public var isLinked: Bool { unsafe gst_pad_is_linked(pointer) != 0 }

    /// The pad at the other end.
    public var peer: Pad? { unsafe gst_pad_get_peer(pointer).map { unsafe Pad(takingFull: $0) } }

    /// The element it belongs to.
    public var parentElement: Element? {
        unsafe gst_pad_get_parent_element(pointer).map { unsafe Element(takingFull: $0) }
    }

    /// The format agreed on, if one is.
    public var currentCaps: Caps? {
        unsafe gst_pad_get_current_caps(pointer).map { unsafe Caps(takingFull: $0) }
    }

    /// What it could take or give.
    public func queryCaps(filter: Caps? = nil) -> Caps {
        unsafe gst_pad_query_caps(pointer, filter?.pointer).map { unsafe Caps(takingFull: $0) } ?? .none
    }

    /// What the pad at the other end could take or give.
    public func peerQueryCaps(filter: Caps? = nil) -> Caps {
        unsafe gst_pad_peer_query_caps(pointer, filter?.pointer).map { unsafe Caps(takingFull: $0) } ?? .any
    }

    /// Links this output to an input.
    public func link(to other: Pad) throws(GStreamerError) {
        let result = unsafe gst_pad_link(pointer, other.pointer)
        guard result == GST_PAD_LINK_OK else {
            let reason = unsafe gst_pad_link_get_name(result).map { unsafe String(cString: $0) } ?? "refused"
            throw GStreamerError(message: "cannot link \(name) to \(other.name): \(reason)", place: name)
        }
    }

    /// Takes a link apart.
    @discardableResult
    public func unlink(from other: Pad) -> Bool {
        unsafe gst_pad_unlink(pointer, other.pointer) != 0
    }

    /// Sends an event out of this pad to its peer.
    @discardableResult
    public func push(_ event: Event) -> Bool {
        unsafe gst_pad_push_event(pointer, event.copyFull()) != 0
    }

    /// Sends a buffer out of this pad to its peer.
    public func push(_ buffer: consuming Buffer) throws(FlowError) {
        try FlowError.check(unsafe gst_pad_push(pointer, buffer.intoFull()))
    }

    /// Sends an event into this pad, as its peer would.
    @discardableResult
    public func send(_ event: Event) -> Bool {
        unsafe gst_pad_send_event(pointer, event.copyFull()) != 0
    }
}

// MARK: - Probes

extension Pad {
    /// What a probe lets happen to what it saw.
    public enum ProbeDecision: Sendable {
        /// It goes on.
        case pass
        /// It is thrown away.
        case drop
        /// It goes on, and the probe is taken off.
        case remove
    }

    /// Takes a probe off when it is told to.
    public struct ProbeToken: Sendable {
        let pad: Pad
        let identifier: UInt

        /// Takes the probe off.
        public func remove() {
            unsafe gst_pad_remove_probe(pad.pointer, identifier)
        }
    }

    /// Calls `probe` on the streaming thread with every buffer that passes. Keep it short.
    public func addBufferProbe(_ probe: @escaping @Sendable (borrowing Buffer) -> ProbeDecision) -> ProbeToken {
        let box = unsafe ProbeBox { info in
            guard let data = unsafe gst_pad_probe_info_get_buffer(info) else { return .pass }
            let buffer = unsafe Buffer(retainingNone: data)
            return probe(buffer)
        }
        return add(box, GST_PAD_PROBE_TYPE_BUFFER)
    }

    /// Which events a probe sees.
    public enum ProbedEvents: Sendable {
        /// Those that go with the data, but for flushes.
        case downstream
        /// Those that go against the data.
        case upstream
        /// Flush start and flush stop.
        case flush

        var raw: GstPadProbeType {
            switch self {
            case .downstream: GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
            case .upstream: GST_PAD_PROBE_TYPE_EVENT_UPSTREAM
            case .flush: GST_PAD_PROBE_TYPE_EVENT_FLUSH
            }
        }
    }

    /// Calls `probe` with every event of a kind that passes, on the thread that sends it.
    public func addEventProbe(
        _ events: ProbedEvents = .downstream, _ probe: @escaping @Sendable (Event) -> ProbeDecision
    ) -> ProbeToken {
        let box = unsafe ProbeBox { info in
            guard let data = unsafe gst_pad_probe_info_get_event(info) else { return .pass }
            return unsafe probe(Event(retainingNone: data))
        }
        return add(box, events.raw)
    }

    private func add(_ box: ProbeBox, _ kind: GstPadProbeType) -> ProbeToken {
        let identifier = unsafe gst_pad_add_probe(
            pointer, kind,
            { _, info, context in
                guard let info = unsafe info, let context = unsafe context else { return GST_PAD_PROBE_OK }
                switch unsafe Unmanaged<ProbeBox>.fromOpaque(context).takeUnretainedValue().body(info) {
                case .pass: return GST_PAD_PROBE_OK
                case .drop: return GST_PAD_PROBE_DROP
                case .remove: return GST_PAD_PROBE_REMOVE
                }
            },
            Unmanaged.passRetained(box).toOpaque(),
            { context in if let context = unsafe context { unsafe Unmanaged<ProbeBox>.fromOpaque(context).release() } })
        return ProbeToken(pad: self, identifier: UInt(identifier))
    }
}

/// Keeps a probe's closure for C.
@safe private final class ProbeBox {
    let body: (UnsafeMutablePointer<GstPadProbeInfo>) -> Pad.ProbeDecision

    init(_ body: @escaping (UnsafeMutablePointer<GstPadProbeInfo>) -> Pad.ProbeDecision) {
        unsafe self.body = body
    }
}
