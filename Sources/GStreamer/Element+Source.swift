internal import CGStreamer

extension Element {
    /// Whether a source delivers data in real time; nil for an element that is not derived from GstBaseSrc.
    package var isLiveSource: Bool? {
        let isSource = unsafe g_type_check_instance_is_a(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GTypeInstance.self), gst_base_src_get_type())
        guard isSource != 0 else { return nil }
        return unsafe gst_base_src_is_live(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstBaseSrc.self)) != 0
    }

    /// The bin that contains the element; nil if there is none.
    package var parent: Element? {
        // transfer: full
        guard let parent = unsafe gst_object_get_parent(Self.object(pointer)) else { return nil }
        return unsafe Element(takingFull: UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self))
    }
}
