internal import Files
internal import GSCapture
internal import Glibc
internal import JSON

/// The command `gscap` as a function from its arguments to the exit code; the program only reads the arguments and
/// exits.
public enum Command {
    /// Installs handlers that queue SIGINT, SIGTERM and SIGHUP until a capture reads them, and opens standard streams
    /// that are closed.
    ///
    /// Must be the first call of the program, on the main thread: an earlier signal ends the process.
    public static func installSignalHandlers() {
        StandardStreams.open()
        Interrupts.install()
    }

    /// The arguments after the program's name, of which names of files may not be UTF-8.
    public static var arguments: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            unsafe CommandLine.unsafeArgv[index].map { word in
                unsafe String(validatingCString: word)
                    ?? String(pathBytes: UnsafeRawBufferPointer(start: word, count: strlen(word)))
            }
        }
    }

    /// Runs the command with the arguments after the program's name, and returns the exit code of the process.
    public static func run(_ words: [String]) async -> ExitCode {
        hideLibraryLog(words)
        let code: ExitCode
        do {
            code = try await dispatch(words)
        } catch let error as Failure {
            code = report(Failure(error), words)
        } catch {
            code = report(Failure(.software, "\(error)"), words)
        }
        PhotoFolder.cleanUp()
        let isLost = code == .done && printsResult(words) && !StandardStreams.hasOutput
        return isLost ? report(StandardStreams.closedOutput, words) : StandardStreams.exitCode(after: code)
    }

    /// Prints the error that ends the command, with `--json` also as an event.
    private static func report(_ failure: Failure, _ words: [String]) -> ExitCode {
        Console(isJSON: words.prefix { $0 != "--" }.contains("--json")).report(failure)
    }

    /// Whether the words' only result is what they print, so that without standard output they fail. A capture stores
    /// its photos, also when a daemon without standard streams starts it.
    private static func printsResult(_ words: [String]) -> Bool {
        let isHelp = words.prefix { $0 != "--" }.contains { ["-h", "--help", "--version"].contains($0) }
        return isHelp || words.first.map { $0 == "help" || Subcommands.named($0)?.printsResult == true } ?? false
    }

    /// Limits the log of libcamera, which it writes to standard error, to errors. `--verbose`, or a level in the
    /// environment, shows the rest. Called before another thread reads the environment.
    private static func hideLibraryLog(_ words: [String]) {
        if words.contains("--verbose") || words.contains("-v") { return }
        unsafe setenv("LIBCAMERA_LOG_LEVELS", "*:ERROR", 0)
    }

    /// Runs the subcommand that the first word names, with the other words. If it names none, the words are options for
    /// a capture, or the file of a pipeline and options; without a word, one photo is taken.
    private static func dispatch(_ words: [String]) async throws -> ExitCode {
        guard let first = words.first else { return try await CaptureCommand.run([]) }
        if first == "help" {
            Interrupts.restoreDefaults()
            return try Self.help(words.dropFirst())
        }
        if let subcommand = Subcommands.named(first) {
            if !subcommand.handlesSignals { Interrupts.restoreDefaults() }
            return try await subcommand.run(words: words.dropFirst())
        }
        try checkPipelineName(first)
        return try await CaptureCommand.run(words)
    }

    /// Throws if the first word is neither an option nor the file of a pipeline.
    private static func checkPipelineName(_ word: String) throws(Failure) {
        guard !word.hasPrefix("-"), !InputFile.exists(word) else { return }
        let names = Subcommands.all.map { $0.name.rawValue } + ["help"]
        let advice = Suggestions.advice(word, among: names)
        // A path is not a mistyped subcommand.
        if advice.isEmpty, word.contains("/") || word.contains(".") { return }
        throw Failure(
            .usage,
            "there is no subcommand and no pipeline file \"\(word)\"" + (advice.isEmpty ? "; see gscap --help" : advice)
        )
    }

    /// Prints the help of a subcommand, or the main page if no subcommand is named; with `all`, every option.
    private static func help(_ words: ArraySlice<String>) throws(Failure) -> ExitCode {
        let name = words.first { $0 != "all" }
        let command = name.map { Subcommands.named($0)?.name } ?? .capture
        guard let command else {
            let names = Subcommands.all.map { $0.name.rawValue }
            throw Failure(
                .usage,
                "there is no help on \"\(name ?? "")\"; the subcommands are \(names.joined(separator: ", "))"
                    + Suggestions.advice(name ?? "", among: names))
        }
        let help = Subcommands.help(of: command)
        Console().print(words.contains("all") ? help.page(of: command) : help.shortPage(of: command))
        return .done
    }
}
