internal import CGStreamer
internal import CGStreamerShims

/// What GStreamer's registry knows of an element that can be made.
public struct ElementFactory: Sendable {
    /// The name that pipelines use.
    public var name: String
    /// What it is, such as "Sink/Video".
    public var classification: String
    /// What it is called for people.
    public var longName: String
    /// Its pads by template.
    public var padTemplates: [PadTemplateInfo]

    /// A pad that an element has or can make.
    public struct PadTemplateInfo: Sendable {
        /// Its name, "src_%u" and the like for those that are made.
        public var name: String
        /// Whether data leaves there.
        public var isSource: Bool
        /// Whether every instance has it from birth.
        public var isAlways: Bool
        /// The formats in text.
        public var caps: String
    }

    /// A property of an element.
    public struct Property: Sendable {
        /// Its name.
        public var name: String
        /// The name of its C type.
        public var typeName: String
        /// What it does.
        public var summary: String
        /// Whether it can be set.
        public var isWritable: Bool
        /// The short names it takes when it is an enumeration; else empty.
        public var nicks: [String]
        /// The bounds of a number, such as "from 1 to 8"; empty for anything else.
        public var limits: String
    }

    /// The names of all elements.
    public static var names: [String] {
        guard (try? GStreamerRuntime.start()) != nil,
            let list = unsafe gst_registry_get_feature_list(gst_registry_get(), gst_element_factory_get_type())
        else { return [] }
        defer { unsafe gst_plugin_feature_list_free(list) }
        var names: [String] = []
        var node: UnsafeMutablePointer<GList>? = unsafe list
        while let item = unsafe node {
            if let feature = unsafe item.pointee.data {
                unsafe names.append(Element.gstObjectName(feature.assumingMemoryBound(to: GstObject.self)))
            }
            unsafe node = item.pointee.next
        }
        return names.sorted()
    }

    /// The element of this name; nil when no plugin has it.
    public init?(named name: String) {
        guard (try? GStreamerRuntime.start()) != nil, let factory = unsafe gst_element_factory_find(name) else {
            return nil
        }
        defer { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
        self.name = name
        classification = unsafe Self.metadata(factory, GST_ELEMENT_METADATA_KLASS)
        longName = unsafe Self.metadata(factory, GST_ELEMENT_METADATA_LONGNAME)
        padTemplates = []
        var node = unsafe gst_element_factory_get_static_pad_templates(factory)
        while let item = unsafe node {
            if let template = unsafe item.pointee.data?.assumingMemoryBound(to: GstStaticPadTemplate.self) {
                unsafe padTemplates.append(Self.read(template))
            }
            unsafe node = UnsafePointer(item.pointee.next)
        }
    }

    private static func metadata(_ factory: OpaquePointer, _ key: String) -> String {
        unsafe gst_element_factory_get_metadata(factory, key).map { unsafe String(cString: $0) } ?? ""
    }

    private static func read(_ template: UnsafeMutablePointer<GstStaticPadTemplate>) -> PadTemplateInfo {
        PadTemplateInfo(
            name: unsafe String(cString: template.pointee.name_template),
            isSource: unsafe template.pointee.direction == GST_PAD_SRC,
            isAlways: unsafe template.pointee.presence == GST_PAD_ALWAYS,
            caps: unsafe String(cString: template.pointee.static_caps.string))
    }

    /// The properties of its instances; empty when none can be made.
    public func properties() -> [Property] {
        guard let element = try? Element(factory: name) else { return [] }
        return element.propertyList()
    }
}

extension Element {
    /// All properties it has.
    public func propertyList() -> [ElementFactory.Property] {
        let instance = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GTypeInstance.self)
        guard let anyClass = unsafe instance.pointee.g_class else { return [] }
        var count: UInt32 = 0
        let list = unsafe g_object_class_list_properties(
            UnsafeMutableRawPointer(anyClass).assumingMemoryBound(to: GObjectClass.self), &count)
        guard let list = unsafe list else { return [] }
        defer { unsafe g_free(list) }
        return (0..<Int(count)).compactMap { index in unsafe list[index].map { unsafe Self.describe($0) } }
    }

    private static func describe(_ specification: UnsafeMutablePointer<GParamSpec>) -> ElementFactory.Property {
        let type = unsafe gscap_property_type(specification)
        return ElementFactory.Property(
            name: unsafe String(cString: g_param_spec_get_name(specification)),
            typeName: unsafe String(cString: g_type_name(type)),
            summary: unsafe g_param_spec_get_blurb(specification).map { unsafe String(cString: $0) } ?? "",
            isWritable: unsafe specification.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0,
            nicks: nicks(of: type), limits: unsafe limits(of: specification, type))
    }

    private static func limits(of specification: UnsafeMutablePointer<GParamSpec>, _ type: GType) -> String {
        let own = UnsafeMutableRawPointer(specification)
        switch type {
        case gscap_type_int:
            let bounds = unsafe own.assumingMemoryBound(to: GParamSpecInt.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_uint:
            let bounds = unsafe own.assumingMemoryBound(to: GParamSpecUInt.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_int64:
            let bounds = unsafe own.assumingMemoryBound(to: GParamSpecInt64.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_uint64:
            let bounds = unsafe own.assumingMemoryBound(to: GParamSpecUInt64.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_float:
            let bounds = unsafe own.assumingMemoryBound(to: GParamSpecFloat.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_double:
            let bounds = unsafe own.assumingMemoryBound(to: GParamSpecDouble.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        default: return ""
        }
    }

    private static func nicks(of type: GType) -> [String] {
        guard g_type_is_a(type, gscap_type_enum) != 0, let anyClass = unsafe g_type_class_ref(type) else { return [] }
        defer { unsafe g_type_class_unref(anyClass) }
        let list = unsafe anyClass.assumingMemoryBound(to: GEnumClass.self).pointee
        return unsafe (0..<Int(list.n_values)).map { unsafe String(cString: list.values[$0].value_nick) }
    }
}
