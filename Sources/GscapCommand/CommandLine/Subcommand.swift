/// A subcommand of `gscap`, such as `gscap plan`: its name, its help and its work.
protocol Subcommand {
    /// The word after `gscap` that selects the subcommand.
    static var name: String { get }
    /// The operands in one line, as `gscap --help` lists them: "FILE.dng".
    static var synopsis: String { get }
    /// The line that describes the subcommand in `gscap --help`.
    static var summary: String { get }
    /// The text of `gscap NAME --help`, without the options that every subcommand has.
    static var help: String { get }
    /// The subcommand's own options, without those that every subcommand has.
    static var options: [Options.Declaration] { get }
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
        let options = try Options(words, declared: options + CommonOptions.declared, of: "gscap \(name)")
        if options.has("--help") {
            Console().print(page)
            return .done
        }
        return try await run(options, Console(isJSON: options.has("--json"), isVerbose: options.has("--verbose")))
    }

    /// The complete text of `gscap NAME --help`.
    static var page: String { help + "\n\n" + CommonOptions.help }
}

/// The options that every subcommand has.
private enum CommonOptions {
    static let declared: [Options.Declaration] = [.flag("--json"), .flag("--verbose"), .flag("--help")]

    static let help = """
        Common options
          --json                    write results to standard output as JSON, one object per line
          --verbose                 report more on standard error
          --help                    print this text
        """
}
