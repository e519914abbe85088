package import GStreamer

/// The fields of a request's structure, each read by the name and the type that the request expects. A field of a wrong
/// type or value is nil and becomes a problem, as does a field that nothing has read when the request is complete.
package struct RequestFields {
    private let structure: Structure?
    /// The problems found in the fields so far, as texts for the refusal.
    package private(set) var problems: [String] = []
    private var known: [String] = []
    /// The object that the press passes on to the elements behind the shutter, in the field `companion`. Only Swift
    /// code can set it, so texts do not mention the field.
    let companion: SharedObject?

    package init(_ structure: Structure?) {
        var structure = structure
        if case .object(let object)? = structure?["companion"] {
            companion = object
            structure?["companion"] = nil
        } else {
            companion = nil
        }
        self.structure = structure
    }

    package mutating func add(_ problem: String) { problems.append(problem) }

    /// Adds a problem for each field that was not read; `place` begins its text.
    package mutating func refuseUnknown(_ place: String = "") {
        for field in structure?.fields.map(\.name) ?? [] where !known.contains(field) {
            add("\(place)there is no field \"\(field)\": use \(known.sorted().joined(separator: ", "))")
        }
    }

    /// Returns a field's value as converted by `value`; a value that it converts to nil becomes a problem.
    package mutating func read<T>(
        _ name: String, _ expected: String, in place: String = "", _ value: (Value) -> T?
    ) -> T? {
        if !known.contains(name) { known.append(name) }
        guard let field = structure?[name], field != .null else { return nil }
        if let found = value(field) { return found }
        add("\(place)\(name) is not \(expected): \(field.requestText)")
        return nil
    }

    mutating func unsigned(_ name: String) -> UInt64? { read(name, "an integer from 0") { $0.unsigned } }

    /// Reads an instant in nanoseconds. A stream never comes to GST_CLOCK_TIME_NONE, so a press then would never end.
    mutating func runningTime(_ name: String) -> UInt64? {
        read(name, "a running time in nanoseconds") { $0.unsigned.flatMap { $0 == .max ? nil : $0 } }
    }

    package mutating func integer(_ name: String) -> Int? { read(name, "an integer") { $0.integer } }

    package mutating func integer(_ name: String, in range: ClosedRange<Int>, _ expected: String) -> Int? {
        read(name, expected) { value in value.integer.flatMap { range.contains($0) ? $0 : nil } }
    }

    package mutating func truth(_ name: String) -> Bool? { read(name, "a boolean") { $0.truth } }

    mutating func text(_ name: String) -> String? { read(name, "a string") { $0.text } }

    mutating func finite(_ name: String, _ place: String = "") -> Double? {
        read(name, "a finite number", in: place) { value in value.number.flatMap { $0.isFinite ? $0 : nil } }
    }

    mutating func finite(_ name: String, in range: ClosedRange<Double>, _ expected: String, _ place: String = "")
        -> Double?
    {
        guard let number = finite(name, place) else { return nil }
        if !range.contains(number) { add("\(place)\(name) is not \(expected): \(number)") }
        return number
    }

    mutating func positive(_ name: String, _ place: String) -> Double? {
        read(name, "a number above 0", in: place) { value in value.number.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
    }

    mutating func choice<T: RawRepresentable<String>>(_ name: String, of choices: [T]) -> T? {
        let names = choices.map(\.rawValue).joined(separator: ", ")
        return read(name, "one of \(names)") { $0.text.flatMap(T.init(rawValue:)) }
    }

    mutating func structure(_ name: String) -> Structure? { read(name, "a structure") { $0.structure } }

    mutating func structures(_ name: String) -> [Structure]? {
        read(name, "an array of structures") { value in
            guard let elements = value.elements else { return nil }
            let structures = elements.compactMap(\.structure)
            return structures.count == elements.count ? structures : nil
        }
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
