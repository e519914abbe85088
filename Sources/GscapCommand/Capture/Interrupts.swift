internal import Dispatch
internal import Glibc
internal import Synchronization

/// Handles SIGINT (Ctrl-C), SIGTERM and SIGHUP: the first signal asks the capture to finish, the second ends the
/// process. SIGPIPE, which reports that the reader of the output has ended, does not count: it ends only work that
/// would otherwise go on until Ctrl-C, and other work is finished without a reader. Ctrl-C ends the reader, too, and
/// both signals arrive.
///
/// A signal handler writes the signal's number into a pipe, so that no signal is lost, and one thread reads the pipe.
/// Blocking the signals with a mask is no alternative: the Swift runtime's main thread waits with all signals
/// unblocked.
final class Interrupts: Sendable {
    /// The signals that are handled; SIGHUP and SIGPIPE unless the process was started with them ignored.
    private static let handled = [SIGINT, SIGTERM] + [SIGHUP, SIGPIPE].filter { !isIgnored($0) }

    /// Whether a signal is ignored, as `nohup` arranges for SIGHUP.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // Safe: both are function pointers without context, which are compared and not called. SIG_IGN is the address
        // 1.
        let handlers = unsafe [action.__sigaction_handler.sa_handler, SIG_IGN].map {
            unsafe unsafeBitCast($0, to: Int.self)
        }
        return handlers[0] == handlers[1]
    }

    /// The file descriptors of the pipe's read end and write end; -1 if the pipe could not be created.
    private static let pipe: (reader: Int32, writer: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { return (-1, -1) }
        // Child processes must not inherit the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }()

    /// The signals read from the pipe so far.
    private struct Received {
        /// The number of signals other than SIGPIPE.
        var count = 0
        var isReaderGone = false
        /// The calls that wait for a signal.
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let received = Mutex(Received())

    /// Installs the signal handlers. Signals wait in the pipe until `watch` reads them. SIGHUP and SIGPIPE stay ignored
    /// if they are, as `nohup` and service managers ask. SIGQUIT ends the process as it does by default, in place of
    /// the Swift runtime's report of a crash, and a write beyond the limit on files' sizes fails instead of ending the
    /// process.
    static func install() {
        if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
        signal(SIGXFSZ, SIG_IGN)
        guard pipe.writer >= 0 else { return }
        for number in handled {
            signal(number) { number in
                // The handler calls only async-signal-safe functions. The pipe exists already: the guard above created
                // it. Each further write to a reader that has ended would raise SIGPIPE again.
                if number == SIGPIPE { signal(number, SIG_IGN) }
                var byte = UInt8(truncatingIfNeeded: number)
                _ = unsafe write(Interrupts.pipe.writer, &byte, 1)
            }
        }
        // The process starts with the signals blocked that its parent's thread has blocked: in one of Dispatch, all.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Restores the default action of the handled signals, which ends the process.
    static func restoreDefaults() {
        for number in handled { signal(number, SIG_DFL) }
    }

    /// Starts to read the signals on a thread, including those that arrived earlier. Calls `onFirst` at the first one
    /// that counts; the second ends the process.
    func watch(_ onFirst: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "gscap.signals").async { [self] in
            var byte: UInt8 = 0
            while true {
                let count = unsafe read(Self.pipe.reader, &byte, 1)
                if count == 1 { handle(Int32(byte), onFirst) } else if count == 0 || errno != EINTR { return }
            }
        }
    }

    private func handle(_ number: Int32, _ onFirst: () -> Void) {
        let (count, waiters) = received.withLock { received in
            if number == SIGPIPE { received.isReaderGone = true } else { received.count += 1 }
            return (received.count, received.waiters)
        }
        if number != SIGPIPE {
            if count > 1 {
                PhotoFolder.cleanUp()
                _exit(ExitCode.interrupted.rawValue)
            }
            onFirst()
        }
        for waiter in waiters { waiter.yield() }
    }

    /// Whether a signal has asked the command to end; with `orReaderGone` also whether the output's reader has ended.
    func isRaised(orReaderGone: Bool = false) -> Bool {
        received.withLock { $0.count > 0 || (orReaderGone && $0.isReaderGone) }
    }

    /// Waits until a signal arrives, with `orReaderGone` also until the output's reader has ended, or until the task is
    /// cancelled.
    func wait(orReaderGone: Bool = false) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        received.withLock { $0.waiters.append(continuation) }
        // Signals that have arrived count, too.
        continuation.yield()
        for await _ in stream where isRaised(orReaderGone: orReaderGone) { return }
    }
}
