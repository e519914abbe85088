internal import Dispatch
internal import Glibc
internal import Waiting

/// The sources of presses of the shutter: a timer, or Enter and the signal SIGUSR1.
enum PressTrigger {
    /// Returns a stream of presses at a fixed interval, the first at once. A press that is due while the process is
    /// held up is not repeated.
    static func presses(every interval: Duration) -> AsyncStream<Void> {
        let (stream, presses) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let timer = Task {
            let clock = WaitClock.current
            var next = clock.now
            while !Task.isCancelled {
                presses.yield()
                repeat { next = next + interval } while next < clock.now
                await clock.sleep(until: next)
            }
            presses.finish()
        }
        presses.onTermination = { _ in timer.cancel() }
        return stream
    }

    /// Prints on a terminal which keys do what, and otherwise with `--verbose` what takes the place of Enter. `action`
    /// and `end` are verbs: "takes a photo", "ends".
    static func explain(_ action: String, end: String, _ console: Console) {
        if isatty(STDIN_FILENO) != 0 {
            console.note("Enter \(action), Ctrl-C \(end)")
        } else {
            console.verboseNote("each line on standard input and each signal SIGUSR1 \(action)")
        }
    }

    /// Returns a stream with a press for each line on standard input and each SIGUSR1. It ends at the end of the input
    /// if that had a line; input without a line, such as /dev/null, leaves the signal alone in use.
    static func pressesByHand() -> AsyncStream<Void> {
        let (stream, presses) = AsyncStream<Void>.makeStream()
        DispatchQueue(label: "gscap.press-input").async {
            if readLines(of: STDIN_FILENO, { presses.yield() }) > 0 { presses.finish() }
        }
        guard pipe.writer >= 0 else { return stream }
        signal(SIGUSR1) { _ in
            // The handler calls only write(2), which is async-signal-safe. The guard above has created the pipe.
            var line: UInt8 = 10
            _ = unsafe write(PressTrigger.pipe.writer, &line, 1)
        }
        DispatchQueue(label: "gscap.press-signal").async { _ = readLines(of: pipe.reader) { presses.yield() } }
        return stream
    }

    /// The file descriptors of the pipe in which the signal handler stores a line for each signal; -1 if it could not
    /// be created.
    private static let pipe: (reader: Int32, writer: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return (-1, -1) }
        // Child processes must not inherit the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// Calls `body` for each line until the end of the input; returns the number of lines.
    private static func readLines(of descriptor: Int32, _ body: () -> Void) -> Int {
        var byte: UInt8 = 0
        var lines = 0
        while true {
            let count = unsafe read(descriptor, &byte, 1)
            if count == 1 {
                guard byte == 10 else { continue }
                lines += 1
                body()
            } else if count == 0 || errno != EINTR {
                return lines
            }
        }
    }
}
