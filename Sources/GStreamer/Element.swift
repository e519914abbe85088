internal import CGStreamer
internal import CGStreamerShims
internal import Waiting

/// A pipeline element (GstElement). Owns one reference.
@safe public class Element: @unchecked Sendable {
    // Sendable: GstElement's functions lock the object.
    let pointer: UnsafeMutablePointer<GstElement>

    /// Adds a reference, or sinks the floating reference of a new element (transfer none or floating).
    required init(retainingNone pointer: UnsafeMutablePointer<GstElement>) {
        unsafe gst_object_ref_sink(pointer)
        unsafe self.pointer = pointer
    }

    /// Takes ownership of the caller's reference, which must not be floating (transfer full).
    init(takingFull pointer: UnsafeMutablePointer<GstElement>) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe gst_object_unref(pointer)
    }

    /// Creates an element of the named factory.
    public convenience init(factory: String, name: String? = nil) throws(GscapError) {
        try unsafe self.init(retainingNone: Self.make(factory: factory, name: name))
    }

    static func make(factory: String, name: String?) throws(GscapError) -> UnsafeMutablePointer<GstElement> {
        try GStreamerRuntime.start()
        guard let pointer = unsafe gst_element_factory_make(factory, name) else {
            throw GscapError(missing: "no element \"\(factory)\"", place: name ?? factory)
        }
        return unsafe pointer
    }

    /// The element's name in the pipeline.
    public var name: String {
        unsafe Self.gstObjectName(Self.object(pointer))
    }

    /// The name of the element's factory; empty if the element was created without one.
    public var factoryName: String {
        guard let factory = unsafe gst_element_get_factory(pointer) else { return "" }
        return unsafe Self.gstObjectName(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
    }

    static func gstObjectName(_ object: UnsafeMutablePointer<GstObject>) -> String {
        unsafe String(takingFull: gst_object_get_name(object)) ?? ""
    }

    static func object(_ pointer: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstObject> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
    }
}

// MARK: - State

extension Element {
    /// The state of an element (GstState), in order from stopped to streaming.
    public enum State: Int, Sendable, Comparable {
        /// Stopped; no resources are allocated.
        case null = 1
        /// Devices are open; no data flows.
        case ready
        /// Paused; each sink holds its first buffer (preroll).
        case paused
        /// Data flows and the clock runs.
        case playing

        /// Orders states from NULL to PLAYING.
        public static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }

        var raw: GstState { GstState(rawValue: UInt32(rawValue)) }

        init(_ raw: GstState) { self = State(rawValue: Int(raw.rawValue)) ?? .null }
    }

    /// The result of a state change (GstStateChangeReturn).
    public enum StateChange: Sendable {
        /// The element has the requested state.
        case done
        /// The change continues asynchronously; a message reports its end.
        case later
        /// The element has the requested state and, being live, produces no data before PLAYING.
        case live
    }

    /// Requests a state change of the element; throws if the element refuses it.
    @discardableResult
    public func setState(_ state: State) throws(GscapError) -> StateChange {
        switch unsafe gst_element_set_state(pointer, state.raw) {
        case GST_STATE_CHANGE_SUCCESS: return .done
        case GST_STATE_CHANGE_ASYNC: return .later
        case GST_STATE_CHANGE_NO_PREROLL: return .live
        default: throw GscapError(message: "cannot change to the state \(state)", place: name)
        }
    }

    /// Returns the element's current state, after waiting up to `timeout` for an ongoing state change.
    public func state(timeout: Duration = .zero) -> State {
        var current = GST_STATE_NULL
        unsafe gst_element_get_state(pointer, &current, nil, timeout.clockTime)
        return State(current)
    }

    /// Sets the element to the state of its parent bin. Returns whether that succeeded.
    @discardableResult
    public func syncStateWithParent() -> Bool {
        unsafe gst_element_sync_state_with_parent(pointer) != 0
    }

    /// Locks or unlocks the state: state changes of the parent bin do not affect an element with a locked state.
    public func setStateLocked(_ locked: Bool) {
        unsafe gst_element_set_locked_state(pointer, locked ? 1 : 0)
    }

    /// Sends an event to the element: sources handle downstream events, sinks handle upstream events. Returns whether
    /// the event was handled.
    @discardableResult
    public func send(_ event: Event) -> Bool {
        unsafe gst_element_send_event(pointer, event.copyFull()) != 0
    }
}

