internal import CameraRaw
internal import DNG

/// What the names of files say about them.
enum FileNames {
    /// Returns whether a file name has the extension .dng in any case.
    static func isDNG(_ name: String) -> Bool { name.lowercased().hasSuffix(".dng") }

    /// Returns whether a file name has the extension of a DNG or of a camera's own raw file.
    static func isRawPhoto(_ name: String) -> Bool { isDNG(name) || DNGFile.isCameraRaw(name: name) }

    /// Returns whether a file in a folder is a raw photo: by its extension, or by its first bytes if that is .raw,
    /// which data of many other kinds has.
    static func isListedPhoto(_ path: String) -> Bool {
        guard path.lowercased().hasSuffix(".raw") else { return isRawPhoto(path) }
        let head = try? InputFile.beginning(of: path, count: DNGFile.photoHeadSize)
        return head.map { DNGFile.isPhoto(head: $0) } ?? false
    }

    /// Returns a file's name without its folder and without the extension of a DNG or of a camera's own raw file.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard isRawPhoto(name), let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Returns a file's folder and the beginning of its name up to the first digit, which the frames of one burst have
    /// in common.
    static func series(of path: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        return String(path.dropLast(name.count)) + String(name.prefix { !($0.isASCII && $0.isNumber) })
    }
}
