internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C and its kin: the first asks to finish, the second ends at once.
final class Interrupts: @unchecked Sendable {
    // Sendable: the sources are made by `watch`, once, before any other thread knows of this object, and then only kept.
    private var sources: [any DispatchSourceSignal] = []
    private let count = Mutex(0)
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream<Void>.makeStream()
    }

    /// Takes over the signals from now on.
    func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in raised() }
            source.resume()
            sources.append(source)
        }
    }

    private func raised() {
        let times = count.withLock { count in
            count += 1
            return count
        }
        if times > 1 { _exit(ExitCode.interrupted.rawValue) }
        continuation.yield()
    }

    /// Whether one came.
    var isRaised: Bool { count.withLock { $0 > 0 } }

    /// Returns when one comes, or when the task is cancelled.
    func wait() async {
        for await _ in stream { return }
    }
}
