// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors
internal import Glibc

extension GscapError {
    /// What to do about an existing file. It names a setting of the library: a program whose option has another name
    /// replaces it.
    package static let existingFileAdvice = "choose another name, or allow replacing"
    /// What to do about a folder in which no file can be created. A program names its option for the folder instead.
    package static let folderAdvice = "choose another folder for the files"

    /// Creates the error of a system call for the file at a path, by default the one that has just failed. Its place is
    /// the path, and its cause the `SystemError`.
    package init(_ action: String, _ path: String, reason: Int32 = errno) {
        let (problem, advice) =
            switch reason {
            case EEXIST: ("the file exists", Self.existingFileAdvice)
            case EBUSY: ("another process writes this file", "choose another name")
            case ENOSPC, EDQUOT: ("the disk is full", "free some space")
            case EFBIG: ("the file is larger than the file system or the limit on files allows", "")
            case EACCES, EPERM, EROFS: ("no permission to write there", "choose another folder")
            case ENOENT: Self.missingFolder(of: path)
            // NFS gives this reason for a file that another machine has deleted.
            case ESTALE: ("the file was deleted or moved while it was written", "leave it there until it is complete")
            case EISDIR: ("this is a folder", "choose another name")
            case ESPIPE: ("it cannot be written to a pipe", "choose another name")
            case ENODEV: ("this is a device, not a file", "choose another name")
            case ENOTDIR: ("a file is in the place of the folder", "choose another folder")
            default: (unsafe String(cString: strerror(reason)), "")
            }
        self.init(file: path, "\(action): \(problem)" + (advice.isEmpty ? "" : "; \(advice)"), reason)
    }

    /// Creates the error of a file that cannot be written, as by the failure of a system call with this number.
    init(file path: String, _ message: String, _ reason: Int32) {
        self.init(.cannotWrite, message, place: path, cause: SystemError(number: reason))
    }

    /// The number of the failed system call's error; 0 for another cause.
    package var systemError: Int32 { (cause as? SystemError)?.number ?? 0 }

    /// Whether the name of a file is taken, by a file or by another shot or process, so that the file can be stored
    /// under another name.
    package var isNameTaken: Bool { code == .cannotWrite && [EEXIST, EBUSY].contains(systemError) }

    /// Whether the file cannot be created there: not because of its name or of the disk.
    package var isNotCreated: Bool { code == .cannotWrite && !isNameTaken && !isWriteFailure }

    /// Whether the disk is full, or failed, or the file was deleted while it was written.
    package var isWriteFailure: Bool {
        code == .cannotWrite && [ENOSPC, EDQUOT, EIO, EFBIG, ESTALE].contains(systemError)
    }

    /// Returns the problem and the advice for a file whose creation failed with ENOENT. The folder may exist: those of
    /// /proc take no files, and a link may lead to a folder that is missing.
    private static func missingFolder(of path: String) -> (problem: String, advice: String) {
        var information = stat()
        if unsafe lstat(path.cPath, &information) == 0, information.st_mode & S_IFMT == S_IFLNK {
            return ("the folder that the link leads to does not exist", "create it")
        }
        guard unsafe access(path.pathFolder.cPath, F_OK) == 0 else {
            return ("the folder does not exist", "create it")
        }
        let reason = unsafe String(cString: strerror(ENOENT))
        return ("no file can be created in this folder (\(reason))", "choose another folder")
    }
}
