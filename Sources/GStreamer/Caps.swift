internal import CGStreamer

/// A set of media formats; immutable.
@safe public final class Caps: @unchecked Sendable, CustomStringConvertible {
    // Sendable: the C object is never changed after it is made, and its count is atomic.
    let pointer: UnsafeMutablePointer<GstCaps>

    /// Takes over a reference. // transfer: full
    init(takingFull pointer: UnsafeMutablePointer<GstCaps>) {
        unsafe self.pointer = pointer
    }

    /// Takes a reference of its own. // transfer: none
    convenience init(retainingNone pointer: UnsafeMutablePointer<GstCaps>) {
        unsafe retainMiniObject(pointer)
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe releaseMiniObject(pointer)
    }

    /// Caps from text, as gst-launch writes them.
    public convenience init(_ text: String) throws(GStreamerError) {
        try GStreamerRuntime.start()
        guard let pointer = unsafe gst_caps_from_string(text) else {
            throw GStreamerError(message: "\"\(text)\" does not read as caps", place: "caps")
        }
        unsafe self.init(takingFull: pointer)
    }

    /// Caps of structures: alternatives, the first preferred.
    public convenience init(_ structures: [Structure]) {
        Self.startGStreamer()
        let pointer = unsafe gst_caps_new_empty()
        for structure in structures {
            if let owned = unsafe structure.intoFull() { unsafe gst_caps_append_structure(pointer, owned) }
        }
        unsafe self.init(takingFull: Self.present(pointer))
    }

    /// Caps of one structure.
    public convenience init(_ name: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.init([Structure(name, fields)])
    }

    /// Every format.
    public static var any: Caps {
        startGStreamer()
        return unsafe Caps(takingFull: present(gst_caps_new_any()))
    }

    /// No format.
    public static var none: Caps {
        startGStreamer()
        return unsafe Caps(takingFull: present(gst_caps_new_empty()))
    }

    /// The types of values exist only once GStreamer has started; if it cannot, whoever builds a pipeline is told.
    private static func startGStreamer() { _ = try? GStreamerRuntime.start() }

    /// GLib ends the process itself when memory runs out, so its constructors never give null.
    private static func present(_ pointer: UnsafeMutablePointer<GstCaps>?) -> UnsafeMutablePointer<GstCaps> {
        if let pointer = unsafe pointer { return unsafe pointer }
        preconditionFailure("GStreamer gave no caps")
    }

    /// The alternatives.
    public var structures: [Structure] {
        unsafe (0..<gst_caps_get_size(pointer)).compactMap { index in
            unsafe gst_caps_get_structure(pointer, index).map { unsafe Structure(reading: $0) }
        }
    }

    /// The first alternative.
    public var first: Structure? { structures.first }

    /// Whether exactly one format is left.
    public var isFixed: Bool { unsafe gst_caps_is_fixed(pointer) != 0 }

    /// Whether no format is left.
    public var isEmpty: Bool { unsafe gst_caps_is_empty(pointer) != 0 }

    /// Whether everything is allowed.
    public var isAny: Bool { unsafe gst_caps_is_any(pointer) != 0 }

    /// What both allow, ordered as here.
    public func intersection(_ other: Caps) -> Caps {
        unsafe Caps(
            takingFull: Self.present(gst_caps_intersect_full(pointer, other.pointer, GST_CAPS_INTERSECT_FIRST)))
    }

    /// Whether both have a format in common.
    public func canIntersect(_ other: Caps) -> Bool {
        unsafe gst_caps_can_intersect(pointer, other.pointer) != 0
    }

    /// Whether all of this is allowed by `other`.
    public func isSubset(of other: Caps) -> Bool {
        unsafe gst_caps_is_subset(pointer, other.pointer) != 0
    }

    /// One format out of these, GStreamer's usual choice.
    public func fixated() -> Caps {
        isEmpty || isAny ? self : unsafe Caps(takingFull: Self.present(gst_caps_fixate(gst_caps_copy(pointer))))
    }

    /// Text that reads back as these caps.
    public var description: String {
        guard let text = unsafe gst_caps_to_string(pointer) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }
}

extension Caps: Equatable {
    /// Whether both allow the same formats.
    public static func == (left: Caps, right: Caps) -> Bool {
        unsafe gst_caps_is_equal(left.pointer, right.pointer) != 0
    }
}
