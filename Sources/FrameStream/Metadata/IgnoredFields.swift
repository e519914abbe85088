package import GStreamer
internal import RawImage

/// The fields of a metadata structure that were ignored as invalid, each with the reason.
///
/// Structures may come from any program, so an invalid field is no error: the frame goes on without it. An element that
/// takes the metadata over posts a warning, because the look or lens correction in the field is lost.
package struct IgnoredFields {
    private var reasons: [String] = []

    /// Creates a list of no fields.
    package init() {}

    /// The message for people: the fields and the reasons; nil if all fields were valid.
    package var message: String? {
        reasons.isEmpty ? nil : "fields of the frame metadata were ignored: " + reasons.joined(separator: "; ")
    }

    /// Records a field that was ignored.
    mutating func add(_ field: String, _ reason: String) { reasons.append("\(field): \(reason)") }

    /// Decodes a field of a structure: returns nil if the field is missing, and records it if `body` returns nil or
    /// throws.
    mutating func decode<Result>(
        _ field: String, of structure: Structure, _ body: (Value) throws(GscapError) -> Result?
    ) -> Result? {
        guard let value = structure[field] else { return nil }
        return decode(field, value, body)
    }

    /// Decodes each element of an array field, and records those for which `body` returns nil or throws.
    mutating func decodeElements<Result>(
        _ field: String, of structure: Structure, _ body: (Value) throws(GscapError) -> Result?
    ) -> [Result] {
        guard let value = structure[field] else { return [] }
        guard let elements = value.elements else {
            add(field, "not an array")
            return []
        }
        return elements.enumerated().compactMap { decode("\(field)[\($0.offset)]", $0.element, body) }
    }

    private mutating func decode<Result>(
        _ name: String, _ value: Value, _ body: (Value) throws(GscapError) -> Result?
    ) -> Result? {
        do throws(GscapError) {
            if let result = try body(value) { return result }
            add(name, "wrong type, or a part is missing")
        } catch {
            add(name, error.message)
        }
        return nil
    }
}

extension Value {
    /// The structure in the value; nil if the value is of another type.
    package var structure: Structure? {
        if case .structure(let structure) = self { structure } else { nil }
    }
}
