internal import CGStreamer
internal import CGStreamerShims

/// An element of a pipeline. Owns one reference.
@safe public class Element: @unchecked Sendable {
    // Sendable: GstElement's functions take the object's own lock.
    let pointer: UnsafeMutablePointer<GstElement>

    /// Takes a reference of its own; a floating one, as a new element has, is sunk. // transfer: none, floating
    required init(retainingNone pointer: UnsafeMutablePointer<GstElement>) {
        unsafe gst_object_ref_sink(pointer)
        unsafe self.pointer = pointer
    }

    /// Takes over a reference that is not floating. // transfer: full
    init(takingFull pointer: UnsafeMutablePointer<GstElement>) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// A new element of the named factory.
    public convenience init(factory: String, name: String? = nil) throws(GStreamerError) {
        try unsafe self.init(retainingNone: Self.make(factory: factory, name: name))
    }

    static func make(factory: String, name: String?) throws(GStreamerError) -> UnsafeMutablePointer<GstElement> {
        try GStreamerRuntime.start()
        guard let pointer = unsafe gst_element_factory_make(factory, name) else {
            throw GStreamerError(
                domain: GStreamerError.Domain.core, code: Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue),
                message: "no element \"\(factory)\"", place: name ?? factory)
        }
        return unsafe pointer
    }

    /// Its name in the pipeline.
    public var name: String {
        guard let text = unsafe gst_object_get_name(Self.object(pointer)) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }

    /// The name of its factory; empty for one that was made by hand.
    public var factoryName: String {
        guard let factory = unsafe gst_element_get_factory(pointer) else { return "" }
        return unsafe Self.gstObjectName(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
    }

    static func gstObjectName(_ object: UnsafeMutablePointer<GstObject>) -> String {
        guard let text = unsafe gst_object_get_name(object) else { return "" }
        defer { unsafe g_free(text) }
        return unsafe String(cString: text)
    }

    static func object(_ pointer: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstObject> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
    }
}

// MARK: - State

extension Element {
    /// How far an element is on its way to streaming.
    public enum State: Int, Sendable, Comparable {
        /// Nothing allocated.
        case null = 1
        /// Devices open.
        case ready
        /// Ready to stream; sinks hold the first buffer.
        case paused
        /// Streaming.
        case playing

        /// In the order of the steps.
        public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }

        var raw: GstState { GstState(rawValue: UInt32(rawValue)) }

        init(_ raw: GstState) { self = State(rawValue: Int(raw.rawValue)) ?? .null }
    }

    /// What asking for a state led to.
    public enum StateChange: Sendable {
        /// It is there.
        case done
        /// It will get there by itself; a message tells when.
        case later
        /// It is there, and as a live source it gives nothing before it plays.
        case live
    }

    /// Asks for a state.
    @discardableResult
    public func setState(_ state: State) throws(GStreamerError) -> StateChange {
        switch unsafe gst_element_set_state(pointer, state.raw) {
        case GST_STATE_CHANGE_SUCCESS: return .done
        case GST_STATE_CHANGE_ASYNC: return .later
        case GST_STATE_CHANGE_NO_PREROLL: return .live
        default: throw GStreamerError(message: "cannot go to the state \(state)", place: name)
        }
    }

    /// The state it has, after waiting for a change under way.
    public func state(timeout: Duration = .zero) -> State {
        var current = GST_STATE_NULL
        unsafe gst_element_get_state(pointer, &current, nil, timeout.clockTime)
        return State(current)
    }

    /// Takes the same state as the bin it is in.
    public func syncStateWithParent() {
        unsafe gst_element_sync_state_with_parent(pointer)
    }

    /// Whether the bin it is in leaves its state alone.
    public func setStateLocked(_ locked: Bool) {
        unsafe gst_element_set_locked_state(pointer, locked ? 1 : 0)
    }

    /// Sends an event to it: downstream ones enter at sources, upstream ones at sinks.
    @discardableResult
    public func send(_ event: Event) -> Bool {
        unsafe gst_element_send_event(pointer, event.copyFull()) != 0
    }
}

extension Duration {
    /// Whole nanoseconds.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000
    }

    var clockTime: GstClockTime { GstClockTime(max(0, nanoseconds)) }
}

// MARK: - Properties

extension Element {
    /// Sets a property; text is read as gst-launch reads it.
    public func set(_ property: String, _ value: Value) throws(GStreamerError) {
        let specification = try unsafe specification(of: property)
        guard unsafe specification.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0 else {
            throw GStreamerError(message: "the property \"\(property)\" is read-only", place: name)
        }
        let type = unsafe gscap_property_type(specification)
        let done = unsafe value.withGValue(of: type) { wanted -> Bool in
            // GObject clamps to the range without a word; we say no.
            guard unsafe g_param_value_validate(specification, wanted) == 0 else { return false }
            unsafe g_object_set_property(
                UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, wanted)
            return true
        }
        guard done == true else {
            throw GStreamerError(message: "\(value) does not suit the property \"\(property)\"", place: name)
        }
    }

