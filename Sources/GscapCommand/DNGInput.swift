internal import DNG

/// DNG files that the command reads.
enum DNGInput {
    /// Opens a file; the failure says whether it is missing or broken.
    static func open(_ path: String) throws(Failure) -> DNGFile {
        _ = try WholeFileReader.beginning(of: path, count: 1)
        do {
            return try DNGFile(path: path)
        } catch {
            throw Failure(.badInput, error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        }
    }
}
