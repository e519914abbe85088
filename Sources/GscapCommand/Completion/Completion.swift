internal import GSCapture
internal import PipelineText

/// The words that may stand at the end of a command line, from the table of options.
struct Completion {
    /// What else may stand there, beside the words.
    private var others = CommandOption.Completion.nothing
    private var words: [(word: String, text: String)] = []

    /// Completes the last of the words after `gscap`, which may be empty.
    init(_ line: [String]) {
        let word = line.last ?? ""
        let before = line.dropLast()
        let command = before.first.flatMap { Subcommands.named($0)?.name } ?? .capture
        let options = CommandOption.of(command)
        if before.contains("--") {
            others = Subcommands.help(of: command).operands
        } else if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
            let option = Self.option(String(word[..<equals]), options)
            if let option { addValues(of: option, to: String(word[word.index(after: equals)...]), before) }
            words = words.map { (word[...equals] + $0.word, $0.text) }
        } else if let option = Self.option(before.last, options), option.needsValue {
            addValues(of: option, to: word, before)
        } else if word.hasPrefix("-") {
            words = options.map { ($0.name, Self.summary($0)) }
        } else {
            addOperands(command, before)
            // The value of such an option may be left out.
            if let option = Self.option(before.last, options), option.acceptsValue {
                words += option.words.map { ($0, "") }
            }
        }
        words = words.filter { $0.word.hasPrefix(word) }
    }

    /// The first line names what else completes the word; the others have a word and its description.
    var lines: [String] {
        let first =
            switch others {
            case .files(let endings): (["files"] + endings).joined(separator: " ")
            case .folders: "folders"
            case .programs: "programs"
            default: "words"
            }
        return [first] + words.map { $0.text.isEmpty ? $0.word : "\($0.word)\t\($0.text)" }
    }

    private static func option(_ name: String?, _ options: [CommandOption]) -> CommandOption? {
        options.first { $0.name == name || $0.others.contains(name ?? "") }
    }

    /// Returns the description of an option up to the first semicolon, cut to the width of a menu.
    private static func summary(_ option: CommandOption) -> String {
        let text = option.sentence.split(separator: "; ").first.map(String.init) ?? ""
        return text.count > 70 ? text.prefix(69) + "…" : text
    }

    /// Adds the values of an option. The words of an option that takes several follow those that are there.
    private mutating func addValues(of option: CommandOption, to value: String, _ before: ArraySlice<String>) {
        let isList = option.placeholder.hasSuffix(",…")
        let start = isList ? value.prefix(through: value.lastIndex(of: ",") ?? value.startIndex) : ""
        let given = start.hasSuffix(",") ? start : ""
        let used = given.split(separator: ",").map(String.init)
        words += option.words.filter { !used.contains($0) }.map { (given + $0, "") }
        switch option.completion {
        case .devices:
            let devices = (try? CaptureDevice.discover()) ?? []
            words += (devices + ((try? [.simulatedWideAndTele()]) ?? [])).map { ($0.uniqueID, $0.localizedName) }
            others = .files(["ini"])
        case .presets:
            words += DevelopPreset.names.map { ($0, "") }
            others = .files(["preset"])
        case .variables: words += Self.variables(before).map { ($0 + "=", "") }
        default: others = option.completion
        }
    }

    /// Returns the variables of the pipeline file that the command line names.
    private static func variables(_ before: ArraySlice<String>) -> [String] {
        for word in before where InputFile.exists(word) {
            guard let text = try? PlanReader.text(of: word) else { continue }
            if let names = try? PipelineDescription.variables(in: text), !names.isEmpty { return names }
        }
        return []
    }

    private mutating func addOperands(_ command: CommandName, _ before: ArraySlice<String>) {
        others = Subcommands.help(of: command).operands
        if before.isEmpty {
            words = Subcommands.all.map { ($0.name.rawValue, $0.help.summary) } + [("help", "describe a subcommand")]
        } else if before.first == "help" {
            words = Subcommands.all.map { ($0.name.rawValue, $0.help.summary) } + [("all", "")]
            others = .nothing
        } else if command == .completion {
            words = ["bash", "zsh", "fish"].map { ($0, "") }
        }
    }
}
