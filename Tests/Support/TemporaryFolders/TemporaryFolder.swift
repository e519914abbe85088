package import Foundation

/// A folder that is removed at the end of the test.
package final class TemporaryFolder: Sendable {
    /// Where the folder is.
    package let url: URL

    /// Creates an empty folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "gscap-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of a file in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// The names of all files in the folder, including hidden ones, sorted.
    package var names: [String] { names(in: "") }

    /// Returns the names of all files in a subfolder, including hidden ones, sorted.
    package func names(in name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }

    /// Returns the bytes of a file in the folder.
    package func bytes(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }

    /// Writes bytes to a file in the folder, and creates the subfolder that contains the file.
    package func write(bytes: [UInt8], to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Writes a text file in the folder and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }
}
