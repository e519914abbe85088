internal import GSCapture
internal import PictureFiles

/// The format that the extension of a file's name stands for.
enum PictureName {
    /// Returns the extension of a path in lower case; empty without one.
    static func fileExtension(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && !parts[0].isEmpty ? (parts.last?.lowercased() ?? "") : ""
    }

    /// Returns the name of the format that the extension of a path stands for, such as "JPEG"; nil if it is that of no
    /// picture.
    static func format(of path: String) -> String? {
        let ending = fileExtension(of: path)
        if ending == "dng" { return "DNG" }
        if ending == "webp" { return "WebP" }
        return PictureFormat(fileExtension: ending).map { "\($0.rawValue.uppercased())" }
    }

    /// Throws if a command that writes DNGs is asked for a file of another format.
    static func requireDNG(_ path: String, command: String) throws(Failure) {
        guard !path.hasSuffix("/"), !PhotoFolder.isFolder(path), let format = format(of: path), format != "DNG" else {
            return
        }
        throw Failure(
            .usage,
            "\(path) is the name of a \(format) file, but gscap \(command) writes DNGs; name a .dng file, "
                + "or use gscap develop for finished pictures")
    }
}
