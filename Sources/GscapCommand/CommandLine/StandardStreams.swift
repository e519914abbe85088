internal import Glibc
internal import Synchronization

/// The standard streams of the process.
enum StandardStreams {
    /// Whether output could not be written, for instance because the disk is full.
    private static let hasFailed = Atomic(false)

    /// Whether the process began with standard output closed.
    private static let isOutputMissing = Atomic(false)

    /// Whether standard output was open when the process began, so that a file written there arrives.
    static var hasOutput: Bool { !isOutputMissing.load(ordering: .relaxed) }

    /// The failure of a command whose result cannot be printed.
    static let closedOutput = Failure(
        .inputOutput, "standard output is closed: redirect it to a file, a program or /dev/null")

    /// Opens /dev/null in place of closed streams, so that no file or pipe of the program gets the number of a standard
    /// stream and receives its output. Called before any other file is opened.
    static func open() {
        while true {
            let descriptor = unsafe Glibc.open("/dev/null", O_RDWR)
            if descriptor < 0 { return }
            if descriptor == STDOUT_FILENO { isOutputMissing.store(true, ordering: .relaxed) }
            guard descriptor > STDERR_FILENO else { continue }
            close(descriptor)
            return
        }
    }

    /// Writes a text. A failure on standard output is remembered for the exit code, unless its reader has ended.
    static func write(_ text: String, to descriptor: Int32) {
        let isWritten = write(Array(text.utf8)[...], to: descriptor)
        if !isWritten, descriptor == STDOUT_FILENO, errno != EPIPE { hasFailed.store(true, ordering: .relaxed) }
    }

    /// Writes bytes and returns whether all were written.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var bytes = bytes
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return false }
            bytes = bytes.dropFirst(written)
        }
        return true
    }

    /// Returns the exit code of a command that ended with `code`: input or output failed if the command succeeded but
    /// its output could not be written.
    static func exitCode(after code: ExitCode) -> ExitCode {
        guard hasFailed.load(ordering: .relaxed), code == .done else { return code }
        Console().note("the standard output cannot be written; is the disk full?")
        return .inputOutput
    }
}
