internal import CGStreamer

/// A name with fields, as GStreamer's caps, messages, events and metadata carry them. A plain value.
public struct Structure: Sendable, Hashable {
    /// Its name, such as "video/x-bayer".
    public var name: String
    /// Its fields in order.
    public private(set) var fields: [Field]

    /// A named value.
    public struct Field: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// What it holds.
        public var value: Value
    }

    /// A structure with fields in the order given; of fields with one name the last counts.
    public init(_ name: String, _ fields: KeyValuePairs<String, Value> = [:]) {
        self.name = name
        self.fields = []
        for (field, value) in fields { self[field] = value }
    }

    /// A field's value; nil takes the field away.
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
    /// Copies a C structure. // transfer: none
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

    /// A new C structure that the caller owns. // transfer: full
    func intoFull() -> UnsafeMutablePointer<GstStructure>? {
        guard let pointer = unsafe gst_structure_new_empty(name) else { return nil }
        unsafe fill(pointer)
        return unsafe pointer
    }

    /// Sets every field in a C structure.
    func fill(_ pointer: UnsafeMutablePointer<GstStructure>) {
        for field in fields {
            unsafe field.value.withGValue { unsafe gst_structure_set_value(pointer, field.name, $0) }
        }
    }

    /// Gives `body` this structure in C; it ends with the call.
    func withPointer<R>(_ body: (UnsafeMutablePointer<GstStructure>?) -> R) -> R {
        let pointer = unsafe intoFull()
        defer { if let pointer = unsafe pointer { unsafe gst_structure_free(pointer) } }
        return unsafe body(pointer)
    }
}
