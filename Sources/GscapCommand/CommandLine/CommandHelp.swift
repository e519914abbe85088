/// The help of a command: what it does, around the options that the table has for it.
struct CommandHelp: Sendable {
    /// The command lines, without the program's name, with what each of them does; a command of one line has no text.
    let usage: [(String, String)]
    /// What the command does, in one line without a full stop.
    let summary: String
    /// The paragraphs before the options.
    let details: String
    /// The paragraphs after the options: examples.
    var examples = ""
    /// What the operands are, for completion.
    var operands = CommandOption.Completion.nothing

    /// The columns of a line, and of the options in it.
    private static let (columns, labelColumns) = (120, 28)

    /// Returns the text of `--help all`.
    func page(of command: CommandName) -> String {
        let options = CommandOption.of(command)
        let groups = CommandOption.Group.allCases.compactMap { group in
            let rows = options.filter { $0.group == group }.map { Self.row($0.label, $0.sentence) }
            return rows.isEmpty ? nil : group.rawValue + "\n" + rows.joined(separator: "\n")
        }
        let parts = [usageText, details] + groups + [examples]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// Returns the text of `--help`: about ten lines with the commonest options.
    func shortPage(of command: CommandName) -> String {
        let rows = CommandOption.of(command).filter(\.isCommon).map { option in
            Self.row(option.label, option.sentence.split(separator: "; ").first.map(String.init) ?? "")
        }
        let more = command == .capture ? "; gscap SUBCOMMAND --help describes a subcommand" : ""
        let last = "\(command.text) --help all describes everything" + more
        return ([usageText, ""] + rows + ["", last]).joined(separator: "\n")
    }

    private var usageText: String {
        let width = usage.map(\.0.count).max() ?? 0
        return usage.enumerated().map { index, line in
            let padding = String(repeating: " ", count: line.1.isEmpty ? 0 : width - line.0.count + 2)
            return (index == 0 ? "usage: " : "       ") + line.0 + padding + line.1
        }.joined(separator: "\n")
    }

    /// Returns the label of an option with its description beside it, and below if that needs several lines.
    private static func row(_ label: String, _ sentence: String) -> String {
        let indent = String(repeating: " ", count: labelColumns)
        let lines = wrapped(sentence, columns: columns - labelColumns)
        let first = "  " + label
        let fits = first.count <= labelColumns - 2
        let beginning = fits ? first + String(repeating: " ", count: labelColumns - first.count) : first + "\n" + indent
        return beginning + lines.joined(separator: "\n" + indent)
    }

    /// Returns a text in lines of at most `columns` characters.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
