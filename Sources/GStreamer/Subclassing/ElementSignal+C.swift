internal import CGStreamer
internal import CGStreamerShims

extension ElementSignal {
    /// Registers the signal with GObject for the element class `type`.
    func install(in type: GType) {
        var types = parameters.map(\.type.type)
        var flags = gscap_signal_run_last.rawValue
        if kind == .action { flags |= gscap_signal_action.rawValue }
        _ = unsafe g_signal_newv(
            name, type, GSignalFlags(rawValue: flags), kind == .action ? actionClosure() : nil, nil, nil, nil,
            result?.type ?? gscap_type_none, UInt32(types.count), &types)
    }

    /// Creates the class closure of an action signal, which runs when the application emits the signal. The class
    /// retains it until the process exits (transfer floating).
    private func actionClosure() -> UnsafeMutablePointer<GClosure>? {
        let name = unsafe Unmanaged.passRetained(ActionName(name)).toOpaque()
        let closure = unsafe g_closure_new_simple(UInt32(MemoryLayout<GClosure>.size), name)
        unsafe g_closure_set_marshal(closure) { closure, result, count, values, _, _ in
            guard let name = unsafe closure?.pointee.data, let values = unsafe values, count > 0 else { return }
            let action = unsafe Unmanaged<ActionName>.fromOpaque(name).takeUnretainedValue().text
            guard let instance = unsafe ElementInstance.of(g_value_peek_pointer(values)) else { return }
            let arguments = (1..<max(1, Int(count))).map { unsafe Value(reading: values + $0) }
            let output = instance.behaviour.perform(action: action, arguments: arguments)
            if let output, let result = unsafe result { unsafe output.copy(to: result) }
        }
        return unsafe closure
    }
}

/// The user data of an action's closure: the action's name.
private final class ActionName: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

extension ElementSignal.ValueType {
    fileprivate var type: GType {
        switch self {
        case .boolean: gscap_type_boolean
        case .int32: gscap_type_int
        case .uint32: gscap_type_uint
        case .int64: gscap_type_int64
        case .uint64: gscap_type_uint64
        case .double: gscap_type_double
        case .string: gscap_type_string
        case .structure: gst_structure_get_type()
        }
    }
}

extension Value {
    /// Stores this value in an initialized GValue, converted to the GValue's type; a value that cannot be converted
    /// leaves it unchanged.
    func copy(to target: UnsafeMutablePointer<GValue>) {
        _ = unsafe withGValue(of: gscap_value_type(target)) { unsafe g_value_copy($0, target) }
    }
}

extension ElementHandle {
    /// Emits a notification signal to its connected handlers, on the calling thread. Missing arguments and values that
    /// do not fit the signal's parameters are passed as zero.
    public func emit(_ signal: String, _ arguments: [Value] = []) {
        guard let element else { return }
        let type = unsafe gscap_instance_type(element.pointer)
        let number = unsafe g_signal_lookup(signal, type)
        guard number != 0 else { return }
        var query = unsafe GSignalQuery()
        unsafe g_signal_query(number, &query)
        let count = unsafe Int(query.n_params)
        let values = UnsafeMutablePointer<GValue>.allocate(capacity: count + 1)
        unsafe values.initialize(repeating: GValue(), count: count + 1)
        defer {
            for index in 0...count { unsafe g_value_unset(values + index) }
            unsafe values.deallocate()
        }
        unsafe g_value_init(values, type)
        unsafe g_value_set_object(values, element.pointer)
        for index in 0..<count {
            unsafe g_value_init(values + index + 1, query.param_types[index])
            if index < arguments.count { unsafe arguments[index].copy(to: values + index + 1) }
        }
        unsafe g_signal_emitv(values, number, 0, nil)
    }
}
