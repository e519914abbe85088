internal import Glibc

/// Ends the process when work that cannot be called off, such as opening a device that never answers, takes too long.
struct Watchdog {
    private let task: Task<Void, Never>?

    /// Watches from now on, unless there is no deadline.
    init(_ deadline: ContinuousClock.Instant?, _ code: ExitCode, _ console: Console, _ words: String) {
        task = deadline.map { deadline in
            Task {
                try? await Task.sleep(until: deadline)
                guard !Task.isCancelled else { return }
                console.note(words)
                // At once: an orderly end would wait for the same work.
                _exit(code.rawValue)
            }
        }
    }

    /// The work is done.
    func cancel() { task?.cancel() }
}
