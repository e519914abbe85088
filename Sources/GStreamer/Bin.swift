internal import CGStreamer

/// An element made of elements.
public class Bin: Element, @unchecked Sendable {
    private var binPointer: UnsafeMutablePointer<GstBin> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstBin.self)
    }

    /// An empty bin.
    public convenience init(name: String? = nil) throws(GStreamerError) {
        try unsafe self.init(retainingNone: Self.make(factory: "bin", name: name))
    }

    /// Puts an element in.
    public func add(_ element: Element) throws(GStreamerError) {
        guard unsafe gst_bin_add(binPointer, element.pointer) != 0 else {
            throw GStreamerError(message: "there is an element \"\(element.name)\" already", place: name)
        }
    }

    /// Takes an element out.
    public func remove(_ element: Element) {
        unsafe gst_bin_remove(binPointer, element.pointer)
    }

    /// The element of this name, however deep it sits.
    public func element(named name: String) -> Element? {
        unsafe gst_bin_get_by_name(binPointer, name).map { unsafe Element(takingFull: $0) }
    }

    /// All elements, those in inner bins too.
    public var allElements: [Element] {
        guard let iterator = unsafe gst_bin_iterate_recurse(binPointer) else { return [] }
        defer { unsafe gst_iterator_free(iterator) }
        var found: [Element] = []
        var value = GValue()
        while true {
            switch unsafe gst_iterator_next(iterator, &value) {
            case GST_ITERATOR_OK:
                if let object = unsafe g_value_get_object(&value) {
                    unsafe found.append(
                        Element(retainingNone: UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstElement.self))
                    )
                }
                unsafe g_value_reset(&value)
            case GST_ITERATOR_RESYNC:
                found.removeAll()
                unsafe gst_iterator_resync(iterator)
            default:
                unsafe g_value_unset(&value)
                return found
            }
        }
    }

    /// Shows a pad of an inner element as a pad of the bin.
    @discardableResult
    public func addGhostPad(_ name: String, of inner: Pad) throws(GStreamerError) -> Pad {
        guard let ghost = unsafe gst_ghost_pad_new(name, inner.pointer) else {
            throw GStreamerError(message: "no ghost pad \"\(name)\"", place: self.name)
        }
        guard unsafe gst_element_add_pad(pointer, ghost) != 0 else {
            throw GStreamerError(message: "there is a pad \"\(name)\" already", place: self.name)
        }
        return unsafe Pad(retainingNone: ghost)
    }

    /// Hides from the bin around it that sources or sinks are inside: it then acts as a filter.
    public func actAsFilter() {
        let flags = GST_ELEMENT_FLAG_SOURCE.rawValue | GST_ELEMENT_FLAG_SINK.rawValue
        unsafe gst_bin_set_suppressed_flags(binPointer, GstElementFlags(rawValue: flags))
    }

    /// Works out the latency anew, after an element said it changed.
    public func recalculateLatency() {
        unsafe gst_bin_recalculate_latency(binPointer)
    }
}