extension Duration {
    /// The duration in nanoseconds, truncated; the longest that can be counted if it is longer.
    public var nanoseconds: Int64 { clampedNanoseconds }

    var clockTime: GstClockTime { GstClockTime(max(0, nanoseconds)) }
}

// MARK: - Properties

extension Element {
    /// Sets a property. A string is converted to the property's type as gst-launch-1.0 does. Throws if the value is of
    /// the wrong type or out of range.
    public func set(_ property: String, _ value: Value) throws(GscapError) {
        let specification = try unsafe specification(of: property)
        guard unsafe specification.pointee.flags.rawValue & gscap_param_writable.rawValue != 0 else {
            throw GscapError(message: "the property \"\(property)\" is read-only", place: name)
        }
        let type = unsafe gscap_property_type(specification)
        let isSet = unsafe value.withGValue(of: type) { converted -> Bool in
            // g_object_set_property clamps out-of-range values silently, so validate first.
            guard unsafe g_param_value_validate(specification, converted) == 0 else { return false }
            unsafe g_object_set_property(
                UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, converted)
            return true
        }
        guard isSet == true else {
            throw GscapError(message: "\(value) is not a valid value of the property \"\(property)\"", place: name)
        }
    }

    /// Whether a value can be converted to the property's type and is within its range. Does not set the property.
    public func accepts(_ property: String, _ value: Value) -> Bool {
        guard let specification = try? unsafe specification(of: property) else { return false }
        return unsafe value.withGValue(of: gscap_property_type(specification)) { converted in
            unsafe g_param_value_validate(specification, converted) == 0
        } ?? false
    }

    /// Returns the current value of a property; throws if there is none of that name or it is write-only.
    public func get(_ property: String) throws(GscapError) -> Value {
        let specification = try unsafe specification(of: property)
        guard unsafe specification.pointee.flags.rawValue & gscap_param_readable.rawValue != 0 else {
            throw GscapError(message: "the property \"\(property)\" is write-only", place: name)
        }
        var value = GValue()
        unsafe g_value_init(&value, gscap_property_type(specification))
        defer { unsafe g_value_unset(&value) }
        unsafe g_object_get_property(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self), property, &value)
        return unsafe Value(reading: &value)
    }

    /// Returns the value of a property as a Swift type; throws if the value is of another type.
    public func get<T: PropertyType>(_ property: String, as type: T.Type = T.self) throws(GscapError) -> T {
        let value = try get(property)
        guard let converted = T(value) else {
            throw GscapError(
                message: "the property \"\(property)\" is \(value), which is not a \(type)", place: name)
        }
        return converted
    }

    /// Whether the element has a property of this name.
    public func has(_ property: String) -> Bool {
        unsafe (try? unsafe specification(of: property)) != nil
    }

    /// Whether the element has a property of this name that can be changed in the state PLAYING.
    public func canChange(_ property: String) -> Bool {
        guard let specification = try? unsafe specification(of: property) else { return false }
        return unsafe specification.pointee.flags.rawValue & gscap_param_mutable_playing != 0
    }

    private func specification(of property: String) throws(GscapError) -> UnsafeMutablePointer<GParamSpec> {
        let objectClass = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GTypeInstance.self).pointee
            .g_class
        guard let objectClass = unsafe objectClass,
            let found = unsafe g_object_class_find_property(
                UnsafeMutableRawPointer(objectClass).assumingMemoryBound(to: GObjectClass.self), property)
        else { throw GscapError(message: "\(factoryName) has no property \"\(property)\"", place: name) }
        return unsafe found
    }
}

