/// The words of a command line, told apart.
struct Options {
    /// Words that are no options, in order.
    var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// What an option is called and whether a value follows it.
    struct Known {
        var name: String
        var takesValue: Bool

        static func flag(_ name: String) -> Known { Known(name: name, takesValue: false) }
        static func value(_ name: String) -> Known { Known(name: name, takesValue: true) }
    }

    /// Reads words against the options that a command knows: `--name value`, `--name=value`, `--` ends options.
    init(_ words: some Sequence<String>, known: [Known]) throws(Failure) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            try take(word, from: &rest, known: known)
        }
    }

    /// What short options stand for.
    private static let short = ["-h": "--help", "-v": "--verbose", "-o": "--output"]

    private mutating func take(
        _ word: String, from rest: inout ArraySlice<String>, known: [Known]
    ) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first.map { Self.short[$0] ?? $0 } ?? word
        guard let option = known.first(where: { $0.name == name }) else {
            throw Failure(.usage, Self.unknown(name, known: known.map(\.name)))
        }
        guard option.takesValue else {
            guard parts.count == 1 else { throw Failure(.usage, "\(name) takes no value") }
            values[name, default: []].append("")
            return
        }
        guard let value = parts.count > 1 ? parts.last : rest.popFirst() else {
            throw Failure(.usage, "\(name) needs a value after it")
        }
        values[name, default: []].append(value)
    }

    private static func unknown(_ name: String, known: [String]) -> String {
        let near = known.first { $0.hasPrefix(name) || name.hasPrefix($0) }
        let hint = near.map { "; did you mean \($0)?" } ?? "; see gscap --help"
        return "no option \(name)\(hint)"
    }

    /// Throws when there are more operands than a command takes.
    func refuseOperands(after count: Int) throws(Failure) {
        guard let extra = operands.dropFirst(count).first else { return }
        throw Failure(.usage, "\"\(extra)\" is one word too many; see gscap --help")
    }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value given to an option.
    func value(_ name: String) -> String? { values[name]?.last }

    /// All values given to an option, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option as a whole number in a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                .usage, "\(name) needs a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// The value of an option as a number in a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(Failure) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw Failure(
                .usage, "\(name) needs a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// The value of an option as seconds above 0.
    func seconds(_ name: String) throws(Failure) -> Duration? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), number > 0, number <= 1e6 else {
            throw Failure(.usage, "\(name) needs a number of seconds above 0, not \"\(text)\"")
        }
        return .milliseconds(Int64(number * 1000))
    }

    /// The pairs that an option was given as NAME=VALUE.
    func pairs(_ name: String) throws(Failure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for text in all(name) {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw Failure(.usage, "\(name) needs NAME=VALUE, not \"\(text)\"")
            }
            pairs.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
        }
        return pairs
    }
}
