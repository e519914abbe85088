internal import CRename
internal import FilePaths
internal import Glibc
internal import UnnamedFiles

/// Atomic file writing: a file appears complete or not at all.
///
/// The bytes are written to an unnamed file (O_TMPFILE) in the same folder and flushed to disk before the file is
/// linked to its path, so that a killed process leaves nothing behind. File systems without O_TMPFILE use a hidden
/// temporary file.
package enum WholeFile {
    /// Writes a file atomically; throws if it exists, unless `replacing` is true.
    package static func write(_ bytes: RawSpan, to path: String, replacing: Bool = false) throws(FileError) {
        try create(path, replacing: replacing) { descriptor throws(FileError) in
            try append(bytes, to: descriptor, path: path)
        }
    }

    /// Writes the concatenation of several byte arrays as a file, atomically; throws if it exists, unless `replacing`
    /// is true.
    package static func write(pieces: [[UInt8]], to path: String, replacing: Bool = false) throws(FileError) {
        try create(path, replacing: replacing) { descriptor throws(FileError) in
            for piece in pieces {
                try piece.withBytes { (bytes) throws(FileError) in try append(bytes, to: descriptor, path: path) }
            }
        }
    }

    /// Returns the bytes of a regular file; nil if it cannot be read, or if it is larger than `most`.
    static func bytes(of path: String, most: Int) -> [UInt8]? {
        let descriptor = unsafe open(path.cPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_size <= most
        else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(information.st_size)) { memory, count in
            while count < memory.count {
                let read = unsafe Glibc.read(descriptor, memory.baseAddress?.advanced(by: count), memory.count - count)
                if read < 0 && errno == EINTR { continue }
                if read <= 0 { break }
                count += read
            }
        }
    }

    /// Returns the status of a regular file; nil if there is none at the path. A link is none.
    static func status(of path: String) -> stat? {
        var information = stat()
        guard unsafe lstat(path.cPath, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return information
    }

    /// Creates a file, writes it with `fill`, flushes it to disk and links it to its path.
    private static func create(
        _ path: String, replacing: Bool, _ fill: (Int32) throws(FileError) -> Void
    ) throws(FileError) {
        let path = replacing ? try replaceable(path) : path
        let folder = UnnamedFile.folder(of: path)
        let descriptor = UnnamedFile.open(in: folder)
        if descriptor >= 0 {
            defer { close(descriptor) }
            try fill(descriptor)
            try flush(descriptor, path)
            try name(descriptor, path, replacing: replacing)
        } else if UnnamedFile.isUnsupported(errno) {
            try createThroughTemporary(path, replacing: replacing, fill)
        } else {
            throw failure("cannot create a file in \(folder)", path)
        }
        syncFolder(folder)
    }

    /// Returns the path of the file to replace: `path`, or the file that it names as a symbolic link, which then
    /// remains a link. Throws unless that is a regular file, because a rename would delete a device or a pipe.
    static func replaceable(_ path: String) throws(FileError) -> String {
        var information = stat()
        guard unsafe stat(path.cPath, &information) == 0 else { return path }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw FileError(
                problem: "cannot replace the file: this is a folder, a device or a pipe", advice: "choose another name",
                path: path, kind: .notCreated)
        }
        guard unsafe lstat(path.cPath, &information) == 0, information.st_mode & S_IFMT == S_IFLNK,
            let target = unsafe realpath(path.cPath, nil)
        else { return path }
        defer { unsafe free(target) }
        return unsafe String(pathBytes: UnsafeRawBufferPointer(start: target, count: strlen(target)))
    }

    private static func append(_ bytes: RawSpan, to descriptor: Int32, path: String) throws(FileError) {
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

    private static func flush(_ descriptor: Int32, _ path: String) throws(FileError) {
        guard fsync(descriptor) == 0 else { throw failure("cannot flush the file to disk", path) }
    }

    /// Links the unnamed file to its path; linkat fails if the path exists.
    private static func name(_ descriptor: Int32, _ path: String, replacing: Bool) throws(FileError) {
        if UnnamedFile.name(descriptor, path) { return }
        guard errno == EEXIST, replacing else { throw failure("cannot name the file", path) }
        // linkat cannot replace a file: link under a temporary name, then rename atomically.
        let beside = UnnamedFile.temporary(in: UnnamedFile.folder(of: path))
        guard UnnamedFile.name(descriptor, beside) else { throw failure("cannot name the file", beside) }
        guard unsafe rename(beside.cPath, path.cPath) == 0 else {
            let error = failure("cannot replace the file", path)
            unsafe unlink(beside.cPath)
            throw error
        }
    }

    private static func createThroughTemporary(
        _ path: String, replacing: Bool, _ fill: (Int32) throws(FileError) -> Void
    ) throws(FileError) {
        let folder = UnnamedFile.folder(of: path)
        let temporary = UnnamedFile.temporary(in: folder)
        let descriptor = unsafe open(temporary.cPath, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot create a file in \(folder)", path) }
        defer {
            close(descriptor)
            unsafe unlink(temporary.cPath)
        }
        try fill(descriptor)
        try flush(descriptor, path)
        let isNamed = replacing ? unsafe rename(temporary.cPath, path.cPath) == 0 : name(temporary, path)
        guard isNamed else { throw failure("cannot name the file", path) }
    }

    /// Gives a file another name, which must not exist; returns false with errno set if it cannot. The file systems of
    /// memory cards have no links: there the file loses its old name, which others may keep.
    static func name(_ file: String, _ name: String) -> Bool {
        if unsafe link(file.cPath, name.cPath) == 0 { return true }
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        return unsafe gscap_rename_new(file.cPath, name.cPath) == 0
    }

    /// Flushes the names in a folder to disk, as far as the file system can.
    static func syncFolder(_ folder: String) {
        let descriptor = unsafe open(folder.cPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Creates the error of a system call, by default the one that has just failed.
    package static func failure(_ what: String, _ path: String, reason: Int32 = errno) -> FileError {
        let text: (problem: String, advice: String) =
            switch reason {
            case EEXIST: ("the file exists", "choose another name, or allow replacing")
            case EBUSY: ("another process writes this file", "choose another name")
            case ENOSPC, EDQUOT: ("the disk is full", "free some space")
            case EFBIG: ("the file is larger than the file system or the limit on files allows", "")
            case EACCES, EPERM, EROFS: ("no permission to write there", "choose another folder")
            case ENOENT: missingFolder(of: path)
            // NFS gives this reason for a file that another machine has deleted.
            case ESTALE: ("the file was deleted or moved while it was written", "leave it there until it is complete")
            case EISDIR: ("this is a folder", "choose another name")
            case ESPIPE: ("it cannot be written to a pipe", "choose another name")
            case ENODEV: ("this is a device, not a file", "choose another name")
            case ENOTDIR: ("a file is in the place of the folder", "choose another folder")
            default: (unsafe String(cString: strerror(reason)), "")
            }
        return FileError(
            problem: "\(what): \(text.problem)", advice: text.advice, path: path, kind: FileError.Kind(reason),
            number: reason)
    }

    /// Returns the problem and the advice for a file whose creation failed with ENOENT. The folder may exist: those of
    /// /proc take no files, and a link may lead to a folder that is missing.
    private static func missingFolder(of path: String) -> (problem: String, advice: String) {
        var information = stat()
        if unsafe lstat(path.cPath, &information) == 0, information.st_mode & S_IFMT == S_IFLNK {
            return ("the folder that the link leads to does not exist", "create it")
        }
        guard unsafe access(UnnamedFile.folder(of: path).cPath, F_OK) == 0 else {
            return ("the folder does not exist", "create it")
        }
        let reason = unsafe String(cString: strerror(ENOENT))
        return ("no file can be created in this folder (\(reason))", "choose another folder")
    }
}

/// The reason why a file could not be written.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, without what to do about it.
    package var problem: String
    /// The advice that solves the problem; empty if there is none. It names settings of the library: a program whose
    /// options have other names writes its own advice by `kind`.
    package var advice: String
    /// The path of the file.
    package var path: String
    /// Why the file could not be written.
    package var kind: Kind
    /// The number of the failed system call's error; 0 for another reason.
    package var number: Int32 = 0

    /// The kinds of reasons.
    package enum Kind: Sendable, Hashable {
        /// The path names an existing file, which is replaced only if the program asks for that.
        case exists
        /// Another shot or process uses the name, or no name is free.
        case taken
        /// The file cannot be created there.
        case notCreated
        /// The disk is full, or failed, or the file was deleted meanwhile.
        case notWritten

        /// Converts the reason of a system call.
        init(_ reason: Int32) {
            switch reason {
            case EEXIST: self = .exists
            case ENOSPC, EDQUOT, EIO, EFBIG, ESTALE: self = .notWritten
            default: self = .notCreated
            }
        }
    }

    /// Whether the file can be stored under another name.
    package var isNameTaken: Bool { kind == .exists || kind == .taken }

    /// The problem and how to solve it.
    package var message: String { advice.isEmpty ? problem : "\(problem); \(advice)" }

    /// The path and the message.
    package var description: String { "\(path): \(message)" }
}
