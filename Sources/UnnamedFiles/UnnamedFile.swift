internal import FilePaths
internal import Glibc

/// A file without a name (O_TMPFILE) until its content is complete: it appears whole, and a process that is killed
/// before leaves nothing behind.
///
///     open(in: folder) ──written──► name(descriptor, path)
package enum UnnamedFile {
    /// Opens a file without a name in a folder, for writing. Returns its descriptor, or -1 with errno set.
    package static func open(in folder: String) -> Int32 {
        unsafe Glibc.open(folder.cPath, flag | O_WRONLY | O_CLOEXEC, 0o644)
    }

    /// Whether the reason (errno) for which a file could not be opened is that its file system has no unnamed files.
    package static func isUnsupported(_ reason: Int32) -> Bool { [EOPNOTSUPP, EISDIR, EINVAL].contains(reason) }

    /// Gives the file of a descriptor its name, which must not exist; returns false with errno set if it cannot.
    package static func name(_ descriptor: Int32, _ path: String) -> Bool {
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path.cPath, AT_SYMLINK_FOLLOW) == 0
    }

    /// Returns the folder of a path, in which an unnamed file can get that path.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the path of a hidden file for one write, for a file system that has no unnamed files.
    package static func temporary(in folder: String) -> String {
        "\(folder)/.gscap-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    }

    /// The open flag O_TMPFILE, which glibc's headers define only with _GNU_SOURCE. It creates a file without a name.
    private static var flag: Int32 { 0o20_000_000 | O_DIRECTORY }
}
