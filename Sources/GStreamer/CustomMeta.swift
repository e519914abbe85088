internal import CGStreamer
internal import CGStreamerShims

/// A kind of metadata that rides on buffers as a structure, readable from any language.
public struct CustomMeta: Sendable, Hashable {
    /// Its name in the whole process.
    public let name: String

    /// Registers the name, or takes the kind that is already registered under it. *Thread-safe.*
    public init(registering name: String) throws(GStreamerError) {
        try GStreamerRuntime.start()
        self.name = name
        try ProcessWideLock.withLock { () throws(GStreamerError) in try Self.register(name) }
    }

    private static func register(_ name: String) throws(GStreamerError) {
        if let known = unsafe gst_meta_get_info(name) {
            if unsafe gst_meta_info_is_custom(known) != 0 { return }
            throw GStreamerError(message: "the name \(name) belongs to metadata of another form", place: "metadata")
        }
        guard unsafe g_type_from_name(name) == gscap_type_invalid else {
            throw GStreamerError(message: "the name \(name) belongs to a type", place: "metadata")
        }
        // No tags: elements that change pictures keep it.
        var tags: [UnsafePointer<CChar>?] = unsafe [nil]
        guard unsafe gst_meta_register_custom(name, &tags, nil, nil, nil) != nil else {
            throw GStreamerError(message: "GStreamer does not register the metadata \(name)", place: "metadata")
        }
    }
}

extension Buffer {
    /// The structure that this buffer carries under a kind of metadata.
    public func structure(of meta: CustomMeta) -> Structure? {
        guard let found = unsafe gst_buffer_get_custom_meta(pointer, meta.name),
            let structure = unsafe gst_custom_meta_get_structure(found)
        else { return nil }
        return unsafe Structure(reading: structure)
    }

    /// One field of that structure, without reading the others.
    public func value(of field: String, in meta: CustomMeta) -> Value? {
        guard let found = unsafe gst_buffer_get_custom_meta(pointer, meta.name),
            let structure = unsafe gst_custom_meta_get_structure(found),
            let value = unsafe gst_structure_get_value(structure, field)
        else { return nil }
        return unsafe Value(reading: value)
    }

    /// Puts a structure on a writable buffer in place of an older one of the same kind.
    public mutating func setStructure(_ structure: Structure, of meta: CustomMeta) {
        if let old = unsafe gst_buffer_get_custom_meta(pointer, meta.name) {
            unsafe gst_buffer_remove_meta(pointer, UnsafeMutableRawPointer(old).assumingMemoryBound(to: GstMeta.self))
        }
        guard let added = unsafe gst_buffer_add_custom_meta(pointer, meta.name),
            let fields = unsafe gst_custom_meta_get_structure(added)
        else { return }
        unsafe structure.fill(fields)
    }
}
