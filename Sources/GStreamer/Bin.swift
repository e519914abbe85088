internal import CGStreamer

/// An element that contains other elements (GstBin).
public class Bin: Element, @unchecked Sendable {
    private var binPointer: UnsafeMutablePointer<GstBin> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstBin.self)
    }

    /// Creates an empty bin.
    public convenience init(name: String? = nil) throws(GscapError) {
        try unsafe self.init(retainingNone: Self.make(factory: "bin", name: name))
    }

    /// Creates a bin from pipeline text in the grammar of gst-launch-1.0. The text's pads that are not linked become
    /// pads of the bin, named `sink` and `src`.
    public convenience init(parsing text: String, name: String) throws(GscapError) {
        try GStreamerRuntime.start()
        var failure: UnsafeMutablePointer<GError>?
        let parsed = unsafe gst_parse_bin_from_description_full(text, 1, nil, GST_PARSE_FLAG_FATAL_ERRORS, &failure)
        guard let parsed = unsafe parsed else { throw unsafe GscapError(takingFull: failure, place: name) }
        unsafe self.init(retainingNone: parsed)
        unsafe gst_object_set_name(Self.object(pointer), name)
    }

    /// Adds an element; throws if the bin already contains one of the same name.
    public func add(_ element: Element) throws(GscapError) {
        guard unsafe gst_bin_add(binPointer, element.pointer) != 0 else {
            throw GscapError(message: "the bin already has an element named \"\(element.name)\"", place: name)
        }
    }

    /// Removes a direct child from the bin.
    public func remove(_ element: Element) {
        unsafe gst_bin_remove(binPointer, element.pointer)
    }

    /// Returns the element of this name, searching inner bins too; nil if there is none.
    public func element(named name: String) -> Element? {
        unsafe gst_bin_get_by_name(binPointer, name).map { unsafe Element(takingFull: $0) }
    }

    /// All elements in the bin, including those of inner bins.
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

    /// Adds a ghost pad: a pad of the bin that stands for a pad of an inner element.
    @discardableResult
    public func addGhostPad(_ name: String, of inner: Pad) throws(GscapError) -> Pad {
        guard let ghost = unsafe gst_ghost_pad_new(name, inner.pointer) else {
            throw GscapError(message: "cannot create the ghost pad \"\(name)\"", place: self.name)
        }
        guard unsafe gst_element_add_pad(pointer, ghost) != 0 else {
            throw GscapError(message: "the bin already has a pad named \"\(name)\"", place: self.name)
        }
        return unsafe Pad(retainingNone: ghost)
    }

    /// Keeps the bin's source and sink flags clear, which GStreamer sets when a source or sink is added, so that the
    /// enclosing bin treats this one as a filter. Call it before adding children: flags already set stay.
    public func clearSourceAndSinkFlags() {
        let flags = GST_ELEMENT_FLAG_SOURCE.rawValue | GST_ELEMENT_FLAG_SINK.rawValue
        unsafe gst_bin_set_suppressed_flags(binPointer, GstElementFlags(rawValue: flags))
    }

    /// Recalculates the latency of the bin's elements and distributes it to them; call this after a latency message.
    public func recalculateLatency() {
        unsafe gst_bin_recalculate_latency(binPointer)
    }
}

extension Element {
    /// Removes the element from the bin that contains it; does nothing for an element without one.
    public func removeFromParent() {
        guard let parent = unsafe gst_object_get_parent(Self.object(pointer)) else { return }
        defer { unsafe gst_object_unref(parent) }
        unsafe gst_bin_remove(UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstBin.self), pointer)
    }
}
