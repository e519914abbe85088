internal import DNG
internal import PictureFiles

/// DNG files that the command reads.
enum DNGInput {
    /// Opens a file; the failure says whether it is missing or broken.
    static func open(_ path: String) throws(Failure) -> DNGFile {
        _ = try WholeFileReader.beginning(of: path, count: 1)
        do {
            return try DNGFile(path: path)
        } catch {
            throw Failure(ExitCode(error), error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        }
    }

    /// Throws when this machine lacks what decoding the file's pictures takes: that says nothing of the file.
    static func checkDecoder(of file: DNGFile, _ path: String) throws(Failure) {
        guard file.images.contains(where: { $0.compression == .jpegXL }) else { return }
        do { try PictureFormat.jxl.prepare() } catch { throw Failure(.unavailable, "\(path): \(error.message)") }
    }
}
