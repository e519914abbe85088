internal import Glibc
internal import JSON
internal import Synchronization

/// The command's output: results on standard output, messages and progress on standard error.
final class Console: Sendable {
    /// Whether standard output carries JSON, one object per line, for programs (`--json`).
    let isJSON: Bool
    /// Whether detailed messages are printed (`--verbose`).
    let isVerbose: Bool

    /// Whether the progress line is drawn: only on a terminal, since it overwrites itself with carriage returns.
    private let drawsProgress: Bool
    /// The columns that the progress line takes on the screen, 0 if there is none. The process has one terminal, and
    /// the lock keeps the output of several threads apart.
    private static let progressWidth = Mutex(0)

    init(isJSON: Bool = false, isVerbose: Bool = false) {
        self.isJSON = isJSON
        self.isVerbose = isVerbose
        drawsProgress = !isJSON && isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0
    }

    /// Prints a result on standard output.
    func print(_ text: String) { write(text.printable + "\n", to: STDOUT_FILENO) }

    /// Prints an event as a JSON object on standard output; without `--json` prints nothing.
    func event(_ name: String, _ fields: [(String, JSON)] = []) {
        guard isJSON else { return }
        StandardStreams.write(JSON.object([("event", .text(name))] + fields).line + "\n", to: STDOUT_FILENO)
    }

    /// Prints a message on standard error.
    func note(_ text: String) { write("gscap: " + text.printable + "\n", to: STDERR_FILENO) }

    /// Prints a failure on standard error, with `--json` also as an event with more fields, and returns its exit code.
    @discardableResult
    func report(_ failure: Failure, _ more: [(String, JSON)] = []) -> ExitCode {
        let file = failure.file.map { [("file", JSON.text($0))] } ?? []
        let code = JSON.integer(Int(failure.exitCode.rawValue))
        event("failed", file + [("reason", .text(failure.message)), ("exitCode", code)] + more)
        note(failure.message)
        return failure.exitCode
    }

    /// Prints a message on standard error if `--verbose` is given.
    func verboseNote(_ text: String) {
        if isVerbose { note(text) }
    }

    /// Draws the progress line over the previous one, cut to the terminal's width: a line that wraps could not be drawn
    /// over. Draws nothing if the output is not a terminal.
    func progress(_ text: String) {
        guard drawsProgress else { return }
        Self.progressWidth.withLock { width in
            let line = TerminalLine(text.printable, columns: TerminalLine.columns)
            let rest = String(repeating: " ", count: max(0, width - line.width))
            StandardStreams.write("\r" + line.text + rest, to: STDERR_FILENO)
            width = line.width
        }
    }

    /// Erases the progress line.
    func clearProgress() { write("", to: STDERR_FILENO) }

    /// Writes a text in place of the progress line.
    private func write(_ text: String, to descriptor: Int32) {
        Self.progressWidth.withLock { width in
            if width > 0 {
                StandardStreams.write("\r" + String(repeating: " ", count: width) + "\r", to: STDERR_FILENO)
            }
            width = 0
            if !text.isEmpty { StandardStreams.write(text, to: descriptor) }
        }
    }
}
