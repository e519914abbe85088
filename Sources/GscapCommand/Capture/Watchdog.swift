internal import Glibc
internal import JSON
internal import Waiting

/// Ends the process if work that cannot be cancelled, such as opening a device that does not respond, takes too long.
struct Watchdog {
    private let alarm: Alarm?

    /// Starts to watch the end of a pipeline whose command has this exit code. A pipeline that does not stop in time is
    /// a failure of a command that has none.
    init(stopping code: ExitCode, _ console: Console) {
        self.init(
            WaitClock.current.now + Self.stoppingTime, code == .done ? .inputOutput : code, console,
            "the pipeline did not stop in time, so it was abandoned", isFailure: code == .done)
    }

    /// The longest time that a pipeline may take to stop.
    private static var stoppingTime: Duration { .seconds(8) }

    /// Starts to watch; at the deadline prints `message` and exits with `code`. Does nothing if `deadline` is nil. With
    /// `isFailure`, the message is reported as the failure of the command.
    init(
        _ deadline: WaitClock.Instant?, _ code: ExitCode, _ console: Console, _ message: String,
        isFailure: Bool = false
    ) {
        alarm = deadline.map { deadline in
            WaitClock.current.alarm(at: deadline) {
                if isFailure { console.report(Failure(code, message)) } else { console.note(message) }
                PhotoFolder.cleanUp()
                // _exit, not exit: the handlers that exit runs would wait for the work that does not respond.
                _exit(code.rawValue)
            }
        }
    }

    /// Stops watching, once the work is done.
    func cancel() { alarm?.cancel() }
}
