/// The options and operands of a parsed command line.
struct Options {
    /// The arguments that are not options, in order.
    var operands: [String] = []
    private var values: [String: [String]] = [:]
    private let command: CommandName

    /// Parses options of the forms `--name`, `--name value` and `--name=value`, and operands; all arguments after `--`
    /// are operands. Throws for an option that the command does not have.
    init(_ words: some Sequence<String>, of command: CommandName) throws(Failure) {
        self.command = command
        let declared = CommandOption.of(command)
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

    /// Parses the option `word`; its value, unless it follows an equals sign, is removed from `rest`.
    private mutating func parse(
        _ word: String, valueFrom rest: inout ArraySlice<String>, _ declared: [CommandOption]
    ) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let spelling = parts[0]
        guard let option = declared.first(where: { $0.name == spelling || $0.others.contains(spelling) }) else {
            let next = parts.count > 1 ? parts[1] : rest.first
            let earlier = next.flatMap { EarlierSpelling.of(spelling, $0, for: command) }
            if let earlier = earlier ?? EarlierSpelling.of(spelling, for: command) { throw earlier.failure }
            throw Failure(.usage, "unknown option \(spelling)" + advice(spelling, among: declared))
        }
        let name = option.name
        var value = parts.count > 1 ? parts[1] : nil
        if option.needsValue {
            value = value ?? rest.popFirst()
            guard let value else { throw Failure(.usage, "\(name) needs a value") }
            if let earlier = EarlierSpelling.of(name, value, for: command) { throw earlier.failure }
        } else if option.acceptsValue {
            if value == nil, let word = rest.first, option.words.contains(word) { value = rest.popFirst() }
            if let value, !option.words.contains(value) {
                throw Suggestions.unknown(value, of: name, among: option.words)
            }
        } else if value != nil {
            throw Failure(.usage, "\(name) takes no value")
        }
        values[name, default: []].append(value ?? "")
    }

    /// Returns the advice on an unknown option: the one that it resembles, or the commands that have it.
    private func advice(_ name: String, among declared: [CommandOption]) -> String {
        let commands = CommandOption.all.filter { $0.name == name }.flatMap(\.commands)
        let others = CommandName.allCases.filter(commands.contains).map(\.text).joined(separator: ", ")
        let otherwise = others.isEmpty ? "; see \(command.text) --help all" : ", which is one of \(others)"
        return Suggestions.advice(name, among: declared.map(\.name), otherwise: otherwise)
    }

    /// Throws if there are more than `count` operands.
    func requireOperands(atMost count: Int) throws(Failure) {
        guard let extra = operands.dropFirst(count).first else { return }
        throw Failure(.usage, "unexpected argument \"\(extra)\"; see \(command.text) --help")
    }

    /// Whether the command line contains the option of this name.
    func has(_ name: String) -> Bool { !all(name).isEmpty }

    /// Adds a value of an option, as a preset does; nil adds nothing.
    mutating func add(_ name: String, _ value: String?) {
        if let value { values[name, default: []].append(value) }
    }

    /// Returns the option's value, the last one if it is repeated; nil without the option.
    func value(_ name: String) -> String? { all(name).last }

    /// Returns all values of an option that may be repeated, in order.
    func all(_ name: String) -> [String] {
        assert(CommandOption.names.contains(name), "\(name) is not in the table")
        return values[name] ?? []
    }

    /// Returns the words of an option whose values are lists separated by commas; none without the option.
    func list(_ name: String) -> [String] { all(name).flatMap { $0.split(separator: ",") }.map { $0.lowercased() } }
}
