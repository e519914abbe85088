internal import CGStreamer

/// A kind of metadata that rides on buffers as a structure, readable from any language.
public struct CustomMeta: Sendable, Hashable {
    /// Its name in the whole process.
    public let name: String

    /// Registers the name, or takes the kind that has it already.
    public init(registering name: String) throws(GStreamerError) {
        try GStreamerRuntime.start()
        self.name = name
        guard unsafe gst_meta_get_info(name) == nil else { return }
        // No tags: elements that change pictures keep it.
        var tags: [UnsafePointer<CChar>?] = unsafe [nil]
        guard unsafe gst_meta_register_custom(name, &tags, nil, nil, nil) != nil else {
            throw GStreamerError(message: "the metadata name \(name) is taken", place: "metadata")
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