    /// Whether a value reads as a property's type and is in its range. Sets nothing.
    public func accepts(_ property: String, _ value: Value) -> Bool {
        guard let specification = try? unsafe specification(of: property) else { return false }
        return unsafe value.withGValue(of: gscap_property_type(specification)) { wanted in
            unsafe g_param_value_validate(specification, wanted) == 0
        } ?? false
    }

    /// A property's value.
    public func get(_ property: String) throws(GStreamerError) -> Value {
        let specification = try unsafe specification(of: property)
        guard unsafe specification.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0 else {
            throw GStreamerError(message: "the property \"\(property)\" cannot be read", place: name)
        }
        var value = GValue()
        unsafe g_value_init(&value, gscap_property_type(specification))
        defer { unsafe g_value_unset(&value) }
        unsafe g_object_get_property(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, &value)
        return unsafe Value(reading: &value)
    }

    /// A property of a Swift type.
    public func get<T: PropertyType>(_ property: String, as type: T.Type = T.self) throws(GStreamerError) -> T {
        let value = try get(property)
        guard let converted = T(value) else {
            throw GStreamerError(message: "the property \"\(property)\" is \(value), not a \(type)", place: name)
        }
        return converted
    }

    /// Whether it has a property of this name.
    public func has(_ property: String) -> Bool {
        unsafe (try? unsafe specification(of: property)) != nil
    }

    private func specification(of property: String) throws(GStreamerError) -> UnsafeMutablePointer<GParamSpec> {
        let objectClass = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GTypeInstance.self).pointee
            .g_class
        guard let objectClass = unsafe objectClass,
            let found = unsafe g_object_class_find_property(
                UnsafeMutableRawPointer(objectClass).assumingMemoryBound(to: GObjectClass.self), property)
        else { throw GStreamerError(message: "no property \"\(property)\" in \(factoryName)", place: name) }
        return unsafe found
    }
}

/// A Swift type that properties can be read as.
public protocol PropertyType {
    /// The value in this type, when it is of it.
    init?(_ value: Value)
}

extension Bool: PropertyType {
    /// Truth, when the value is that.
    public init?(_ value: Value) {
        guard let truth = value.truth else { return nil }
        self = truth
    }
}

extension Int: PropertyType {
    /// A whole number, when the value is one.
    public init?(_ value: Value) {
        guard let integer = value.integer else { return nil }
        self = integer
    }
}

extension Double: PropertyType {
    /// A number, when the value is one.
    public init?(_ value: Value) {
        guard let number = value.number else { return nil }
        self = number
    }
}

extension String: PropertyType {
    /// Text, when the value is text or an enumeration's name.
    public init?(_ value: Value) {
        guard let text = value.text else { return nil }
        self = text
    }
}

// MARK: - Signals and pads

extension Element {
    /// Emits an action signal that takes one structure and gives a number, such as a shutter's `capture`.
    public func emit(_ signal: String, _ structure: Structure?) throws(GStreamerError) -> UInt64 {
        let type = unsafe gscap_instance_type(pointer)
        guard unsafe g_signal_lookup(signal, type) != 0 else {
            throw GStreamerError(message: "no signal \"\(signal)\" in \(factoryName)", place: name)
        }
        let argument = unsafe structure?.intoFull()
        defer { if let argument = unsafe argument { unsafe gst_structure_free(argument) } }
        return unsafe UInt64(gscap_emit_structure(pointer, signal, argument))
    }

    /// A pad that is always there, or that was made.
    public func pad(_ name: String) -> Pad? {
        unsafe gst_element_get_static_pad(pointer, name).map { unsafe Pad(takingFull: $0) }
    }

    /// A new pad from a template such as "src_%u".
    public func requestPad(_ template: String) -> Pad? {
        unsafe gst_element_request_pad_simple(pointer, template).map { unsafe Pad(takingFull: $0) }
    }

    /// Its pads.
    public var pads: [Pad] {
        var found: [Pad] = []
        unsafe withUnsafeMutablePointer(to: &found) { list in
            _ = unsafe gst_element_foreach_pad(
                pointer,
                { _, pad, list in
                    guard let pad = unsafe pad, let list = unsafe list else { return 1 }
                    unsafe list.assumingMemoryBound(to: [Pad].self).pointee.append(Pad(retainingNone: pad))
                    return 1
                }, list)
        }
        return found
    }

    /// Links its output to the other's input.
    public func link(to other: Element, caps: Caps? = nil) throws(GStreamerError) {
        guard unsafe gst_element_link_filtered(pointer, other.pointer, caps?.pointer) != 0 else {
            throw GStreamerError(message: "cannot link to \(other.name): no common format", place: name)
        }
    }
}
