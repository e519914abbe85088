/// The options and operands of a parsed command line.
struct Options {
    /// The arguments that are not options, in order.
    var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// An option that a command accepts: its name, and whether it takes a value.
    struct Declaration {
        var name: String
        var takesValue: Bool

        static func flag(_ name: String) -> Self { Self(name: name, takesValue: false) }
        static func value(_ name: String) -> Self { Self(name: name, takesValue: true) }
    }

    /// The command whose help describes the options, such as "gscap plan".
    private let command: String

    /// Parses options of the forms `--name`, `--name value` and `--name=value`, and operands; all arguments after `--`
    /// are operands. Throws for an option that is not declared.
    init(
        _ words: some Sequence<String>, declared: [Declaration], of command: String = "gscap"
    ) throws(Failure) {
        self.command = command
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
            try parse(word, valueFrom: &rest, declared)
        }
    }

    /// The long options that the short ones abbreviate.
    private static let short = ["-h": "--help", "-v": "--verbose", "-o": "--output"]

    /// Parses the option `word`; its value, unless it follows an equals sign, is removed from `rest`.
    private mutating func parse(
        _ word: String, valueFrom rest: inout ArraySlice<String>, _ declared: [Declaration]
    ) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first.map { Self.short[$0] ?? $0 } ?? word
        guard let option = declared.first(where: { $0.name == name }) else {
            let advice = Suggestions.advice(name, among: declared.map(\.name), otherwise: "; see \(command) --help")
            throw Failure(.usage, "unknown option \(name)" + advice)
        }
        guard option.takesValue else {
            guard parts.count == 1 else { throw Failure(.usage, "\(name) takes no value") }
            values[name, default: []].append("")
            return
        }
        guard let value = parts.count > 1 ? parts.last : rest.popFirst() else {
            throw Failure(.usage, "\(name) needs a value")
        }
        values[name, default: []].append(value)
    }

    /// Throws if there are more than `count` operands.
    func requireOperands(atMost count: Int) throws(Failure) {
        guard let extra = operands.dropFirst(count).first else { return }
        throw Failure(.usage, "unexpected argument \"\(extra)\"; see \(command) --help")
    }

    /// Whether the command line contains the option of this name.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Adds a value of an option, as a preset does; nil adds nothing.
    mutating func add(_ name: String, _ value: String?) {
        if let value { values[name, default: []].append(value) }
    }

    /// Returns the option's value, the last one if it is repeated; nil without the option.
    func value(_ name: String) -> String? { values[name]?.last }

    /// Returns all values of an option that may be repeated, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns the option's value as a whole number; nil without the option. Throws if the value is not a whole number
    /// in the range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                .usage, "\(name) needs a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// Returns the option's value as a number; nil without the option. Throws if the value is not a number in the
    /// range, whose ends the error states in `unit`, such as "seconds".
    func number(_ name: String, in range: ClosedRange<Double>, unit: String = "") throws(Failure) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            let ends = [range.lowerBound, range.upperBound].map(Self.plain).joined(separator: " to ")
            throw Failure(
                .usage, "\(name) needs a number from \(ends)\(unit.isEmpty ? "" : " " + unit), not \"\(text)\"")
        }
        return number
    }

    /// Returns a number as text, without a fraction if it is whole.
    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    /// Returns the option's value as a duration; nil without the option. Throws unless the value is a number of seconds
    /// from `least` to 1,000,000.
    func seconds(_ name: String, from least: Double = 0.001) throws(Failure) -> Duration? {
        try number(name, in: least...1e6, unit: "seconds").map { .milliseconds(Int64($0 * 1000)) }
    }

    /// Returns the names and values of an option whose values have the form NAME=VALUE.
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
