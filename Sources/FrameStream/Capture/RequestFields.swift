package import CaptureSettings
package import GStreamer
package import JSON

/// The fields of a request's structure. A field that the request does not have, or with a value that its setting does
/// not allow, is nil and becomes a problem.
package struct RequestFields {
    private let structure: Structure?
    private var values: [String: JSON] = [:]
    /// The problems of the fields, as texts for the refusal.
    package private(set) var problems: [String] = []
    /// The object that the press passes on to the elements behind the shutter, in the field `companion`. Only Swift
    /// code can set it, so texts do not mention the field.
    let companion: SharedObject?

    /// Reads those fields of a structure that are settings. Other fields are a problem, unless `leavesOthers` is set.
    package init(_ structure: Structure?, _ settings: [PhotoSetting], leavesOthers: Bool = false) {
        var structure = structure
        if case .object(let object)? = structure?["companion"] {
            companion = object
            structure?["companion"] = nil
        } else {
            companion = nil
        }
        self.structure = structure
        let given = structure?.fields.filter { $0.value != .null } ?? []
        for field in given {
            guard let setting = settings.first(where: { $0.name == field.name }) else { continue }
            let value = setting.json(field.value)
            let wrong = setting.problems(of: value)
            if wrong.isEmpty { values[field.name] = value }
            problems += wrong
        }
        problems += PhotoSetting.lacking(given.map(\.name), among: settings)
        if !leavesOthers { problems += PhotoSetting.unknown(structure?.fields.map(\.name) ?? [], among: settings) }
    }

    package mutating func add(_ problem: String) { problems.append(problem) }

    /// The value of a field; nil if there is none that is allowed.
    package subscript(_ setting: PhotoSetting) -> JSON? { values[setting.name] }

    /// The value of a field that is one of several words.
    package func choice<T: RawRepresentable<String>>(_ setting: PhotoSetting) -> T? {
        self[setting]?.text.flatMap(T.init(rawValue:))
    }

    /// Returns a field's value as converted by `value`; a value that it converts to nil becomes a problem.
    package mutating func read<T>(_ setting: PhotoSetting, _ expected: String, _ value: (Value) -> T?) -> T? {
        guard self[setting] != nil, let field = structure?[setting.name] else { return nil }
        if let found = value(field) { return found }
        add("\(setting.name) is not \(expected): \(field.requestText)")
        return nil
    }
}

extension Value {
    /// The value for the reason of a refused request, in at most 60 characters.
    package var requestText: String {
        if case .string(let text) = self { return "\"\(text.prefix(60))\"" }
        if let truth { return truth ? "true" : "false" }
        if let integer { return "\(integer)" }
        if let unsigned { return "\(unsigned)" }
        if let number { return "\(number)" }
        return elements == nil ? (structure == nil ? "another type" : "a structure") : "an array"
    }
}
