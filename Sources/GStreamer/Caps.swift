internal import CGStreamer

/// A set of media formats (GstCaps), immutable.
@safe public final class Caps: @unchecked Sendable, CustomStringConvertible {
    // Sendable: the C object is never changed after creation, and its reference count is atomic.
    let pointer: UnsafeMutablePointer<GstCaps>

    /// Takes ownership of the caller's reference (transfer full).
    init(takingFull pointer: UnsafeMutablePointer<GstCaps>) {
        unsafe self.pointer = pointer
    }

    /// Adds a reference; the caller keeps its own (transfer none).
    convenience init(retainingNone pointer: UnsafeMutablePointer<GstCaps>) {
        unsafe retainMiniObject(pointer)
        unsafe self.init(takingFull: pointer)
    }

    deinit {
        unsafe releaseMiniObject(pointer)
    }

    /// Parses caps in the notation of gst-launch-1.0.
    public convenience init(_ text: String) throws(GscapError) {
        try GStreamerRuntime.start()
        guard let pointer = unsafe gst_caps_from_string(text) else {
            throw GscapError(message: "\"\(text)\" is not valid caps", place: "caps")
        }
        unsafe self.init(takingFull: pointer)
    }

    /// Creates caps of alternative structures in order of preference.
    public convenience init(_ structures: [Structure]) {
        Self.startGStreamer()
        let pointer = unsafe gst_caps_new_empty()
        for structure in structures {
            if let owned = unsafe structure.intoFull() { unsafe gst_caps_append_structure(pointer, owned) }
        }
        unsafe self.init(takingFull: Self.nonNull(pointer))
    }

    /// Creates caps of one structure.
    public convenience init(_ name: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.init([Structure(name, fields)])
    }

    /// Caps that allow every format (ANY).
    public static var any: Caps {
        startGStreamer()
        return unsafe Caps(takingFull: nonNull(gst_caps_new_any()))
    }

    /// Caps that allow no format (EMPTY).
    public static var none: Caps {
        startGStreamer()
        return unsafe Caps(takingFull: nonNull(gst_caps_new_empty()))
    }

    /// Starts GStreamer, which registers the GTypes of caps values. A failure is ignored here, because creating any
    /// element reports it.
    private static func startGStreamer() { _ = try? GStreamerRuntime.start() }

    /// Unwraps a constructor's result: GLib aborts the process when memory runs out, so its constructors never return
    /// null.
    private static func nonNull(_ pointer: UnsafeMutablePointer<GstCaps>?) -> UnsafeMutablePointer<GstCaps> {
        if let pointer = unsafe pointer { return unsafe pointer }
        preconditionFailure("GStreamer returned no caps")
    }

    /// The alternative structures in order of preference.
    public var structures: [Structure] {
        unsafe (0..<gst_caps_get_size(pointer)).compactMap { index in
            unsafe gst_caps_get_structure(pointer, index).map { unsafe Structure(reading: $0) }
        }
    }

    /// The preferred structure; nil for empty or ANY caps.
    public var first: Structure? { structures.first }

    /// Whether the caps describe exactly one format.
    public var isFixed: Bool { unsafe gst_caps_is_fixed(pointer) != 0 }

    /// Whether the caps allow no format.
    public var isEmpty: Bool { unsafe gst_caps_is_empty(pointer) != 0 }

    /// Whether the caps allow every format.
    public var isAny: Bool { unsafe gst_caps_is_any(pointer) != 0 }

    /// Returns the formats that both caps allow, in the order of preference of these caps.
    public func intersection(_ other: Caps) -> Caps {
        unsafe Caps(
            takingFull: Self.nonNull(gst_caps_intersect_full(pointer, other.pointer, GST_CAPS_INTERSECT_FIRST)))
    }

    /// Whether at least one format is allowed by both caps.
    public func canIntersect(_ other: Caps) -> Bool {
        unsafe gst_caps_can_intersect(pointer, other.pointer) != 0
    }

    /// Whether every format of these caps is allowed by `other`.
    public func isSubset(of other: Caps) -> Bool {
        unsafe gst_caps_is_subset(pointer, other.pointer) != 0
    }

    /// Returns one format of these caps, chosen by GStreamer's default fixation. Empty and ANY caps are returned
    /// unchanged.
    public func fixated() -> Caps {
        isEmpty || isAny ? self : unsafe Caps(takingFull: Self.nonNull(gst_caps_fixate(gst_caps_copy(pointer))))
    }

    /// Text from which the same caps can be parsed.
    public var description: String {
        unsafe String(takingFull: gst_caps_to_string(pointer)) ?? ""
    }
}

extension Caps: Equatable {
    /// Whether both caps allow the same formats.
    public static func == (left: Caps, right: Caps) -> Bool {
        unsafe gst_caps_is_equal(left.pointer, right.pointer) != 0
    }
}
