internal import Glibc

/// Files that appear whole or not at all.
///
/// The bytes go to a file without a name in the same folder, are brought to the disk, and only then get their name: even a
/// kill in the middle leaves nothing behind. Where the file system has no such files, a hidden temporary stands in.
public enum WholeFile {
    /// Writes a file; throws when it exists, unless it may be replaced.
    public static func write(_ bytes: RawSpan, to path: String, replacing: Bool = false) throws(CaptureError) {
        try create(path, replacing: replacing) { descriptor throws(CaptureError) in
            try append(bytes, to: descriptor, path: path)
        }
    }

    /// Writes a file whose bytes lie in several pieces, one after another; throws when it exists, unless it may be replaced.
    public static func write(pieces: [[UInt8]], to path: String, replacing: Bool = false) throws(CaptureError) {
        try create(path, replacing: replacing) { descriptor throws(CaptureError) in
            for piece in pieces { unsafe try append(piece.span.bytes, to: descriptor, path: path) }
        }
    }

    /// Makes a file that `fill` fills.
    private static func create(
        _ path: String, replacing: Bool, _ fill: (Int32) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        let folder = folder(of: path)
        let descriptor = unsafe open(folder, namelessFile | O_WRONLY | O_CLOEXEC, 0o644)
        if descriptor >= 0 {
            defer { close(descriptor) }
            try fill(descriptor)
            try bringToDisk(descriptor, path)
            try name(descriptor, path, replacing: replacing)
        } else if errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL {
            try createThroughTemporary(path, replacing: replacing, fill)
        } else {
            throw failure("cannot create a file in \(folder)", path)
        }
        try syncFolder(folder, path)
    }

    /// Linux's O_TMPFILE, which the C library shows only to GNU sources.
    private static var namelessFile: Int32 { 0o20_000_000 | O_DIRECTORY }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func append(_ bytes: RawSpan, to descriptor: Int32, path: String) throws(CaptureError) {
        var done = 0
        while done < bytes.byteCount {
            let written = unsafe bytes.withUnsafeBytes { all in
                unsafe Glibc.write(descriptor, all.baseAddress?.advanced(by: done), bytes.byteCount - done)
            }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw failure("cannot write", path) }
            done += written
        }
    }

    private static func bringToDisk(_ descriptor: Int32, _ path: String) throws(CaptureError) {
        guard fsync(descriptor) == 0 else { throw failure("cannot bring the file to the disk", path) }
    }

    /// Gives the nameless file its name; the link fails when the name is taken.
    private static func name(_ descriptor: Int32, _ path: String, replacing: Bool) throws(CaptureError) {
        let source = "/proc/self/fd/\(descriptor)"
        if unsafe linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return }
        guard errno == EEXIST, replacing else { throw failure("cannot name the file", path) }
        // A link cannot replace: give it a name beside the old one, then swap names in one step.
        let beside = path + ".\(getpid()).new"
        guard unsafe linkat(AT_FDCWD, source, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0 else {
            throw failure("cannot name the file", beside)
        }
        guard unsafe rename(beside, path) == 0 else {
            let error = failure("cannot replace the file", path)
            unsafe unlink(beside)
            throw error
        }
    }

    private static func createThroughTemporary(
        _ path: String, replacing: Bool, _ fill: (Int32) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        let folder = folder(of: path)
        let temporary = "\(folder)/.gscap-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
        let descriptor = unsafe open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot create a file in \(folder)", path) }
        defer {
            close(descriptor)
            unsafe unlink(temporary)
        }
        try fill(descriptor)
        try bringToDisk(descriptor, path)
        let named = replacing ? unsafe rename(temporary, path) : unsafe link(temporary, path)
        guard named == 0 else { throw failure("cannot name the file", path) }
    }

    private static func syncFolder(_ folder: String, _ path: String) throws(CaptureError) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ what: String, _ path: String) -> CaptureError {
        let reason = errno
        let advice =
            switch reason {
            case EEXIST: "a file of this name is there already; choose another name, or allow replacing"
            case ENOSPC, EDQUOT: "the disk is full; free some space"
            case EACCES, EPERM, EROFS: "no right to write there; choose another folder"
            case ENOENT, ENOTDIR: "the folder is not there; create it"
            default: unsafe String(cString: strerror(reason))
            }
        return CaptureError(.cannotWrite, "\(what): \(advice)", place: path)
    }
}
