internal import JSON

/// A subcommand of `gscap`, such as `gscap plan`: its name, its help and its work. Its options are rows of the table of
/// `CommandOption`.
protocol Subcommand {
    /// The word after `gscap` that selects the subcommand.
    static var name: CommandName { get }
    static var help: CommandHelp { get }
    /// Whether the subcommand ends by itself after a signal such as SIGINT, which otherwise ends the process.
    static var handlesSignals: Bool { get }

    /// Whether the subcommand's result is the text that it prints, rather than files.
    static var printsResult: Bool { get }

    /// Runs the subcommand with its parsed options and returns the exit code of the process.
    static func run(_ options: Options, _ console: Console) async throws -> ExitCode
}

extension Subcommand {
    static var handlesSignals: Bool { false }
    static var printsResult: Bool { false }

    /// Parses the words after the subcommand's name and runs it; with `--help`, prints its help instead.
    static func run(words: some Sequence<String>) async throws -> ExitCode {
        let options = try Options(words, of: name)
        if let extent = options.value("--help") {
            Console().print(extent.isEmpty ? help.shortPage(of: name) : help.page(of: name))
            return .done
        }
        return try await run(options, Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose")))
    }
}
