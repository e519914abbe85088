internal import GSCapture

/// The command `gscap` as a function from its arguments to the exit code; the program only reads the arguments and
/// exits.
public enum Command {
    /// Installs handlers that queue SIGINT, SIGTERM and SIGHUP until a capture reads them.
    ///
    /// Must be the first call of the program, on the main thread: an earlier signal ends the process.
    public static func installSignalHandlers() { Interrupts.install() }

    /// Runs the command with the arguments after the program's name, and returns the exit code of the process.
    public static func run(_ words: [String]) async -> ExitCode {
        do {
            return try await dispatch(words)
        } catch let failure as Failure {
            Console().note(failure.message)
            return failure.code
        } catch let error as CaptureError {
            let failure = Failure(error)
            Console().note(failure.message)
            return failure.code
        } catch {
            Console().note("\(error)")
            return .software
        }
    }

    /// Runs the subcommand that the first word names, with the other words. If it names none, the words are options for
    /// a capture.
    private static func dispatch(_ words: [String]) async throws -> ExitCode {
        guard let first = words.first else {
            Interrupts.restoreDefaults()
            Console().print(MainHelp.short)
            return .usage
        }
        if first == "help" {
            Interrupts.restoreDefaults()
            return try help(words.dropFirst().first)
        }
        if let subcommand = Subcommands.named(first) {
            Interrupts.restoreDefaults()
            return try await subcommand.run(words: words.dropFirst())
        }
        return try await CaptureCommand.run(words, help: MainHelp.page(listing: Subcommands.all))
    }

    /// Prints the help of a subcommand, or the main page if no subcommand is named.
    private static func help(_ name: String?) throws(Failure) -> ExitCode {
        guard let name else {
            Console().print(MainHelp.page(listing: Subcommands.all))
            return .done
        }
        guard let subcommand = Subcommands.named(name) else {
            let names = Subcommands.all.map { $0.name }.joined(separator: ", ")
            throw Failure(.usage, "there is no help on \"\(name)\"; the subcommands are \(names)")
        }
        Console().print(subcommand.page)
        return .done
    }
}
