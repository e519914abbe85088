internal import CGStreamer
internal import CGStreamerShims
internal import Synchronization

/// The sink pad of a bin that hangs on another program's stream: a ghost pad that keeps the bin's failures from the
/// stream, and the stream's irregularities from the bin.
///
///     format known, frames taken ──flow error of a frame──────────► failing ──a frame taken─────────────► taken
///                  ▲             ──caps that the bin does not take──► shut ──caps that the bin takes──┐
///                  └──────────────────────────────────────────────────────────────────────────────────┘
///
/// Upstream every buffer and event is accepted, whatever becomes of it in the bin. Before the first buffer the elements
/// inside get the stream's start, caps and segment, in this order: a buffer that was on its way when the pad was linked
/// can arrive without them, and a flush of one branch removes the segment. What is missing is taken from the pads
/// upstream, and a buffer is dropped if they do not have it either.
///
/// A bin that stops deactivates its pads, which refuse everything until they are active again. Therefore a probe at the
/// pad upstream pushes the stream, and keeps the refusals. *Thread-safe.*
@safe public final class StreamEntrance: Sendable {
    /// A change in what becomes of the stream's buffers.
    public enum Change: Sendable {
        /// The bin does not take the stream's format; buffers are dropped until the format changes.
        case refused(Caps)
        /// The bin has failed to take a buffer, which was dropped; the next one is tried again.
        case failed(FlowError)
        /// The bin takes the buffers again.
        case taken
    }

    private enum Phase { case open, failing, shut }

    private let phase = Mutex(Phase.open)
    /// The probe at the pad upstream to which the pad was linked last.
    private let shield = Mutex<Pad.ProbeToken?>(nil)
    private let changed: @Sendable (Change) -> Void

    /// The most elements between the pad and the pad from which a missing event is taken.
    private static let farthest = 16

    init(_ changed: @escaping @Sendable (Change) -> Void) { self.changed = changed }
}

extension Bin {
    /// Adds a sink pad that stands for a pad of an inner element and always accepts the stream upstream
    /// (`StreamEntrance`). `changed` is called on the streaming thread.
    @discardableResult
    public func addEntrance(
        _ name: String, to inner: Pad, changed: @escaping @Sendable (StreamEntrance.Change) -> Void
    ) throws(GscapError) -> Pad {
        let pad = try addGhostPad(name, of: inner)
        unsafe StreamEntrance(changed).install(on: pad.pointer)
        return pad
    }
}

// MARK: - The functions of the pad

