internal import CGStreamer
internal import CGStreamerShims

/// An element factory as GStreamer's registry describes it.
public struct ElementFactory: Sendable {
    /// The factory name, as used in pipeline text.
    public var name: String
    /// The element class, such as "Sink/Video".
    public var classification: String
    /// The element's name for people.
    public var longName: String
    /// The templates of the pads that the factory's elements have or can create.
    public var padTemplates: [PadTemplateInfo]

    /// A pad template.
    public struct PadTemplateInfo: Sendable {
        /// The template's name, such as "sink", or "src_%u" for request and sometimes pads.
        public var name: String
        /// Whether pads of the template are source pads.
        public var isSource: Bool
        /// Whether every instance has the pad from the start (GST_PAD_ALWAYS).
        public var isAlways: Bool
        /// The supported caps as text.
        public var caps: String
    }

    /// A property of an element, as its GParamSpec describes it.
    public struct Property: Sendable {
        /// The property's name.
        public var name: String
        /// The name of the GType of the property's values.
        public var typeName: String
        /// The description of the property (its GObject blurb).
        public var summary: String
        /// Whether the property can be set, at least during construction.
        public var isWritable: Bool
        /// The nicks of an enumeration's values; empty for other types.
        public var nicks: [String]
        /// The range of a numeric property as text, such as "from 1 to 8"; empty for other types.
        public var limits: String
    }

    /// The names of all registered element factories, sorted.
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

    /// Finds an element factory by name; fails with nil if no plugin provides it.
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

    /// Returns the properties of the factory's elements; empty if no element can be created.
    public func properties() -> [Property] {
        guard let element = try? Element(factory: name) else { return [] }
        return element.propertyList()
    }
}

extension Element {
    /// Returns all properties of the element.
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
            isWritable: unsafe specification.pointee.flags.rawValue & gscap_param_writable.rawValue != 0,
            nicks: nicks(of: type), limits: unsafe limits(of: specification, type))
    }

    private static func limits(of specification: UnsafeMutablePointer<GParamSpec>, _ type: GType) -> String {
        let raw = UnsafeMutableRawPointer(specification)
        switch type {
        case gscap_type_int:
            let bounds = unsafe raw.assumingMemoryBound(to: GParamSpecInt.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_uint:
            let bounds = unsafe raw.assumingMemoryBound(to: GParamSpecUInt.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_int64:
            let bounds = unsafe raw.assumingMemoryBound(to: GParamSpecInt64.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_uint64:
            let bounds = unsafe raw.assumingMemoryBound(to: GParamSpecUInt64.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_float:
            let bounds = unsafe raw.assumingMemoryBound(to: GParamSpecFloat.self).pointee
            return unsafe "from \(bounds.minimum) to \(bounds.maximum)"
        case gscap_type_double:
            let bounds = unsafe raw.assumingMemoryBound(to: GParamSpecDouble.self).pointee
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
