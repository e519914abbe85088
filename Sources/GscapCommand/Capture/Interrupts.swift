internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C and its kin: the first asks to finish, the second ends at once.
///
/// From the first line of the program on a handler writes each signal into a pipe, so that none is lost, and one thread
/// reads them out. Masks would not do: the runtime's main thread waits with all signals let through.
final class Interrupts: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// The pipe's ends: for reading, and for the handler.
    private static let pipe: (reader: Int32, writer: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return (-1, -1) }
        // Programs that this one starts have no use for them.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    private let count = Mutex(0)
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream<Void>.makeStream()
    }

    /// Keeps signals until `watch` reads them.
    static func hold() {
        guard pipe.writer >= 0 else { return }
        for number in numbers {
            signal(number) { _ in
                // Only what is allowed in a handler: the pipe was made before the handler was set.
                var mark: UInt8 = 1
                _ = unsafe write(Interrupts.pipe.writer, &mark, 1)
            }
        }
    }

    /// Lets the signals end the program again, as they do by themselves.
    static func letGo() {
        for number in numbers { signal(number, SIG_DFL) }
    }

    /// Takes the signals that were kept, and those to come; tells of the first.
    func watch(_ tell: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "gscap.signals").async { [self] in
            var mark: UInt8 = 0
            while true {
                let got = unsafe read(Self.pipe.reader, &mark, 1)
                if got == 1 { raised(tell) } else if got == 0 || errno != EINTR { return }
            }
        }
    }

    private func raised(_ tell: () -> Void) {
        let times = count.withLock { count in
            count += 1
            return count
        }
        if times > 1 { _exit(ExitCode.interrupted.rawValue) }
        tell()
        continuation.yield()
    }

    /// Whether one came.
    var isRaised: Bool { count.withLock { $0 > 0 } }

    /// Returns when one comes, or when the task is cancelled.
    func wait() async {
        for await _ in stream { return }
    }
}
