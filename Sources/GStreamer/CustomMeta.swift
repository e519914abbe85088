internal import CGStreamer
internal import CGStreamerShims

/// A registered custom metadata type (GstCustomMeta): a structure attached to buffers, readable from any language.
public struct CustomMeta: Sendable, Hashable {
    /// The name of the metadata type, unique in the process.
    public let name: String

    /// Registers the metadata type, or finds the custom metadata that is already registered under the name.
    /// *Thread-safe.*
    public init(registering name: String) throws(GscapError) {
        try GStreamerRuntime.start()
        self.name = name
        try ProcessWideLock.withLock { () throws(GscapError) in try Self.register(name) }
    }

    private static func register(_ name: String) throws(GscapError) {
        if let known = unsafe gst_meta_get_info(name) {
            if unsafe gst_meta_info_is_custom(known) != 0 { return }
            throw GscapError(
                message: "the name \(name) is already used by metadata that is not custom metadata", place: "metadata")
        }
        guard unsafe g_type_from_name(name) == gscap_type_invalid else {
            throw GscapError(message: "the name \(name) is already used by a GType", place: "metadata")
        }
        // No tags: elements that transform the content of a buffer, such as scalers, keep untagged metadata.
        var tags: [UnsafePointer<CChar>?] = unsafe [nil]
        guard unsafe gst_meta_register_custom(name, &tags, nil, nil, nil) != nil else {
            throw GscapError(message: "GStreamer cannot register the custom metadata \(name)", place: "metadata")
        }
    }
}

extension Buffer {
    /// Returns the structure that the buffer carries as this custom metadata; nil if it carries none.
    public func structure(of meta: CustomMeta) -> Structure? {
        guard let found = unsafe gst_buffer_get_custom_meta(pointer, meta.name),
            let structure = unsafe gst_custom_meta_get_structure(found)
        else { return nil }
        return unsafe Structure(reading: structure)
    }

    /// Returns one field of this buffer's custom metadata without reading the other fields.
    public func value(of field: String, in meta: CustomMeta) -> Value? {
        guard let found = unsafe gst_buffer_get_custom_meta(pointer, meta.name),
            let structure = unsafe gst_custom_meta_get_structure(found),
            let value = unsafe gst_structure_get_value(structure, field)
        else { return nil }
        return unsafe Value(reading: value)
    }

    /// Attaches a structure to a writable buffer, replacing an existing one of the same metadata type.
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
