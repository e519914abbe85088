internal import CGStreamer
internal import CGStreamerShims

extension ElementBehaviour {
    /// Makes the element known to this process under its factory name, as a part of `plugin` or of none.
    ///
    /// Asked again, by this or another copy of the code in the process, it keeps the type that is there. Where another
    /// plugin holds the factory name, the element gets another: see `RegisteredNames`.
    public static func register(in plugin: Plugin? = nil) throws(GStreamerError) {
        try GStreamerRuntime.start()
        let shown = elementClass
        let type = try ElementType.register(Self.self, shown)
        let isRegistered = ProcessWideLock.withLock {
            let name = RegisteredNames.choose(shown.factoryName, for: type, in: plugin)
            return unsafe gst_element_register(plugin?.pointer, name, shown.rank.rawValue, type) != 0
        }
        guard isRegistered else {
            throw GStreamerError(message: "GStreamer does not take the element", place: shown.factoryName)
        }
    }
}

/// What GObject keeps for a type of ours, for ever.
final class ElementType: Sendable {
    let behaviour: any ElementBehaviour.Type
    let shown: ElementClass
    private let padCaps: [Caps]

    private init(_ behaviour: any ElementBehaviour.Type, _ shown: ElementClass) throws(GStreamerError) {
        self.behaviour = behaviour
        self.shown = shown
        var padCaps: [Caps] = []
        for template in shown.padTemplates {
            let caps = try Caps(template.caps)
            // A type and its pad templates live to the end of the process; the leaks tracer is told so.
            unsafe caps.pointer.pointee.mini_object.flags |= GST_MINI_OBJECT_FLAG_MAY_BE_LEAKED.rawValue
            padCaps.append(caps)
        }
        self.padCaps = padCaps
    }

    /// By this a type of ours is known, whichever copy of this code made it.
    private static var mark: GQuark { unsafe g_quark_from_string("gscap-element-type") }

    /// The GObject type of a behaviour, made when it is not there yet.
    static func register(_ behaviour: any ElementBehaviour.Type, _ shown: ElementClass) throws(GStreamerError) -> GType
    {
        let parent = try parentType(of: behaviour, shown)
        let made = try ElementType(behaviour, shown)
        return try ProcessWideLock.withLock { () throws(GStreamerError) -> GType in
            let present = unsafe g_type_from_name(shown.typeName)
            if present != gscap_type_invalid {
                guard unsafe g_type_get_qdata(present, mark) != nil else {
                    throw GStreamerError(
                        message: "the type name \(shown.typeName) is taken", place: shown.factoryName)
                }
                return present
            }
            return try made.makeType(parent: parent)
        }
    }

    private static func parentType(
        of behaviour: any ElementBehaviour.Type, _ shown: ElementClass
    ) throws(GStreamerError) -> GType {
        if behaviour is any SourceBehaviour.Type {
            try shown.require(pad: "src", .source)
            return gst_push_src_get_type()
        }
        if behaviour is any TransformBehaviour.Type {
            try shown.require(pad: "sink", .sink)
            try shown.require(pad: "src", .source)
            return gst_base_transform_get_type()
        }
        if behaviour is any BinBehaviour.Type { return gst_bin_get_type() }
        throw GStreamerError(
            message: "\(behaviour) is neither a source, a transform nor a bin", place: shown.factoryName)
    }

    private func makeType(parent: GType) throws(GStreamerError) -> GType {
        var query = unsafe GTypeQuery()
        unsafe g_type_query(parent, &query)
        let held = unsafe Unmanaged.passRetained(self).toOpaque()
        var info = unsafe GTypeInfo()
        unsafe info.class_size = UInt16(clamping: query.class_size)
        unsafe info.instance_size = UInt16(clamping: ElementInstance.size)
        unsafe info.class_data = UnsafeRawPointer(held)
        unsafe info.class_init = { anyClass, data in
            guard let anyClass = unsafe anyClass, let data = unsafe data else { return }
            unsafe Unmanaged<ElementType>.fromOpaque(data).takeUnretainedValue().fill(anyClass)
        }
        unsafe info.instance_init = { instance, anyClass in
            guard let instance = unsafe instance, let anyClass = unsafe anyClass else { return }
            unsafe ElementType.fill(instance, of: anyClass)
        }
        let type = unsafe g_type_register_static(parent, shown.typeName, &info, G_TYPE_FLAG_FINAL)
        guard type != gscap_type_invalid else {
            unsafe Unmanaged<ElementType>.fromOpaque(held).release()
            throw GStreamerError(message: "no type \(shown.typeName) can be made", place: shown.factoryName)
        }
        unsafe g_type_set_qdata(type, Self.mark, held)
        return type
    }
}

// MARK: - The class

extension ElementType {
    /// Called once by GObject, before the first instance.
    private func fill(_ anyClass: UnsafeMutableRawPointer) {
        let objectClass = unsafe anyClass.assumingMemoryBound(to: GObjectClass.self)
        unsafe overrideObject(objectClass)
        for (index, property) in shown.properties.enumerated() {
            unsafe property.install(in: objectClass, number: UInt32(clamping: index + 1))
        }
        for signal in shown.signals { unsafe signal.install(in: gscap_class_type(anyClass)) }
        let elementClass = unsafe anyClass.assumingMemoryBound(to: GstElementClass.self)
        unsafe overrideElement(elementClass)
        unsafe gst_element_class_set_metadata(
            elementClass, shown.longName, shown.classification, shown.summary, shown.author)
        for (template, caps) in zip(shown.padTemplates, padCaps) {
            unsafe gst_element_class_add_pad_template(elementClass, template.make(caps))
        }
        if behaviour is any SourceBehaviour.Type { unsafe overrideSource(anyClass) }
        if behaviour is any TransformBehaviour.Type { unsafe overrideTransform(anyClass) }
    }

    /// Called by GObject for each instance, after the base class's part of it is made.
    private static func fill(_ instance: UnsafeMutablePointer<GTypeInstance>, of anyClass: UnsafeMutableRawPointer) {
        guard let data = unsafe g_type_get_qdata(gscap_class_type(anyClass), mark),
            let parent = unsafe g_type_class_peek_parent(anyClass)
        else { return }
        let type = unsafe Unmanaged<ElementType>.fromOpaque(data).takeUnretainedValue()
        let object = UnsafeMutableRawPointer(instance)
        let element = unsafe object.assumingMemoryBound(to: GstElement.self)
        let made = unsafe ElementInstance(type.behaviour, of: element, parent: parent)
        unsafe made.install(in: object)
        if made.source != nil {
            unsafe gst_base_src_set_format(object.assumingMemoryBound(to: GstBaseSrc.self), GST_FORMAT_TIME)
        }
        if let transform = made.transform {
            unsafe gst_base_transform_set_passthrough(
                object.assumingMemoryBound(to: GstBaseTransform.self), transform.isPassthrough ? 1 : 0)
        }
    }
}

extension ElementClass {
    /// The base classes make these pads themselves and crash where the template is missing.
    fileprivate func require(pad name: String, _ direction: PadTemplate.Direction) throws(GStreamerError) {
        let isThere = padTemplates.contains {
            $0.name == name && $0.direction == direction && $0.presence == .always
        }
        guard isThere else { throw GStreamerError(message: "no pad template \"\(name)\"", place: factoryName) }
    }
}

extension PadTemplate {
    /// A new C template. // transfer: floating
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
