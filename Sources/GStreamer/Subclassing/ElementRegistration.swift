internal import CGStreamer
internal import CGStreamerShims

extension ElementBehaviour {
    /// Registers the element in this process under its factory name, for `plugin` or for no plugin.
    ///
    /// Registering again, also from another copy of this code in the process, reuses the existing type. If another
    /// plugin provides an element of the same name, the element is registered under a different name: see
    /// `RegisteredNames`.
    public static func register(in plugin: Plugin? = nil) throws(GscapError) {
        try GStreamerRuntime.start()
        let description = elementClass
        let type = try ElementType.register(Self.self, description)
        let isRegistered = ProcessWideLock.withLock {
            let name = RegisteredNames.choose(description.factoryName, for: type, in: plugin)
            return unsafe gst_element_register(plugin?.pointer, name, description.rank.rawValue, type) != 0
        }
        guard isRegistered else {
            throw GscapError(message: "GStreamer cannot register the element", place: description.factoryName)
        }
    }
}

/// The data of a registered GObject type, which lives until the process exits.
final class ElementType: Sendable {
    let behaviour: any ElementBehaviour.Type
    let description: ElementClass
    private let padCaps: [Caps]

    private init(_ behaviour: any ElementBehaviour.Type, _ description: ElementClass) throws(GscapError) {
        self.behaviour = behaviour
        self.description = description
        var padCaps: [Caps] = []
        for template in description.padTemplates {
            let caps = try Caps(template.caps)
            // A type and its pad templates live until the process exits; the flag keeps the leaks tracer from reporting
            // them.
            unsafe caps.pointer.pointee.mini_object.flags |= GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED.rawValue
            padCaps.append(caps)
        }
        self.padCaps = padCaps
    }

    /// The key under which a GObject type's data is stored; the data marks the type as registered by a copy of this
    /// code.
    private static var mark: GQuark { unsafe g_quark_from_string("gscap-element-type") }

    /// Returns the GObject type of a behaviour, registering it on first use.
    static func register(_ behaviour: any ElementBehaviour.Type, _ description: ElementClass) throws(GscapError)
        -> GType
    {
        let parent = try parentType(of: behaviour, description)
        let created = try ElementType(behaviour, description)
        return try ProcessWideLock.withLock { () throws(GscapError) -> GType in
            let existing = unsafe g_type_from_name(description.typeName)
            if existing != gscap_type_invalid {
                guard unsafe g_type_get_qdata(existing, mark) != nil else {
                    throw GscapError(
                        message: "the type name \(description.typeName) is already in use",
                        place: description.factoryName)
                }
                return existing
            }
            return try created.makeType(parent: parent)
        }
    }

    private static func parentType(
        of behaviour: any ElementBehaviour.Type, _ description: ElementClass
    ) throws(GscapError) -> GType {
        if behaviour is any SourceBehaviour.Type {
            try description.require(pad: "src", .source)
            return gst_push_src_get_type()
        }
        if behaviour is any TransformBehaviour.Type {
            try description.require(pad: "sink", .sink)
            try description.require(pad: "src", .source)
            return gst_base_transform_get_type()
        }
        if behaviour is any BinBehaviour.Type { return gst_bin_get_type() }
        throw GscapError(
            message: "\(behaviour) is not a source, transform or bin behaviour", place: description.factoryName)
    }

    private func makeType(parent: GType) throws(GscapError) -> GType {
        var query = unsafe GTypeQuery()
        unsafe g_type_query(parent, &query)
        let retained = unsafe Unmanaged.passRetained(self).toOpaque()
        var info = unsafe GTypeInfo()
        unsafe info.class_size = UInt16(clamping: query.class_size)
        unsafe info.instance_size = UInt16(clamping: ElementInstance.size)
        unsafe info.class_data = UnsafeRawPointer(retained)
        unsafe info.class_init = { anyClass, data in
            guard let anyClass = unsafe anyClass, let data = unsafe data else { return }
            unsafe Unmanaged<ElementType>.fromOpaque(data).takeUnretainedValue().fill(anyClass)
        }
        unsafe info.instance_init = { instance, anyClass in
            guard let instance = unsafe instance, let anyClass = unsafe anyClass else { return }
            unsafe ElementType.fill(instance, of: anyClass)
        }
        let type = unsafe g_type_register_static(parent, description.typeName, &info, gscap_type_flag_final)
        guard type != gscap_type_invalid else {
            unsafe Unmanaged<ElementType>.fromOpaque(retained).release()
            throw GscapError(
                message: "cannot register the type \(description.typeName)", place: description.factoryName)
        }
        unsafe g_type_set_qdata(type, Self.mark, retained)
        for interface in description.interfaces {
            // GStreamer has default implementations of all functions of these interfaces.
            var functions = unsafe GInterfaceInfo()
            unsafe g_type_add_interface_static(type, interface.type, &functions)
        }
        return type
    }
}

