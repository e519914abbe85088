internal import Glibc
internal import Synchronization

/// The folders of new files, which are created when they are needed.
package enum OutputFolder {
    /// The folders that this process has created, or may create.
    private static let created = Mutex<[String]>([])

    /// Checks before any work that files can be created in a folder, which is created later if it does not exist.
    package static func check(_ folder: String) throws(GscapError) {
        var path = folder.isEmpty ? "." : folder
        var information = stat()
        while unsafe stat(path.cPath, &information) != 0, errno == ENOENT { path = path.pathParent }
        guard isFolder(path) else { throw cannotCreate(folder) }
        guard unsafe access(path.cPath, W_OK | X_OK) == 0 else { throw isReadOnly(folder) }
    }

    /// Creates a folder with its parents, unless it exists, and checks that files can be created in it.
    package static func create(_ folder: String) throws(GscapError) {
        var path = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            path += part + "/"
            if !part.isEmpty, unsafe mkdir(path.cPath, 0o755) == 0 { created.withLock { $0.append(path) } }
        }
        guard isFolder(folder) else { throw cannotCreate(folder) }
        guard unsafe access(folder.cPath, W_OK | X_OK) == 0 else { throw isReadOnly(folder) }
    }

    /// Announces a folder that is created elsewhere when it is needed, so that it is deleted if it is then empty.
    package static func expect(_ folder: String) {
        if unsafe access(folder.cPath, F_OK) != 0 { created.withLock { $0.append(folder) } }
    }

    /// Deletes the folders that this process has created and that are empty.
    package static func removeEmpty() {
        // Only empty folders can be deleted by rmdir: subfolders, which have longer paths, first.
        for path in created.withLock({ $0 }).sorted(by: { $0.count > $1.count }) { unsafe rmdir(path.cPath) }
    }

    /// Returns whether a folder exists at a path.
    package static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path.cPath, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func cannotCreate(_ folder: String) -> GscapError {
        GscapError(file: folder, "cannot create this folder; \(GscapError.folderAdvice)", ENOTDIR)
    }

    private static func isReadOnly(_ folder: String) -> GscapError {
        GscapError(file: folder, "permission to write there is denied; \(GscapError.folderAdvice)", EACCES)
    }
}
