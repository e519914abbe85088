internal import CameraRaw
internal import DNG
internal import PictureFiles

/// Opens the DNG files, and the raw files of cameras, that the command reads.
enum DNGInput {
    /// Opens a DNG or a camera's own raw file; the path `-` is a DNG on standard input. The error distinguishes a
    /// missing file (`noInput`) from a malformed one (`badInput`) and a missing library (`unavailable`).
    static func open(_ path: String, acceptsDamage: Bool = false) throws(Failure) -> DNGFile {
        let input = path == StandardFile.name ? try standardInput() : nil
        var file = try explaining(path) { () throws(GscapError) in
            if let input { try DNGFile(bytes: input) } else { try DNGFile(rawFile: path) }
        }
        file.acceptsDamage = acceptsDamage
        return file
    }

    /// Opens a DNG; a camera's own raw file is an error.
    static func openDNG(_ path: String) throws(Failure) -> DNGFile {
        let input = path == StandardFile.name ? try standardInput() : nil
        return try explaining(path) { () throws(GscapError) in
            if let input { try DNGFile(bytes: input) } else { try DNGFile(path: path) }
        }
    }

    /// Returns all bytes of standard input; throws by its first bytes if they are not those of a DNG.
    private static func standardInput() throws(Failure) -> [UInt8] {
        let head = try StandardFile.inputBytes(atMost: DNGFile.photoHeadSize)
        try explaining(StandardFile.name) { () throws(GscapError) in try DNGFile.check(head: head) }
        return try StandardFile.inputBytes()
    }

    /// Reads the description of a frame in a DNG or in a camera's own raw file.
    static func header(of path: String) throws(Failure) -> FrameHeader {
        try explaining(path) { () throws(GscapError) in try FrameHeader(rawFile: path) }
    }

    /// Returns accepted damage as a message about a file. The history of a photo begins damage with the name of the
    /// file in which it was found.
    static func text(of damage: String, in path: String) -> String {
        let name = "\(path.split(separator: "/").last ?? ""): "
        return "\(path): \(damage.hasPrefix(name) ? damage.dropFirst(name.count) : damage[...])"
    }

    /// Runs `read` for a file that exists and converts its errors to failures that name the file.
    private static func explaining<Result>(
        _ path: String, _ read: () throws(GscapError) -> Result
    ) throws(Failure) -> Result {
        _ = try InputFile.beginning(of: path, count: 1)
        do {
            return try read()
        } catch {
            throw Failure(error, of: path)
        }
    }

    /// Throws `unavailable` if this machine lacks the library that decodes the file's images, so that the file is not
    /// reported as damaged.
    static func checkDecoder(of file: DNGFile, _ path: String) throws(Failure) {
        guard file.images.contains(where: { $0.compression == .jpegXL }) else { return }
        do { try PictureFormat.jxl.prepare() } catch { throw Failure(.unavailable, "\(path): \(error.message)") }
    }
}
