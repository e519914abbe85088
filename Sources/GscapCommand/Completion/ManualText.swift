/// The list of a command's options in mdoc, the language of the manual page.
enum ManualText {
    static func options(of command: CommandName) -> String {
        let items = CommandOption.of(command).filter { $0.group != .general || command == .capture }.map { option in
            let names = [option.name] + option.others
            let value = option.placeholder.isEmpty ? "" : " Ar " + escaped(option.placeholder)
            let label = names.map { "Fl " + escaped(String($0.dropFirst())) }.joined(separator: " , ") + value
            let lines = option.sentence.split(separator: "; ").joined(separator: ";\n").split(separator: "\n")
            let text = lines.flatMap { CommandHelp.wrapped(String($0), columns: 110) }.map(escaped)
            return ".It \(label)\n\(text.joined(separator: "\n"))."
        }
        return ([".Bl -tag -width Ds"] + items + [".El"]).joined(separator: "\n")
    }

    /// Returns a text in which mdoc reads no commands.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
