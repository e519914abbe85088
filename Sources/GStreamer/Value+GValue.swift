internal import CGStreamer
internal import CGStreamerShims

// Conversion between `Value` and GValue: GObject's fundamental types first, then GStreamer's types.

extension Value {
    /// Copies a GValue, which the caller keeps (transfer none).
    init(reading value: UnsafePointer<GValue>) {
        let type = unsafe gscap_value_type(value)
        switch type {
        case gscap_type_boolean: self = .boolean(unsafe g_value_get_boolean(value) != 0)
        case gscap_type_int: self = .int(unsafe g_value_get_int(value))
        case gscap_type_uint: self = .uint(unsafe g_value_get_uint(value))
        case gscap_type_long: self = .int64(unsafe Int64(g_value_get_long(value)))
        case gscap_type_ulong: self = .uint64(unsafe UInt64(g_value_get_ulong(value)))
        case gscap_type_int64: self = .int64(unsafe Int64(g_value_get_int64(value)))
        case gscap_type_uint64: self = .uint64(unsafe UInt64(g_value_get_uint64(value)))
        case gscap_type_float: self = .double(unsafe Double(g_value_get_float(value)))
        case gscap_type_double: self = .double(unsafe g_value_get_double(value))
        case gscap_type_string:
            self = unsafe g_value_get_string(value).map { .string(unsafe String(cString: $0)) } ?? .null
        default: self = unsafe Self.readingGStreamer(value, type: type)
        }
    }

    private static func readingGStreamer(_ value: UnsafePointer<GValue>, type: GType) -> Value {
        switch type {
        case gst_fraction_get_type():
            return .fraction(
                Fraction(
                    unsafe gst_value_get_fraction_numerator(value), unsafe gst_value_get_fraction_denominator(value)))
        case gst_value_array_get_type():
            return .array(
                unsafe (0..<gst_value_array_get_size(value)).map {
                    unsafe Value(reading: gst_value_array_get_value(value, $0))
                })
        case gst_value_list_get_type():
            return .list(
                unsafe (0..<gst_value_list_get_size(value)).map {
                    unsafe Value(reading: gst_value_list_get_value(value, $0))
                })
        case gst_int_range_get_type():
            let low = unsafe gst_value_get_int_range_min(value)
            return .intRange(low...max(low, unsafe gst_value_get_int_range_max(value)))
        case gst_fraction_range_get_type():
            return unsafe readingFractionRange(value)
        case gst_structure_get_type():
            guard let pointer = unsafe gst_value_get_structure(value) else { return .null }
            return .structure(unsafe Structure(reading: pointer))
        case gst_sample_get_type():
            guard let pointer = unsafe g_value_get_boxed(value) else { return .null }
            return .sample(unsafe Sample(retainingNone: OpaquePointer(pointer)))
        case SharedObject.type: return unsafe SharedObject(reading: value).map(Value.object) ?? .null
        default:
            return unsafe readingByFamily(value, type: type)
        }
    }

    private static func readingFractionRange(_ value: UnsafePointer<GValue>) -> Value {
        guard let low = unsafe gst_value_get_fraction_range_min(value),
            let high = unsafe gst_value_get_fraction_range_max(value),
            case .fraction(let from) = unsafe Value(reading: low),
            case .fraction(let to) = unsafe Value(reading: high)
        else { return .null }
        return .fractionRange(from, to)
    }

    private static func readingByFamily(_ value: UnsafePointer<GValue>, type: GType) -> Value {
        if g_type_is_a(type, gscap_type_enum) != 0 {
            let number = unsafe g_value_get_enum(value)
            return .enumeration(number, nick: enumerationNick(number, of: type))
        }
        if g_type_is_a(type, gscap_type_flags) != 0 { return .flags(unsafe g_value_get_flags(value)) }
        let name = unsafe g_type_name(type).map { unsafe String(cString: $0) } ?? "?"
        return unsafe .other(type: name, text: String(takingFull: gst_value_serialize(value)) ?? "")
    }

    static func enumerationNick(_ number: Int32, of type: GType) -> String {
        guard let anyClass = unsafe g_type_class_ref(type) else { return "" }
        defer { unsafe g_type_class_unref(anyClass) }
        let enumClass = unsafe anyClass.assumingMemoryBound(to: GEnumClass.self)
        guard let found = unsafe g_enum_get_value(enumClass, number), let nick = unsafe found.pointee.value_nick
        else { return "" }
        return unsafe String(cString: nick)
    }
}

