import Dispatch
import Foundation
import Glibc
import Testing
import Waiting

/// A child process that runs the built `gscap` or another program, whose output and exit code tests examine.
struct BuiltCommand {
    /// The build folder, which contains the tests and the command.
    static let folder: URL = {
        // The test runner's folder is the build folder.
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return program.deletingLastPathComponent()
    }()

    /// The root folder of the repository.
    static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The exit code and the output of a run.
    struct Result {
        var code: Int32
        var output: String
        /// What the program printed on standard error, without the warnings that the machine is slow or busy, which
        /// depend on what else runs beside the tests. `WorkReportsTests` covers these.
        var errors: String
        /// Whether a signal ended the process, in which case `code` is the signal's number.
        var wasKilled = false

        /// Parses standard output as one JSON object per line. Throws if a line is not a JSON object.
        func events() throws -> [[String: Any]] {
            try output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            }
        }

        /// Returns the reasons of the events that report a failure.
        func reasons() throws -> [String] {
            try events().filter { $0["event"] as? String == "failed" }.compactMap { $0["reason"] as? String }
        }
    }

    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private let outputReader: Reader
    private let errorReader: Reader

    /// Starts a program, by default gscap, without a display, by default in the repository's root folder.
    init(
        _ arguments: [String], program: String? = nil, environment: [String: String] = [:], folder: URL? = nil
    ) throws {
        process.executableURL = program.map { URL(fileURLWithPath: $0) } ?? Self.folder.appending(path: "gscap")
        process.arguments = arguments
        process.currentDirectoryURL = folder ?? Self.project
        var variables = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { variables[name] = nil }
        variables["GST_PLUGIN_PATH"] = Self.folder.path
        process.environment = variables.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        outputReader = Reader(output)
        errorReader = Reader(errors)
        try process.run()
    }

    /// Copies the program and its library into a folder and returns the path of the copy.
    static func copy(to target: URL) throws -> String {
        for name in ["gscap", "libgstgscap.so"] {
            try FileManager.default.copyItem(at: folder.appending(path: name), to: target.appending(path: name))
        }
        return target.appending(path: "gscap").path
    }

    /// The time limit in seconds for a run and for each wait. A run takes far less even on a busy machine, so only a
    /// hang reaches the limit.
    fileprivate static let limit: TimeInterval = 240

    /// Waits until the program prints a word, or prints it `count` times. Returns false if the program ends without it
    /// or hangs.
    func waitForOutput(_ word: String, count: Int = 1) -> Bool { outputReader.wait(for: word, count: count) }

    /// Waits until the program prints a word on standard error, as `waitForOutput` does for standard output.
    func waitForErrors(_ word: String) -> Bool { errorReader.wait(for: word, count: 1) }

    /// Waits until the kernel reports that the program is in a state that it does not print; `isReached` gets the
    /// program's folder in /proc. Returns false if the program ends before or hangs.
    func waitForState(_ isReached: (URL) -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: Self.limit)
        let folder = URL(fileURLWithPath: "/proc/\(process.processIdentifier)")
        while !isReached(folder) {
            guard process.isRunning, Date() < limit else { return false }
            sched_yield()
        }
        return true
    }

    /// Waits for the program's end. Kills a program that does not end within the limit and records an issue.
    func wait(sourceLocation: SourceLocation = #_sourceLocation) -> Result {
        let watchdog = WaitClock.machine.alarm(after: .seconds(Self.limit)) { [process] in
            Issue.record("the program did not end within \(Self.limit) s", sourceLocation: sourceLocation)
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        watchdog.cancel()
        return Result(
            code: process.terminationStatus, output: outputReader.text(),
            errors: errorReader.text().replacing(/.*slow or busy.*\n/, with: ""),
            wasKilled: process.terminationReason == .uncaughtSignal)
    }

    /// Runs gscap with these arguments and waits for its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try BuiltCommand(arguments, environment: environment).wait()
    }
}

/// Reads a pipe to its end on a separate thread, so that the program never blocks on a full pipe.
private final class Reader: @unchecked Sendable {
    // @unchecked Sendable: `data` and `isAtEnd` are accessed only while the condition is locked.
    private var data = Data()
    private var isAtEnd = false
    private let condition = NSCondition()

    init(_ pipe: Pipe) {
        Thread.detachNewThread { [self] in
            while case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
                condition.withLock {
                    data += more
                    condition.broadcast()
                }
            }
            condition.withLock {
                isAtEnd = true
                condition.broadcast()
            }
        }
    }

    /// Returns all output of the program once the pipe is closed. A child process of the program may keep the pipe
    /// open; the limit bounds the wait.
    func text() -> String {
        let limit = Date(timeIntervalSinceNow: BuiltCommand.limit)
        return condition.withLock {
            while !isAtEnd, condition.wait(until: limit) {}
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits until a word has arrived `count` times. Returns false if the program ends before or the limit is reached.
    func wait(for word: String, count: Int) -> Bool {
        let limit = Date(timeIntervalSinceNow: BuiltCommand.limit)
        return condition.withLock {
            while String(decoding: data, as: UTF8.self).ranges(of: word).count < count {
                if isAtEnd || !condition.wait(until: limit) { return false }
            }
            return true
        }
    }
}

/// Returns the number of pictures of a movie that decode, after which gst-launch-1.0 must succeed.
func pictures(in path: String) throws -> Int {
    let arguments = [
        "-v", "filesrc", "location=\(path)", "!", "qtdemux", "!", "h264parse", "!", "openh264dec", "!", "fakesink",
        "silent=false", "sync=false",
    ]
    let result = try BuiltCommand(arguments, program: "/usr/bin/gst-launch-1.0").wait()
    #expect(result.code == 0, "\(result.errors)")
    return result.output.ranges(of: "chain   ****").count
}
