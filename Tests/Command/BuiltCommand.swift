import Dispatch
import Foundation
import Glibc
import Testing

/// The built `gscap`, run as its users run it.
struct BuiltCommand {
    /// The folder that the tests and the command were built into.
    static let folder: URL = {
        // The tests' own program is in it.
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return program.deletingLastPathComponent()
    }()

    /// The project's folder.
    static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// How a run ended.
    struct Result {
        var code: Int32
        var output: String
        var errors: String
        /// Whether a signal ended it; `code` is the signal's number then.
        var wasKilled = false

        /// Standard output as JSON objects, one a line; throws on anything else.
        func events() throws -> [[String: Any]] {
            try output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            }
        }
    }

    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private let outputReader: Reader
    private let errorReader: Reader

    /// Starts a program, by default gscap, without a display.
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

    /// Far longer than any run takes, also on a busy machine: only a hang reaches it.
    fileprivate static let limit: TimeInterval = 240

    /// Waits until the program has printed a word; false when it ended without, or hangs.
    func waitForOutput(_ word: String) -> Bool { outputReader.wait(for: word) }

    /// Waits for the end. A program that does not end within the limit is killed, which is an issue.
    func wait(sourceLocation: SourceLocation = #_sourceLocation) -> Result {
        let watchdog = DispatchWorkItem { [process] in
            Issue.record("the program did not end within \(Self.limit) s", sourceLocation: sourceLocation)
            kill(process.processIdentifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.limit, execute: watchdog)
        process.waitUntilExit()
        watchdog.cancel()
        return Result(
            code: process.terminationStatus, output: outputReader.text(), errors: errorReader.text(),
            wasKilled: process.terminationReason == .uncaughtSignal)
    }

    /// Runs gscap to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try BuiltCommand(arguments, environment: environment).wait()
    }
}

/// Reads a pipe to its end on a thread of its own, so that the program never waits for us.
private final class Reader: @unchecked Sendable {
    // Sendable: `data` and `isAtEnd` are touched only with the condition locked.
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

    /// Everything, once the program has closed the pipe. A child of it that keeps the pipe open is not waited for
    /// longer than the limit.
    func text() -> String {
        let limit = Date(timeIntervalSinceNow: BuiltCommand.limit)
        return condition.withLock {
            while !isAtEnd, condition.wait(until: limit) {}
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Waits until a word has come; false when the program ended without it, or the limit is reached.
    func wait(for word: String) -> Bool {
        let limit = Date(timeIntervalSinceNow: BuiltCommand.limit)
        return condition.withLock {
            while data.range(of: Data(word.utf8)) == nil {
                if isAtEnd || !condition.wait(until: limit) { return false }
            }
            return true
        }
    }
}

/// A folder that goes when the test does.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gscap-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// The names of all files in it, hidden ones too.
    var names: [String] { names(in: "") }

    /// The names of all files in a folder of it, hidden ones too.
    func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }

    /// The bytes of a file in it.
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }

    /// Writes a file, and the folder it is in if it has to.
    func write(bytes: [UInt8], to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Writes a text file; gives its path.
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }
}
