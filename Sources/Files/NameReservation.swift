internal import Glibc
internal import Synchronization

/// The claim of one shot on the name that its files begin with, in one folder, across threads and processes.
///
/// The claim is a hidden, empty file `.NAME.gscap`, which is locked (flock) while the shot is under way and deleted at
/// its end. The kernel drops the lock of a process that dies: a claim without a lock is a remnant, which the next shot
/// of that name takes over.
///
///     free ──open, lock──► claimed ──release──► free
///                             │                   ▲
///                             └──killed──► remnant┴── next claim of the name, or removeRemnants
package final class NameReservation: Sendable {
    /// The name that the files begin with.
    package let name: String
    private let path: String
    private let descriptor: Int32

    private static let ending = ".gscap"
    /// The most attempts to claim a name, each of which meets a claim that is deleted at that moment.
    private static let mostAttempts = 100

    private init(name: String, path: String, descriptor: Int32) {
        (self.name, self.path, self.descriptor) = (name, path, descriptor)
        Self.own.withLock { _ = $0.insert(path) }
    }

    deinit {
        // The file is deleted while it is locked: whoever opened it meanwhile sees that it has no name any more.
        if Self.own.withLock({ $0.remove(path) }) != nil { unsafe unlink(path.cPath) }
        close(descriptor)
    }

    /// The paths of this process's claims.
    private static let own = Mutex<Set<String>>([])

    /// Deletes all claims of this process, which is about to end.
    package static func releaseAll() {
        let paths = own.withLock { own in
            defer { own = [] }
            return own
        }
        for path in paths { unsafe unlink(path.cPath) }
    }

    /// Claims a name; returns nil if another shot has it. Throws if no file can be created in the folder.
    package static func claim(_ name: String, in folder: String) throws(GscapError) -> NameReservation? {
        let path = "\(folder.isEmpty ? "." : folder)/\(file(of: name))"
        for _ in 0..<mostAttempts {
            let descriptor = unsafe open(path.cPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor >= 0 else {
                // A remnant of another user cannot be opened.
                if errno == EACCES, unsafe access(path.cPath, F_OK) == 0 { return nil }
                throw GscapError("cannot create a file in \(folder)", path)
            }
            switch lock(descriptor, path) {
            case .locked: return NameReservation(name: name, path: path, descriptor: descriptor)
            case .taken:
                close(descriptor)
                return nil
            case .gone: close(descriptor)
            }
        }
        return nil
    }

    /// Returns the name of the file that claims a name.
    static func file(of name: String) -> String { ".\(name)\(ending)" }

    /// Deletes the claims in a folder that killed processes have left behind.
    package static func removeRemnants(in folder: String) {
        for name in (FolderListing.names(in: folder) ?? []) where name.hasPrefix(".") && name.hasSuffix(ending) {
            let path = "\(folder)/\(name)"
            let descriptor = unsafe open(path.cPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if isEmptyFile(descriptor), lock(descriptor, path) == .locked { unsafe unlink(path.cPath) }
            close(descriptor)
        }
    }

    /// The result of locking a claim's file.
    private enum Lock { case locked, taken, gone }

    /// Locks the file of a claim. On file systems without locks the file counts as locked; there, two shots of one name
    /// are noticed only when their files are stored.
    private static func lock(_ descriptor: Int32, _ path: String) -> Lock {
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return .taken }
        var (open, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &open) == 0, unsafe lstat(path.cPath, &named) == 0,
            open.st_ino == named.st_ino, open.st_dev == named.st_dev
        else { return .gone }
        return .locked
    }

    private static func isEmptyFile(_ descriptor: Int32) -> Bool {
        var information = stat()
        return unsafe fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
            && information.st_size == 0
    }
}
