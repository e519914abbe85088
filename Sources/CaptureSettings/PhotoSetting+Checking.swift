package import JSON

extension PhotoSetting {
    /// The allowed values, as they follow "is not".
    package var allowed: String {
        switch kind {
        case .truth: "a boolean"
        case .integer(let range):
            "an integer from \(range.lowerBound)" + (range.upperBound == .max ? "" : " to \(range.upperBound)")
        case .number(let range): text(range)
        case .positive: "a number above 0"
        case .unsigned: "an integer from 0"
        case .text: "a string"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .texts(let words): words.isEmpty ? "a list of strings" : "a list of \(words.joined(separator: ", "))"
        case .numbers: "an array of numbers"
        case .objects: "an array of objects"
        case .table(let names, _): "an object with the fields \(names.joined(separator: ", "))"
        case .properties: "a structure"
        }
    }

    private func text(_ range: ClosedRange<Double>) -> String {
        let bounds = [range.lowerBound, range.upperBound].filter { abs($0) < .greatestFiniteMagnitude }
        let text = bounds.map { JSON.number($0).line }.joined(separator: " to ")
        return bounds.isEmpty ? "a number" : "a number from \(text)" + (unit.isEmpty ? "" : " \(unit)")
    }

    /// Returns what is wrong with a value: a line for each mistake, which names the field and the allowed values.
    /// `place` is the path of the object that the setting is a field of.
    package func problems(of value: JSON, in place: String = "") -> [String] {
        let path = place + name
        switch (kind, value) {
        case (.objects(let fields), .list(let objects)) where objects.allSatisfy({ $0.object != nil }):
            return objects.enumerated().flatMap { index, object in
                Self.problems(of: object.object ?? [], among: fields, in: "\(path)[\(index)].")
            }
        case (.table(let names, let fields), .object(let entries)):
            let rows = names.map { PhotoSetting($0, .table(names: fields.map(\.name), fields: []), "") }
            let unknown = Self.unknown(entries.map(\.0), among: rows, in: path + ".")
            return unknown
                + entries.filter { names.contains($0.0) && !$0.1.isNull }.flatMap { entry, value in
                    value.object.map { Self.problems(of: $0, among: fields, in: "\(path).\(entry).") }
                        ?? ["\(path).\(entry) is not an object: \(value.excerpt)"]
                }
        default:
            return allows(value) ? [] : ["\(path) is not \(allowed): \(value.excerpt)"]
        }
    }

    private func allows(_ value: JSON) -> Bool {
        switch kind {
        case .truth: value.truth != nil
        case .integer(let range): value.integer.map(range.contains) ?? false
        case .number(let range): value.number.map(range.contains) ?? false
        case .positive: value.number.map { $0 > 0 && $0.isFinite } ?? false
        case .unsigned: value.number.map { $0 >= 0 } ?? false
        case .text: value.text != nil
        case .choice(let words): value.text.map(words.contains) ?? false
        case .texts(let words):
            value.list?.allSatisfy { $0.text.map { words.isEmpty || words.contains($0) } ?? false } ?? false
        case .numbers: value.list?.allSatisfy { $0.number != nil } ?? false
        case .objects, .table: false
        case .properties: value.object != nil
        }
    }

    /// Returns what is wrong with the fields of an object: values that are not allowed, fields that do not exist, and
    /// those that lack another one. Null stands for a field that is left out.
    package static func problems(
        of fields: [(String, JSON)], among settings: [PhotoSetting], in place: String = ""
    ) -> [String] {
        let given = fields.filter { !$0.1.isNull }
        let values = given.flatMap { name, value in
            settings.first { $0.name == name }?.problems(of: value, in: place) ?? []
        }
        let names = given.map(\.0)
        return values + unknown(fields.map(\.0), among: settings, in: place)
            + lacking(names, among: settings, in: place)
    }

    /// Returns the problem that fields do not exist, with the names of all of them; an empty array if all exist.
    package static func unknown(_ names: [String], among settings: [PhotoSetting], in place: String = "") -> [String] {
        let unknown = names.filter { name in !settings.contains { $0.name == name } }.map { "\"\(place)\($0)\"" }
        if unknown.isEmpty { return [] }
        let subject = unknown.count == 1 ? "there is no field" : "there are no fields"
        let known = settings.map(\.name).joined(separator: ", ")
        return ["\(subject) \(unknown.joined(separator: " and ")): use \(known)"]
    }

    /// Returns a problem for each field without another one that it needs.
    package static func lacking(_ names: [String], among settings: [PhotoSetting], in place: String = "") -> [String] {
        settings.filter { names.contains($0.name) && !Set($0.needs).isSubset(of: names) }.map { setting in
            "\(place)\(setting.name) has no meaning without \(setting.needs.joined(separator: " and ")): "
                + "add that, or leave it out"
        }
    }
}

extension JSON {
    /// The beginning of the value's text, for messages. Shows numbers that JSON lacks.
    fileprivate var excerpt: String {
        if case .number(let value) = self, !value.isFinite { return "\(value)" }
        let text = line
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
