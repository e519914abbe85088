internal import Glibc
internal import Synchronization

/// The command's output: results on standard output, messages and progress on standard error.
final class Console: Sendable {
    /// Whether standard output carries JSON, one object per line, for programs (`--json`).
    let isJSON: Bool
    /// Whether detailed messages are printed (`--verbose`).
    let isVerbose: Bool

    /// Whether the progress line is drawn: only on a terminal, since it overwrites itself with carriage returns.
    private let drawsProgress: Bool
    /// The length in characters of the progress line on the screen, 0 if there is none.
    private let progressLength = Mutex(0)

    init(isJSON: Bool = false, isVerbose: Bool = false) {
        self.isJSON = isJSON
        self.isVerbose = isVerbose
        drawsProgress = !isJSON && isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0
    }

    /// Prints a result on standard output.
    func print(_ text: String) {
        clearProgress()
        StandardStreams.write(text + "\n", to: STDOUT_FILENO)
    }

    /// Prints an event as a JSON object on standard output; without `--json` prints nothing.
    func event(_ name: String, _ fields: [(String, JSON)] = []) {
        guard isJSON else { return }
        StandardStreams.write(JSON.object([("event", .text(name))] + fields).line + "\n", to: STDOUT_FILENO)
    }

    /// Prints a message on standard error.
    func note(_ text: String) {
        clearProgress()
        StandardStreams.write("gscap: " + text + "\n", to: STDERR_FILENO)
    }

    /// Prints a failure on standard error, with `--json` also as an event with more fields, and returns its exit code.
    @discardableResult
    func report(_ failure: Failure, _ more: [(String, JSON)] = []) -> ExitCode {
        let file = failure.file.map { [("file", JSON.text($0))] } ?? []
        let code = JSON.integer(Int(failure.code.rawValue))
        event("failed", file + [("reason", .text(failure.message)), ("exitCode", code)] + more)
        note(failure.message)
        return failure.code
    }

    /// Prints a message on standard error if `--verbose` is given.
    func verboseNote(_ text: String) {
        if isVerbose { note(text) }
    }

    /// Draws the progress line over the previous one. Draws nothing if the output is not a terminal.
    func progress(_ text: String) {
        guard drawsProgress else { return }
        progressLength.withLock { length in
            StandardStreams.write(
                "\r" + text + String(repeating: " ", count: max(0, length - text.count)), to: STDERR_FILENO)
            length = text.count
        }
    }

    /// Erases the progress line.
    func clearProgress() {
        progressLength.withLock { length in
            if length > 0 {
                StandardStreams.write("\r" + String(repeating: " ", count: length) + "\r", to: STDERR_FILENO)
            }
            length = 0
        }
    }
}