// MARK: - The class

extension ElementType {
    /// Initializes the class struct. GObject calls this once, before the first instance is created.
    private func fill(_ anyClass: UnsafeMutableRawPointer) {
        let objectClass = unsafe anyClass.assumingMemoryBound(to: GObjectClass.self)
        unsafe overrideObject(objectClass)
        for (index, property) in description.properties.enumerated() {
            unsafe property.install(in: objectClass, number: UInt32(clamping: index + 1))
        }
        for signal in description.signals { unsafe signal.install(in: gscap_class_type(anyClass)) }
        let elementClass = unsafe anyClass.assumingMemoryBound(to: GstElementClass.self)
        unsafe overrideElement(elementClass)
        unsafe gst_element_class_set_metadata(
            elementClass, description.longName, description.classification, description.summary, description.author)
        for (template, caps) in zip(description.padTemplates, padCaps) {
            unsafe gst_element_class_add_pad_template(elementClass, template.make(caps))
        }
        if behaviour is any SourceBehaviour.Type { unsafe overrideSource(anyClass) }
        if behaviour is any TransformBehaviour.Type { unsafe overrideTransform(anyClass) }
        if behaviour is any BinBehaviour.Type { unsafe overrideBin(anyClass) }
    }

    /// Initializes an instance. GObject calls this after the base class initialized its part.
    private static func fill(_ instance: UnsafeMutablePointer<GTypeInstance>, of anyClass: UnsafeMutableRawPointer) {
        guard let data = unsafe g_type_get_qdata(gscap_class_type(anyClass), mark),
            let parent = unsafe g_type_class_peek_parent(anyClass)
        else { return }
        let type = unsafe Unmanaged<ElementType>.fromOpaque(data).takeUnretainedValue()
        let object = UnsafeMutableRawPointer(instance)
        let element = unsafe object.assumingMemoryBound(to: GstElement.self)
        let created = unsafe ElementInstance(type.behaviour, of: element, parent: parent)
        unsafe created.install(in: object)
        if created.source != nil {
            unsafe gst_base_src_set_format(object.assumingMemoryBound(to: GstBaseSrc.self), GST_FORMAT_TIME)
        }
        if let transform = created.transform {
            unsafe gst_base_transform_set_passthrough(
                object.assumingMemoryBound(to: GstBaseTransform.self), transform.isPassthrough ? 1 : 0)
        }
    }
}

extension ElementClass {
    /// Throws unless the class has this pad template for a pad that always exists: GstBaseSrc and GstBaseTransform
    /// create such pads and crash without a template.
    fileprivate func require(pad name: String, _ direction: PadTemplate.Direction) throws(GscapError) {
        let hasTemplate = padTemplates.contains {
            $0.name == name && $0.direction == direction && $0.presence == .always
        }
        guard hasTemplate else {
            throw GscapError(
                message: "the element class has no pad template \"\(name)\"", place: factoryName)
        }
    }
}

extension ElementClass.Interface {
    fileprivate var type: GType {
        switch self {
        case .preset: gst_preset_get_type()
        case .tagSetter: gst_tag_setter_get_type()
        }
    }
}

extension PadTemplate {
    /// Creates a C pad template (transfer floating).
    fileprivate func make(_ caps: Caps) -> UnsafeMutablePointer<GstPadTemplate>? {
        let direction = direction == .source ? GST_PAD_SRC : GST_PAD_SINK
        let presence =
            switch presence {
            case .always: GST_PAD_ALWAYS
            case .sometimes: GST_PAD_SOMETIMES
            case .request: GST_PAD_REQUEST
            }
        return unsafe gst_pad_template_new(name, direction, presence, caps.pointer)
    }
}
