internal import CGStreamer

// MARK: - A pad whose branch cannot stop the stream

extension Pad {
    /// Takes over the pushing from this source pad, so that neither a flow error of the elements behind it nor an event
    /// that they refuse travels upstream. Either would end the stream of all branches; a branch that stops refuses
    /// everything.
    ///
    /// `admit` is called with each buffer and returns whether to push it; `failed` is called with the flow error of a
    /// push, and with "not negotiated" if the elements refuse the stream's format. Their buffers are dropped until they
    /// accept it. Both are called on the streaming thread.
    public func isolate(
        admit: @escaping @Sendable (borrowing Buffer) -> Bool, failed: @escaping @Sendable (FlowError) -> Void
    ) -> ProbeToken {
        // The pad is an argument, because a closure that holds its pad would keep it alive.
        let box = unsafe ProbeBox { pad, info in
            let output = unsafe Pad(retainingNone: pad)
            // The probe owns the reference of what it handles.
            if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
                guard let data = unsafe gst_pad_probe_info_get_buffer(info) else { return .pass }
                unsafe info.pointee.data = nil
                output.deliver(unsafe Buffer(takingFull: data), admit, failed)
                return .handled
            }
            guard let data = unsafe gst_pad_probe_info_get_event(info) else { return .pass }
            // The pad offers an event again before the next buffer if the probe drops it.
            guard output.deliver(unsafe Event(retainingNone: data), failed) else { return .drop }
            unsafe info.pointee.data = nil
            unsafe releaseMiniObject(data)
            return .handled
        }
        return add(
            box, GstPadProbeType(GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue))
    }

    /// The events without which a buffer cannot be understood, in the order in which elements expect them.
    static let requiredEvents = [GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT]

    /// Gives the peer a buffer, unless the peer lacks an event that has to precede it.
    private func deliver(
        _ buffer: consuming Buffer, _ admit: (borrowing Buffer) -> Bool, _ failed: (FlowError) -> Void
    ) {
        // A peer that was linked after the pad pushed its sticky events gets them before the next buffer.
        if !hasStream { adoptStream() }
        guard admit(buffer), let peer, hasStream, isKnown(to: peer, before: nil) else { return }
        do throws(FlowError) {
            try FlowError.check(unsafe gst_pad_chain(peer.pointer, buffer.intoFull()))
        } catch {
            failed(error)
        }
    }

    /// Gives the peer an event, unless it lacks one that has to precede it; returns whether it took it. The end of the
    /// stream is not held back.
    private func deliver(_ event: Event, _ failed: (FlowError) -> Void) -> Bool {
        let type = unsafe event.pointer.pointee.type
        guard let peer, type == GST_EVENT_EOS || isKnown(to: peer, before: type) else { return false }
        if peer.send(event) { return true }
        if event.kind == .caps, !peer.isFlushing { failed(.notNegotiated) }
        return false
    }

    /// Whether the peer has those of this pad's required events that precede an event of a type, or all.
    private func isKnown(to peer: Pad, before type: GstEventType?) -> Bool {
        for kind in Self.requiredEvents {
            if kind == type { return true }
            guard sticky(kind) != nil else { continue }
            if peer.sticky(kind) == nil || kind == GST_EVENT_CAPS && peer.currentCaps != currentCaps { return false }
        }
        return true
    }

    /// Whether a stream has begun at the pad.
    private var hasStream: Bool { sticky(GST_EVENT_STREAM_START) != nil }

    /// Takes over the stream events of the element's input that this source pad lacks; they are pushed before the next
    /// buffer. A tee forwards an event before it stores it on its input, so a pad that is requested in between has the
    /// caps of a stream, but never gets its start.
    private func adoptStream() {
        guard let input = parentElement?.pads.first(where: { !$0.isSource }) else { return }
        for kind in Self.requiredEvents where sticky(kind) == nil {
            if let event = input.sticky(kind) { _ = unsafe gst_pad_store_sticky_event(pointer, event.pointer) }
        }
    }
}
