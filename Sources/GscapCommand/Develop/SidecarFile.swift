internal import Develop
internal import Files
internal import GSCapture
internal import Glibc
internal import RawImage

/// The XMP sidecar of a photo: `photo.dng.xmp`, as darktable names it, or `photo.xmp`, as Adobe's programs do.
enum SidecarFile {
    /// The largest sidecar.
    private static let mostBytes = 1 << 24

    private static func paths(beside photo: String) -> [String] {
        let folder = photo.lastIndex(of: "/").map { String(photo[...$0]) } ?? ""
        return [photo + ".xmp", folder + FileNames.stem(of: photo) + ".xmp"]
    }

    /// Returns the path of the photo's sidecar; nil if there is none.
    static func path(of photo: String) -> String? {
        photo == StandardFile.name ? nil : paths(beside: photo).first(where: InputFile.isThere)
    }

    /// Reads the photo's sidecar; nil without one. One that cannot be read is reported and counts as none.
    static func read(beside photo: String, _ console: Console) -> DevelopSidecar? {
        guard let path = path(of: photo) else { return nil }
        do throws(Failure) {
            let sidecar = try DevelopSidecar(xmp: text(of: path))
            if !sidecar.ignored.isEmpty {
                console.verboseNote("\(path): not applied: \(sidecar.ignored.joined(separator: ", "))")
            }
            return sidecar
        } catch {
            console.note("\(Failure(error, of: path).message); the sidecar is ignored")
        }
        return nil
    }

    /// Reads a sidecar as text. Bytes that are not UTF-8 are an error: replaced by other characters, they would be lost
    /// when the sidecar is written again.
    private static func text(of path: String) throws(Failure) -> String {
        let bytes = try InputFile.bytes(of: path, limit: mostBytes, acceptsPipes: false)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badInput, "\(path): the sidecar is not UTF-8; store it as UTF-8", file: path)
        }
        return text
    }

    /// Writes the photo's sidecar and returns its path. What other programs stored in an existing one stays; it is
    /// changed only if `replacing` is set.
    static func write(_ sidecar: DevelopSidecar, beside photo: String, replacing: Bool) throws -> String {
        guard photo != StandardFile.name else {
            throw Failure(.usage, "--write-sidecar needs a file: standard input has no place for a sidecar")
        }
        let existing = path(of: photo)
        let target = existing ?? paths(beside: photo)[1]
        guard replacing || existing == nil else {
            throw Failure(
                .cannotCreate, "\(target) exists already; --overwrite updates it and keeps what it holds besides")
        }
        let previous = try existing.map { (path) throws(Failure) in try text(of: path) }
        let packet: String
        do throws(Failure) { packet = try sidecar.xmp(updating: previous) } catch {
            throw Failure(.badInput, "\(target): \(error.message)", file: target)
        }
        try WholeFile.write(pieces: [Array(packet.utf8)], to: target, replacing: replacing)
        return target
    }
}
