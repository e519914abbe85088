internal import DNG
internal import PictureFiles

/// Opens the DNG files that the command reads.
enum DNGInput {
    /// Opens a DNG; the path `-` is standard input. The error distinguishes a missing file (`noInput`) from a malformed one (`badInput`).
    static func open(_ path: String, acceptsDamage: Bool = false) throws(Failure) -> DNGFile {
        _ = try InputFile.beginning(of: path, count: 1)
        let input = path == StandardFile.name ? try StandardFile.inputBytes() : nil
        do throws(DNGError) {
            var file = if let input { try DNGFile(bytes: input) } else { try DNGFile(path: path) }
            file.acceptsDamage = acceptsDamage
            return file
        } catch {
            throw Failure(ExitCode(error), error.message.hasPrefix(path) ? error.message : "\(path): \(error.message)")
        }
    }

    /// The option that accepts damage, for the commands that decode pixels.
    static let damageOption = Options.Declaration.flag("--accept-damage")

    /// Throws `unavailable` if this machine lacks the library that decodes the file's images, so that the file is not
    /// reported as damaged.
    static func checkDecoder(of file: DNGFile, _ path: String) throws(Failure) {
        guard file.images.contains(where: { $0.compression == .jpegXL }) else { return }
        do { try PictureFormat.jxl.prepare() } catch { throw Failure(.unavailable, "\(path): \(error.message)") }
    }
}
