import Foundation
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

    /// Waits for the end.
    func wait() -> Result {
        process.waitUntilExit()
        return Result(code: process.terminationStatus, output: outputReader.text(), errors: errorReader.text())
    }

    /// Runs gscap to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try BuiltCommand(arguments, environment: environment).wait()
    }
}

/// Reads a pipe to its end on a thread of its own, so that the program never waits for us.
private final class Reader: @unchecked Sendable {
    // Sendable: `data` is written before the group is left, and read after waiting for that.
    private var data = Data()
    private let group = DispatchGroup()

    init(_ pipe: Pipe) {
        group.enter()
        DispatchQueue.global().async { [self] in
            data = pipe.fileHandleForReading.readDataToEndOfFile()
            group.leave()
        }
    }

    func text() -> String {
        group.wait()
        return String(decoding: data, as: UTF8.self)
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
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    /// Writes a text file; gives its path.
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }
}
