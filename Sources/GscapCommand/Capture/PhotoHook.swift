internal import Dispatch
internal import GSCapture
internal import Glibc
internal import JSON
internal import Synchronization
internal import Waiting

/// The command of `--after`, which runs after each photo with the paths of its files as arguments.
///
/// The commands run one after another, beside the capture, in the order of the photos. Their standard output goes to
/// standard error.
final class PhotoHook: Sendable {
    private let command: String
    private let console: Console
    private let queue = DispatchQueue(label: "gscap.after")
    private let code = Mutex(ExitCode.done)

    init(command: String, console: Console) {
        self.command = command
        self.console = console
    }

    /// Runs the command for the files of a photo, and returns at once.
    func run(_ files: [String]) {
        if files.isEmpty { return }
        queue.async { [self] in
            let status = Self.run(command, files)
            let list = JSON.list(files.map(JSON.text))
            console.event("after", [("files", list), ("exitCode", status.map { .integer(Int($0)) } ?? .null)])
            if status == 0 { return }
            let result = status.map { "ended with exit code \($0)" } ?? "cannot be run"
            console.note("the command of --after \(result): \(command) \(files.joined(separator: " "))")
            code.withLock { $0 = .inputOutput }
        }
    }

    /// Waits until all commands have ended, or until the deadline, and returns the exit code.
    func finish(until deadline: WaitClock.Instant?) async -> ExitCode {
        let (stream, ends) = AsyncStream<Void>.makeStream()
        queue.async {
            ends.yield()
            ends.finish()
        }
        for await end in Deadline.sequence(stream, until: deadline) {
            guard end != nil else { break }
            return code.withLock { $0 }
        }
        console.note("the command of --after did not end within the time given by --timeout")
        return .tryAgain
    }

    /// Runs the command in the shell, with the files as its last arguments; returns its exit code as a shell reports
    /// it, or nil if it could not be started.
    private static func run(_ command: String, _ files: [String]) -> Int32? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        let words = ["/bin/sh", "-c", command + " \"$@\"", "gscap"] + files
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var child: pid_t = 0
        guard unsafe posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ) == 0 else { return nil }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 { if errno != EINTR { return nil } }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
