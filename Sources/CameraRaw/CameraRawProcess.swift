internal import CCameraRaw
internal import Glibc

/// A run of the program that reads a camera's raw file.
enum CameraRawProcess {
    /// How a run ended.
    struct Ending {
        /// The exit code; nil if it is unknown, as in a host that ignores SIGCHLD.
        var exitCode: Int32?
        /// The signal that ended the process; nil if none did, or it is unknown.
        var signal: Int32?
        /// Whether the process was killed because it did not end in time.
        var isLate = false
        /// What the process printed, at most 1000 bytes.
        var messages: String

        /// Whether the program's libraries could not be loaded: the exit code of the dynamic loader.
        var isNotLoaded: Bool { exitCode == 127 }

        /// Returns the error; nil if the process ended normally, or if that is unknown.
        func error(_ limits: CameraRawLimits) -> GscapError? {
            if isLate { return damaged("LibRaw does not finish reading it within \(limits.seconds) s") }
            switch signal {
            case nil where (exitCode ?? 0) == 0: return nil
            case nil:
                return GscapError(.noMemory, "the program gscap-libraw failed, as without memory: \(messages)")
            case SIGXCPU:
                return damaged("LibRaw takes more than \(limits.processorSeconds) s of processor time to read it")
            case SIGKILL:
                return GscapError(.noMemory, "LibRaw was killed while it read the file, as without memory")
            case SIGABRT where messages.contains("bad_alloc"): return Self.tooMuchMemory(limits)
            case .some(let signal): return damaged("LibRaw crashes when it reads it (signal \(signal))")
            }
        }

        /// Returns the error for a file for which LibRaw needs more memory than it may take.
        static func tooMuchMemory(_ limits: CameraRawLimits) -> GscapError {
            damaged("LibRaw needs more than \(limits.memory >> 20) MB of memory to read it")
        }

        private static func damaged(_ reason: String) -> GscapError {
            GscapError(
                .malformed,
                "the file is damaged, or is none that LibRaw reads: \(reason); use another copy of it, or convert it "
                    + "to DNG with Adobe DNG Converter")
        }

        private func damaged(_ reason: String) -> GscapError { Self.damaged(reason) }
    }

    /// Runs a program, with a file and the output as its descriptors besides a pipe, and waits for its end. Kills it
    /// after `seconds`.
    static func run(
        _ words: [String], file: borrowing Descriptor, output: borrowing Descriptor, seconds: Int
    ) throws(GscapError) -> Ending {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let (process, number) = try start(words, file, output)
        guard let pipe = Descriptor(number) else { throw CameraRawProgram.failure("pipe for messages") }
        // The pipe ends with the process, which has the only writing end.
        let (messages, isLate) = collect(pipe, until: deadline)
        // A process that has ended, and still waits for its parent, ignores the signal.
        kill(process, SIGKILL)
        var status: Int32 = 0
        var ended: pid_t
        repeat { ended = unsafe waitpid(process, &status, 0) } while ended < 0 && errno == EINTR
        var ending = Ending(isLate: isLate, messages: messages)
        guard ended == process else { return ending }
        let signal = status & 0x7F
        if signal == 0 { ending.exitCode = status >> 8 & 0xFF } else { ending.signal = signal }
        return ending
    }

    /// Starts a program; returns its number and the descriptor that reads what it prints.
    private static func start(
        _ words: [String], _ file: borrowing Descriptor, _ output: borrowing Descriptor
    ) throws(GscapError) -> (process: pid_t, messages: Int32) {
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var (process, messages): (pid_t, Int32) = (0, -1)
        let error = unsafe gscap_raw_start(arguments, variables, file.number, output.number, &messages, &process)
        guard error == 0 else {
            errno = error
            throw CameraRawProgram.failure("process")
        }
        return (process, messages)
    }

    /// The environment: where libraries are, and few threads, each of whose stacks counts as memory.
    private static var environment: [String] {
        let folders = unsafe getenv("LD_LIBRARY_PATH").map { unsafe "LD_LIBRARY_PATH=" + String(cString: $0) }
        return ["LC_ALL=C", "OMP_NUM_THREADS=\(max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))"]
            + (folders.map { [$0] } ?? [])
    }

    /// Reads what a process prints until its end.
    private static func collect(
        _ pipe: borrowing Descriptor, until deadline: ContinuousClock.Instant
    ) -> (messages: String, isLate: Bool) {
        var (messages, isLate): ([UInt8], Bool) = ([], false)
        var block = [UInt8](repeating: 0, count: 1000)
        while true {
            let left = deadline - .now
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else {
                isLate = true
                break
            }
            var waiting = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&waiting, 1, Int32(clamping: milliseconds))
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            let count = unsafe block.withUnsafeMutableBytes { unsafe Glibc.read(pipe.number, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            messages += block.prefix(min(count, 1000 - messages.count))
        }
        let text = String(decoding: messages, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
        return (text, isLate)
    }
}
