internal import CGStreamer
internal import CGStreamerShims

extension ElementProperty {
    /// Installs the property in a GObject class; `number` is the property's ID, unique in the class.
    func install(in objectClass: UnsafeMutablePointer<GObjectClass>, number: UInt32) {
        guard let specification = unsafe makeSpecification() else { return }
        unsafe g_object_class_install_property(objectClass, number, specification)
    }

    /// Creates a parameter specification, which copies the strings (transfer floating).
    private func makeSpecification() -> UnsafeMutablePointer<GParamSpec>? {
        let flags = flags
        switch kind {
        case .boolean(let value):
            return unsafe g_param_spec_boolean(name, nick, blurb, value ? 1 : 0, flags)
        case .int32(let range, let value):
            return unsafe g_param_spec_int(name, nick, blurb, range.lowerBound, range.upperBound, value, flags)
        case .uint32(let range, let value):
            return unsafe g_param_spec_uint(name, nick, blurb, range.lowerBound, range.upperBound, value, flags)
        case .int64(let range, let value):
            return unsafe g_param_spec_int64(
                name, nick, blurb, Int(range.lowerBound), Int(range.upperBound), Int(value), flags)
        case .uint64(let range, let value):
            return unsafe g_param_spec_uint64(
                name, nick, blurb, UInt(range.lowerBound), UInt(range.upperBound), UInt(value), flags)
        case .double(let range, let value):
            return unsafe g_param_spec_double(name, nick, blurb, range.lowerBound, range.upperBound, value, flags)
        case .string(let value):
            return unsafe g_param_spec_string(name, nick, blurb, value, flags)
        case .fraction(let low, let high, let value):
            return unsafe gst_param_spec_fraction(
                name, nick, blurb, low.numerator, low.denominator, high.numerator, high.denominator,
                value.numerator, value.denominator, flags)
        case .enumeration(let type, let value):
            return unsafe g_param_spec_enum(name, nick, blurb, type.registered(), value, flags)
        case .structure:
            return unsafe g_param_spec_boxed(name, nick, blurb, gst_structure_get_type(), flags)
        }
    }

    private var flags: GParamFlags {
        let pairs: [(Options, Int32)] = [
            (.readable, gscap_param_readable.rawValue), (.writable, gscap_param_writable.rawValue),
            (.construct, gscap_param_construct.rawValue), (.constructOnly, gscap_param_construct_only.rawValue),
            (.controllable, gscap_param_controllable), (.mutableReady, gscap_param_mutable_ready),
            (.mutablePaused, gscap_param_mutable_paused), (.mutablePlaying, gscap_param_mutable_playing),
        ]
        return GParamFlags(rawValue: pairs.reduce(0) { options.contains($1.0) ? $0 | $1.1 : $0 })
    }
}

extension EnumerationType {
    /// Returns the enumeration's GType, registering it on first use. GObject serializes class initializers, so no other
    /// lock is needed.
    fileprivate func registered() -> GType {
        let existing = unsafe g_type_from_name(typeName)
        if existing != gscap_type_invalid { return existing }
        // GObject uses the table and its strings until the process exits, so they are never freed. A zeroed row ends
        // the table.
        let table = UnsafeMutablePointer<GEnumValue>.allocate(capacity: cases.count + 1)
        for (index, item) in cases.enumerated() {
            let row = unsafe GEnumValue(
                value: item.value, value_name: UnsafePointer(g_strdup(item.name)),
                value_nick: UnsafePointer(g_strdup(item.nick)))
            unsafe (table + index).initialize(to: row)
        }
        unsafe (table + cases.count).initialize(to: GEnumValue())
        return unsafe g_enum_register_static(typeName, table)
    }
}