extension Value {
    /// The GType that represents this value without conversion.
    var naturalType: GType {
        switch self {
        case .boolean: gscap_type_boolean
        case .int, .enumeration: gscap_type_int
        case .uint, .flags: gscap_type_uint
        case .int64: gscap_type_int64
        case .uint64: gscap_type_uint64
        case .double: gscap_type_double
        case .string, .null, .other: gscap_type_string
        case .fraction: gst_fraction_get_type()
        case .array: gst_value_array_get_type()
        case .list: gst_value_list_get_type()
        // GStreamer has no range of a single number.
        case .intRange(let range): range.count == 1 ? gscap_type_int : gst_int_range_get_type()
        case .fractionRange: gst_fraction_range_get_type()
        case .structure: gst_structure_get_type()
        case .sample: gst_sample_get_type()
        case .object: SharedObject.type
        }
    }

    /// Calls `body` with this value as a GValue of its natural type, which is unset afterwards.
    func withGValue<R>(_ body: (UnsafeMutablePointer<GValue>) -> R) -> R {
        var value = GValue()
        unsafe g_value_init(&value, naturalType)
        defer { unsafe g_value_unset(&value) }
        unsafe write(to: &value)
        return unsafe body(&value)
    }

    /// Stores this value in a GValue that was initialized with the natural type.
    private func write(to value: UnsafeMutablePointer<GValue>) {
        switch self {
        case .boolean(let truth): unsafe g_value_set_boolean(value, truth ? 1 : 0)
        case .int(let number), .enumeration(let number, _): unsafe g_value_set_int(value, number)
        case .uint(let number), .flags(let number): unsafe g_value_set_uint(value, number)
        case .int64(let number): unsafe g_value_set_int64(value, Int(number))
        case .uint64(let number): unsafe g_value_set_uint64(value, UInt(number))
        case .double(let number): unsafe g_value_set_double(value, number)
        case .string(let text), .other(_, let text): unsafe g_value_set_string(value, text)
        case .null: unsafe g_value_set_string(value, nil)
        case .fraction(let fraction):
            unsafe gst_value_set_fraction(value, fraction.numerator, max(1, fraction.denominator))
        case .array(let values):
            for element in values { unsafe element.withGValue { unsafe gst_value_array_append_value(value, $0) } }
        case .list(let values):
            for element in values { unsafe element.withGValue { unsafe gst_value_list_append_value(value, $0) } }
        case .intRange(let range):
            if range.count == 1 {
                unsafe g_value_set_int(value, range.lowerBound)
            } else {
                unsafe gst_value_set_int_range(value, range.lowerBound, range.upperBound)
            }
        case .fractionRange(let low, let high):
            unsafe gst_value_set_fraction_range_full(
                value, low.numerator, max(1, low.denominator), high.numerator, max(1, high.denominator))
        case .structure(let structure):
            unsafe structure.withPointer { unsafe gst_value_set_structure(value, $0) }
        case .sample(let sample): unsafe sample.set(value)
        case .object(let object): unsafe object.set(value)
        }
    }

    /// Calls `body` with this value converted to a GType, by GObject's transformations or, for strings, by the
    /// deserialization that gst-launch-1.0 uses. Returns nil without calling `body` if the value cannot be converted.
    func withGValue<R>(of type: GType, _ body: (UnsafeMutablePointer<GValue>) -> R) -> R? {
        var converted = GValue()
        unsafe g_value_init(&converted, type)
        defer { unsafe g_value_unset(&converted) }
        let isConverted = unsafe withGValue { natural -> Bool in
            if case .string(let text) = self, type != gscap_type_string {
                return unsafe gst_value_deserialize(&converted, text) != 0
            }
            if case .enumeration(let number, _) = self, g_type_is_a(type, gscap_type_enum) != 0 {
                unsafe g_value_set_enum(&converted, number)
                return true
            }
            return unsafe isInRange(of: type) && g_value_transform(natural, &converted) != 0
        }
        return isConverted ? unsafe body(&converted) : nil
    }

    /// Whether this value fits the type gint, guint, gulong or guint64 (for the last two, whether it is not negative);
    /// true for other types and for values that are not numbers. Needed because GObject's transformations wrap around
    /// silently.
    private func isInRange(of type: GType) -> Bool {
        guard let number else { return true }
        switch type {
        case gscap_type_int: return number >= Double(Int32.min) && number <= Double(Int32.max)
        case gscap_type_uint: return number >= 0 && number <= Double(UInt32.max)
        case gscap_type_uint64, gscap_type_ulong: return number >= 0
        default: return true
        }
    }
}
