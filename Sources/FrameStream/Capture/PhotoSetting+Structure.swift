package import CaptureSettings
package import GStreamer
package import JSON

/// Settings as the fields of structures.
extension PhotoSetting {
    /// Returns the value of a structure's field as JSON, in which the elements of a list can also be one text.
    package func json(_ value: Value) -> JSON {
        guard case .texts = kind, let text = value.text else { return JSON(value) }
        return .list(
            text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                .text(word.split(separator: " ").joined(separator: " "))
            })
    }

    /// Returns an allowed value as that of a structure's field.
    package func value(_ json: JSON) -> Value? {
        switch kind {
        case .truth: json.truth.map(Value.boolean)
        case .integer: json.integer.map { .int(Int32(clamping: $0)) }
        case .number, .positive: json.number.map(Value.double)
        case .unsigned: json.integer.map { .uint64(UInt64(clamping: $0)) }
        case .text, .choice: json.text.map(Value.string)
        case .texts: json.list.map { .array($0.compactMap(\.text).map(Value.string)) }
        case .numbers: json.list.map { .array($0.compactMap(\.number).map(Value.double)) }
        case .objects(let fields): json.list.map { .array($0.map { Self.structure($0, among: fields, name) }) }
        case .table(let names, let fields):
            Self.structure(json, among: names.map { PhotoSetting($0, .table(names: [], fields: fields), "") }, name)
        case .properties: nil
        }
    }

    private static func structure(_ json: JSON, among settings: [PhotoSetting], _ name: String) -> Value {
        let fields = json.object ?? []
        return .structure(
            fields.reduce(into: Structure(name)) { structure, field in
                guard let setting = settings.first(where: { $0.name == field.0 }) else { return }
                if case .table(let names, let inner) = setting.kind, names.isEmpty {
                    structure[field.0] = Self.structure(field.1, among: inner, field.0)
                } else {
                    structure[field.0] = setting.value(field.1)
                }
            })
    }
}

extension JSON {
    /// Creates the JSON of a structure's value. A value of a type that no setting has becomes an array with a null,
    /// which no setting allows.
    fileprivate init(_ value: GStreamer.Value) {
        self =
            switch value {
            case .boolean(let value): .truth(value)
            case .string, .enumeration: .text(value.text ?? "")
            case .array(let values), .list(let values): .list(values.map(JSON.init))
            case .structure(let structure): JSON(structure)
            case .null: .null
            default: value.integer.map(JSON.integer) ?? value.number.map(JSON.number) ?? .list([.null])
            }
    }

    /// Creates an object with the fields of a structure.
    package init(_ structure: Structure) { self = .object(structure.fields.map { ($0.name, JSON($0.value)) }) }
}
