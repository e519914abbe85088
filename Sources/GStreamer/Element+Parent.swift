internal import CGStreamer
internal import CGStreamerShims

// An element and the bin that contains it, for applications that change a pipeline while it runs.

extension Element {
    /// The bin that contains the element; nil if there is none.
    public var parentBin: Bin? {
        // transfer: full
        guard let parent = unsafe gst_object_get_parent(Self.object(pointer)) else { return nil }
        guard unsafe gscap_instance_is_a(parent, gst_bin_get_type()) != 0 else {
            unsafe gst_object_unref(parent)
            return nil
        }
        return unsafe Bin(takingFull: UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self))
    }

    /// The state that the element has, or during a change of its state, the one that it will have. Does not wait.
    public var targetState: State {
        var (current, pending) = (GST_STATE_NULL, GST_STATE_VOID_PENDING)
        unsafe gst_element_get_state(pointer, &current, &pending, 0)
        return State(pending == GST_STATE_VOID_PENDING ? current : pending)
    }

    /// Whether the element or a bin around it is being stopped, or is not running.
    public var isStopping: Bool {
        var element: Element? = self
        while let current = element {
            if current.targetState < .paused { return true }
            element = current.parentBin
        }
        return false
    }

    /// Gives a pad back that was requested with `requestPad`.
    public func releaseRequestPad(_ pad: Pad) {
        unsafe gst_element_release_request_pad(pointer, pad.pointer)
    }
}