extension StreamEntrance {
    fileprivate func install(on pad: UnsafeMutablePointer<GstPad>) {
        func context() -> UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }
        let release: GDestroyNotify = { context in
            if let context = unsafe context { unsafe Unmanaged<StreamEntrance>.fromOpaque(context).release() }
        }
        unsafe gst_pad_set_chain_function_full(
            pad,
            { pad, parent, buffer in
                guard let pad = unsafe pad, let buffer = unsafe buffer else { return GST_FLOW_OK }
                let entrance = unsafe StreamEntrance.of(pad.pointee.chaindata)
                guard unsafe entrance?.admits(pad) == true else {
                    unsafe releaseMiniObject(buffer)
                    return GST_FLOW_OK
                }
                unsafe entrance?.note(gst_proxy_pad_chain_default(pad, parent, buffer))
                return GST_FLOW_OK
            }, context(), release)
        unsafe gst_pad_set_chain_list_function_full(
            pad,
            { pad, parent, list in
                guard let pad = unsafe pad, let list = unsafe list else { return GST_FLOW_OK }
                let entrance = unsafe StreamEntrance.of(pad.pointee.chainlistdata)
                guard unsafe entrance?.admits(pad) == true else {
                    let object = unsafe UnsafeMutableRawPointer(list).assumingMemoryBound(to: GstMiniObject.self)
                    unsafe gst_mini_object_unref(object)
                    return GST_FLOW_OK
                }
                unsafe entrance?.note(gst_proxy_pad_chain_list_default(pad, parent, list))
                return GST_FLOW_OK
            }, context(), release)
        unsafe gst_pad_set_event_function_full(
            pad,
            { pad, parent, event in
                guard let pad = unsafe pad, let event = unsafe event else { return 1 }
                unsafe StreamEntrance.of(pad.pointee.eventdata)?.handle(event, pad, parent)
                return 1
            }, context(), release)
        // Before the pads are linked, so that the probe is there for the first buffer.
        unsafe gst_pad_set_link_function_full(
            pad,
            { pad, _, peer in
                guard let pad = unsafe pad, let peer = unsafe peer else { return GST_PAD_LINK_REFUSED }
                unsafe StreamEntrance.of(pad.pointee.linkdata)?.protect(Pad(retainingNone: peer), from: pad)
                return GST_PAD_LINK_OK
            }, context(), release)
        // Every format is accepted, because refusing one would end the stream upstream.
        unsafe gst_pad_set_query_function_full(
            pad,
            { pad, parent, query in
                guard unsafe query?.pointee.type == GST_QUERY_ACCEPT_CAPS else {
                    return unsafe gst_pad_query_default(pad, parent, query)
                }
                unsafe gst_query_set_accept_caps_result(query, 1)
                return 1
            }, nil, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> StreamEntrance? {
        unsafe context.map { unsafe Unmanaged<StreamEntrance>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns whether a buffer may enter the bin.
    private func admits(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        if phase.withLock({ $0 }) == .shut { return false }
        return unsafe complete(pad, before: nil)
    }

    /// Records what became of a buffer. A bin that stops or has reached its end fails nothing.
    private func note(_ flow: GstFlowReturn) {
        let isFailure = ![GST_FLOW_OK, GST_FLOW_FLUSHING, GST_FLOW_EOS].contains(flow) && flow.rawValue < 0
        let change = phase.withLock { phase -> Change? in
            if flow == GST_FLOW_OK, phase == .failing {
                phase = .open
                return .taken
            }
            guard isFailure, phase == .open else { return nil }
            phase = .failing
            return .failed(FlowError(rawValue: flow.rawValue))
        }
        if let change { changed(change) }
    }

    private func handle(
        _ event: UnsafeMutablePointer<GstEvent>, _ pad: UnsafeMutablePointer<GstPad>,
        _ parent: UnsafeMutablePointer<GstObject>?
    ) {
        let type = unsafe event.pointee.type
        if type == GST_EVENT_CAPS, unsafe !accepts(event, pad) { return unsafe releaseMiniObject(event) }
        let isRequired = Pad.requiredEvents.contains(type)
        // A segment before the caps waits: the pad stores it, and `complete` passes it on.
        if isRequired, unsafe !complete(pad, before: type) { return unsafe releaseMiniObject(event) }
        _ = unsafe gst_pad_event_default(pad, parent, event)
    }

    /// Returns whether the bin takes the caps of an event, and opens or shuts the entrance.
    private func accepts(_ event: UnsafeMutablePointer<GstEvent>, _ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        guard let caps = unsafe Event(retainingNone: event).caps else { return false }
        let isTaken = unsafe Self.target(of: pad).map { target in
            unsafe gst_pad_query_accept_caps(target.pointer, caps.pointer) != 0
        }
        let change = phase.withLock { phase -> Change in
            phase = isTaken == true ? .open : .shut
            return phase == .shut ? .refused(caps) : .taken
        }
        changed(change)
        return isTaken == true
    }

    private static func target(of pad: UnsafeMutablePointer<GstPad>) -> Pad? {
        let ghost = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstGhostPad.self)
        return unsafe gst_ghost_pad_get_target(ghost).map { unsafe Pad(takingFull: $0) }
    }
}

// MARK: - Refusals of a bin that stops

extension StreamEntrance {
    /// Keeps the refusals of `pad` from the pad upstream for as long as the two are linked.
    private func protect(_ output: Pad, from pad: UnsafeMutablePointer<GstPad>) {
        // Only the address is kept: the probe must not keep the pad alive.
        let address = UInt(bitPattern: pad)
        let box = unsafe ProbeBox { output, info in
            guard let peer = unsafe Pad(retainingNone: output).peer, peer.address == address else { return .remove }
            guard let data = unsafe info.pointee.data else { return .pass }
            let type = unsafe info.pointee.type.rawValue
            if type & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
                _ = unsafe gst_pad_chain(peer.pointer, data.assumingMemoryBound(to: GstBuffer.self))
            } else if type & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0 {
                _ = unsafe gst_pad_chain_list(peer.pointer, OpaquePointer(data))
            } else {
                _ = unsafe gst_pad_send_event(peer.pointer, data.assumingMemoryBound(to: GstEvent.self))
            }
            // The peer has taken the data. An event that it refused is repeated by `complete`.
            unsafe info.pointee.data = nil
            return .handled
        }
        let kinds = [
            GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_BUFFER_LIST, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
        ]
        let probe = output.add(box, GstPadProbeType(kinds.reduce(0) { $0 | $1.rawValue }))
        let former = shield.withLock { shield in
            defer { shield = probe }
            return shield
        }
        former?.remove()
    }
}

extension Pad {
    /// The address of the pad, by which it is recognised.
    fileprivate var address: UInt { UInt(bitPattern: unsafe pointer) }
}

// MARK: - Missing events

extension StreamEntrance {
    /// Passes on the required events that come before `type`, or all, as far as the elements inside lack them. Returns
    /// whether they have them now.
    private func complete(_ pad: UnsafeMutablePointer<GstPad>, before type: GstEventType?) -> Bool {
        let proxy = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstProxyPad.self)
        guard let internalProxy = unsafe gst_proxy_pad_get_internal(proxy) else { return false }
        let inside = unsafe Pad(
            takingFull: UnsafeMutableRawPointer(internalProxy).assumingMemoryBound(to: GstPad.self))
        let outside = unsafe Pad(retainingNone: pad)
        for required in Pad.requiredEvents {
            if required == type { return true }
            if inside.sticky(required) != nil { continue }
            let own = outside.sticky(required)
            guard let event = own ?? outside.peer?.stickyUpstream(required, within: Self.farthest) else { return false }
            if required == GST_EVENT_CAPS, own == nil, unsafe !accepts(event.pointer, pad) { return false }
            if own == nil { unsafe gst_pad_store_sticky_event(pad, event.pointer) }
            inside.push(event)
        }
        return true
    }
}

extension Pad {
    /// The event of this type that the pad keeps for later links; nil if there is none.
    func sticky(_ type: GstEventType) -> Event? {
        unsafe gst_pad_get_sticky_event(pointer, type, 0).map { unsafe Event(takingFull: $0) }
    }

    /// The event of this type at this source pad or at the nearest pad before it, across at most `count` elements that
    /// do not change the format, such as a queue or a tee.
    fileprivate func stickyUpstream(_ type: GstEventType, within count: Int) -> Event? {
        if let event = sticky(type) { return event }
        guard count > 0, let input = parentElement?.pads.first(where: { !$0.isSource && $0.isProxyOfCaps }) else {
            return nil
        }
        return input.sticky(type) ?? input.peer?.stickyUpstream(type, within: count - 1)
    }

    private var isProxyOfCaps: Bool {
        unsafe pointer.pointee.object.flags & GST_PAD_FLAG_PROXY_CAPS.rawValue != 0
    }
}
