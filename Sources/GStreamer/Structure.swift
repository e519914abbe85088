internal import CGStreamer

/// A GstStructure as a plain value: a name with fields, as carried by caps, messages, events and metadata.
public struct Structure: Sendable, Hashable {
    /// The structure's name, such as the media type "video/x-bayer".
    public var name: String
    /// The fields in order, with unique names.
    public private(set) var fields: [Field]

    /// A field: a named value.
    public struct Field: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: Value
    }

    /// Creates a structure with fields in the given order. If a name is repeated, the last value replaces the earlier
    /// one.
    public init(_ name: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.name = name
        self.fields = []
        for (field, value) in fields { self[field] = value }
    }

    /// The value of the field of this name; nil if there is none. Setting nil removes the field.
    public subscript(_ field: String) -> Value? {
        get { fields.first { $0.name == field }?.value }
        set {
            let index = fields.firstIndex { $0.name == field }
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(Field(name: field, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension Structure {
    /// Copies a C structure, which the caller keeps (transfer none).
    init(reading pointer: UnsafePointer<GstStructure>) {
        self.init(unsafe gst_structure_get_name(pointer).map { unsafe String(cString: $0) } ?? "")
        let count = unsafe max(0, gst_structure_n_fields(pointer))
        for index in 0..<UInt32(count) {
            guard let name = unsafe gst_structure_nth_field_name(pointer, index),
                let value = unsafe gst_structure_get_value(pointer, name)
            else { continue }
            unsafe fields.append(Field(name: String(cString: name), value: Value(reading: value)))
        }
    }

    /// Returns a copy as a new C structure, which the caller owns (transfer full).
    func intoFull() -> UnsafeMutablePointer<GstStructure>? {
        guard let pointer = unsafe gst_structure_new_empty(name) else { return nil }
        unsafe fill(pointer)
        return unsafe pointer
    }

    /// Sets this value's fields in a C structure.
    func fill(_ pointer: UnsafeMutablePointer<GstStructure>) {
        for field in fields {
            unsafe field.value.withGValue { unsafe gst_structure_set_value(pointer, field.name, $0) }
        }
    }

    /// Calls `body` with this value as a C structure, which is freed afterwards.
    func withPointer<R>(_ body: (UnsafeMutablePointer<GstStructure>?) -> R) -> R {
        let pointer = unsafe intoFull()
        defer { if let pointer = unsafe pointer { unsafe gst_structure_free(pointer) } }
        return unsafe body(pointer)
    }
}
