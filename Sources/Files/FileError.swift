internal import Glibc

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

    /// Creates an error for another reason than a failed system call.
    package init(problem: String, advice: String, path: String, kind: Kind, number: Int32 = 0) {
        (self.problem, self.advice, self.path) = (problem, advice, path)
        (self.kind, self.number) = (kind, number)
    }

    /// The kinds of reasons.
    package enum Kind: Sendable, Hashable {
        /// The path names an existing file, which is replaced only if the program asks for that.
        case exists
        /// Another shot or process uses the name, or no name is free.
        case taken
        /// The folder for the files cannot be created, or no file in it.
        case noFolder
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

extension FileError {
    /// Creates the error of a system call, by default the one that has just failed.
    package init(_ action: String, _ path: String, reason: Int32 = errno) {
        let text: (problem: String, advice: String) =
            switch reason {
            case EEXIST: ("the file exists", "choose another name, or allow replacing")
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
        self.init(
            problem: "\(action): \(text.problem)", advice: text.advice, path: path, kind: Kind(reason), number: reason)
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
