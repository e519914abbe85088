internal import CGStreamer

extension Pad {
    /// Whether this pad or its peer discards buffers and events, because of a flush or because its element stops.
    public var isFlushing: Bool {
        let flags = [self, peer].compactMap { pad in unsafe pad?.pointer.pointee.object.flags }
        return flags.contains { $0 & GST_PAD_FLAG_FLUSHING.rawValue != 0 }
    }

    /// Changes the format of the buffers that follow to the first of `formats` that downstream accepts, and sends the
    /// caps event. Returns the new caps; nil if downstream accepts none, and then the format stays as it was. Streaming
    /// thread of this source pad.
    ///
    /// For a transform that changes its output format between two buffers of one input format. The negotiation of
    /// GstBaseTransform is not repeated, so the format stays until the next change or negotiation.
    public func changeFormat(to formats: Caps) -> Caps? {
        let supported = peerQueryCaps(filter: formats)
        let accepted = formats.structures.lazy.map { Caps([$0]).intersection(supported) }.first { !$0.isEmpty }
        guard let chosen = accepted?.fixated(), chosen.isFixed else { return nil }
        let previous = currentCaps
        if push(.caps(chosen)) { return chosen }
        // A refused caps event stays on the pad and would be sent again before the next buffer.
        if let previous { push(.caps(previous)) }
        return nil
    }
}