/// A Swift type to which a property value can be converted.
public protocol PropertyType {
    /// Converts the value; nil if it is of another type.
    init?(_ value: Value)
}

extension Bool: PropertyType {
    /// Converts a Boolean value; nil for other types.
    public init?(_ value: Value) {
        guard let truth = value.truth else { return nil }
        self = truth
    }
}

extension Int: PropertyType {
    /// Converts an integer or enumeration value; nil for other types and for integers that overflow.
    public init?(_ value: Value) {
        guard let integer = value.integer else { return nil }
        self = integer
    }
}

extension Double: PropertyType {
    /// Converts a number, a fraction or an enumeration value; nil for other types.
    public init?(_ value: Value) {
        guard let number = value.number else { return nil }
        self = number
    }
}

extension String: PropertyType {
    /// Converts a string, or an enumeration value to its nick; nil for other types.
    public init?(_ value: Value) {
        guard let text = value.text else { return nil }
        self = text
    }
}

// MARK: - Signals and pads

extension Element {
    /// Emits an action signal whose parameter is a structure and whose result is a guint64, such as `capture` of
    /// rawshutter.
    public func emit(_ signal: String, _ structure: Structure?) throws(GscapError) -> UInt64 {
        let type = unsafe gscap_instance_type(pointer)
        guard unsafe g_signal_lookup(signal, type) != 0 else {
            throw GscapError(message: "\(factoryName) has no signal \"\(signal)\"", place: name)
        }
        let argument = unsafe structure?.intoFull()
        defer { if let argument = unsafe argument { unsafe gst_structure_free(argument) } }
        return unsafe UInt64(gscap_emit_structure(pointer, signal, argument))
    }

    /// Emits an action signal whose parameter and result are structures, such as `admission` of rawshutter. Returns nil
    /// if the element returns a null structure.
    public func query(_ signal: String, _ structure: Structure) throws(GscapError) -> Structure? {
        guard unsafe g_signal_lookup(signal, gscap_instance_type(pointer)) != 0 else {
            throw GscapError(message: "\(factoryName) has no signal \"\(signal)\"", place: name)
        }
        return unsafe structure.withPointer { argument in
            // transfer: full
            guard let answer = unsafe gscap_emit_structure_query(pointer, signal, argument) else { return nil }
            defer { unsafe gst_structure_free(answer) }
            return unsafe Structure(reading: answer)
        }
    }

    /// Emits an action signal whose parameter is a guint64 and whose result is a gboolean, such as `cancel` of
    /// rawshutter.
    public func emit(_ signal: String, _ number: UInt64) throws(GscapError) -> Bool {
        guard unsafe g_signal_lookup(signal, gscap_instance_type(pointer)) != 0 else {
            throw GscapError(message: "\(factoryName) has no signal \"\(signal)\"", place: name)
        }
        return unsafe gscap_emit_uint64(pointer, signal, guint64(number)) != 0
    }

    /// Returns an existing pad by name; nil if the element has none of that name.
    public func pad(_ name: String) -> Pad? {
        unsafe gst_element_get_static_pad(pointer, name).map { unsafe Pad(takingFull: $0) }
    }

    /// Requests a new pad from a request pad template, such as "src_%u".
    public func requestPad(_ template: String) -> Pad? {
        unsafe gst_element_request_pad_simple(pointer, template).map { unsafe Pad(takingFull: $0) }
    }

    /// The element's current pads.
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

    /// Links a source pad of this element to a sink pad of `other`; with `caps`, only these formats pass the link.
    public func link(to other: Element, caps: Caps? = nil) throws(GscapError) {
        guard unsafe gst_element_link_filtered(pointer, other.pointer, caps?.pointer) != 0 else {
            throw GscapError(message: "cannot link to \(other.name): no compatible pads or formats", place: name)
        }
    }
}
