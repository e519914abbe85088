/// `gscap completion SHELL`: prints the completion of a shell, which asks the command for the words at each key.
enum CompletionCommand: Subcommand {
    static let name = CommandName.completion
    static let help = CommandHelp(
        usage: [("gscap completion bash|zsh|fish", "")],
        summary: "print the completion for a shell",
        details: """
            Prints the completion for a shell. `make install` and the Debian package install all three; in a shell of
            its own: source <(gscap completion bash).

            With the word "words" and the beginning of a command line behind --, prints the words that may follow: first
            what else does (words, files with their endings, folders or programs), then one word a line with its
            description behind a tab. With "manual" and a subcommand or nothing, prints options for the manual page.
            """)
    static let printsResult = true

    static func run(_ options: Options, _ console: Console) throws -> ExitCode {
        let words = ["bash", "zsh", "fish"]
        switch options.operands.first {
        case "words": Completion(Array(options.operands.dropFirst())).lines.forEach(console.print)
        case "manual":
            guard let command = CommandName(rawValue: options.operands.dropFirst().first ?? "") else {
                throw Failure(.usage, "there is no such subcommand; see gscap --help")
            }
            console.print(ManualText.options(of: command))
        case let word?:
            try options.requireOperands(atMost: 1)
            guard let script = CompletionScripts.all[word] else {
                throw Suggestions.unknown(word, of: "the shell", among: words)
            }
            console.print(script)
        case nil: throw Failure(.usage, "no shell is named: gscap completion bash, zsh or fish")
        }
        return .done
    }
}
