internal import CRename
internal import Glibc

/// A new file until its content is complete: it appears whole, and a process that is killed before leaves nothing
/// behind. It has no name (O_TMPFILE) until then; on a file system without unnamed files, such as FAT, a hidden one.
///
///     unnamed, or hidden ──written──► publish: named
///            └──deinit──► gone
///
/// Used by one thread at a time.
package final class NewFile {
    /// The descriptor of the file, which is open for writing as long as this object lives.
    package let descriptor: Int32
    /// The path that the file gets.
    package let path: String
    /// The path of the hidden file; nil for an unnamed file, and for one that has its name.
    private var hidden: String?

    /// The system's reason (errno) on file systems without unnamed files.
    private static let unsupported = [EOPNOTSUPP, EISDIR, EINVAL]

    /// The open flag O_TMPFILE, which glibc's headers define only with _GNU_SOURCE. It creates a file without a name.
    private static var unnamed: Int32 { 0o20_000_000 | O_DIRECTORY }

    /// Opens a file that gets its path when it is published. Throws if no file can be created in its folder, as what
    /// `action` describes.
    package init(for path: String, action: String? = nil) throws(GscapError) {
        self.path = path
        let folder = path.pathFolder
        var (descriptor, hidden) = (unsafe open(folder.cPath, Self.unnamed | O_WRONLY | O_CLOEXEC, 0o644), String?.none)
        if descriptor < 0, Self.unsupported.contains(errno) {
            let temporary = Self.temporary(in: folder)
            descriptor = unsafe open(temporary.cPath, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
            if descriptor >= 0 { hidden = temporary }
        }
        guard descriptor >= 0 else { throw GscapError(action ?? "cannot create a file in \(folder)", path) }
        (self.descriptor, self.hidden) = (descriptor, hidden)
    }

    deinit {
        close(descriptor)
        if let hidden { unsafe unlink(hidden.cPath) }
    }

    /// Gives the file its name. Throws if the name exists, unless `replacing` is true, or cannot be created.
    package func publish(replacing: Bool = false, action: String = "cannot name the file") throws(GscapError) {
        if let hidden {
            let isNamed =
                replacing ? unsafe rename(hidden.cPath, path.cPath) == 0 : Self.link(hidden, to: path)
            guard isNamed else { throw GscapError(action, path) }
            // After a link the file has both names.
            unsafe unlink(hidden.cPath)
            self.hidden = nil
            return
        }
        if name(path) { return }
        guard errno == EEXIST, replacing else { throw GscapError(action, path) }
        // linkat cannot replace a file: link under a temporary name, then rename atomically.
        let beside = Self.temporary(in: path.pathFolder)
        guard name(beside) else { throw GscapError(action, beside) }
        guard unsafe rename(beside.cPath, path.cPath) == 0 else {
            let error = GscapError("cannot replace the file", path)
            unsafe unlink(beside.cPath)
            throw error
        }
    }

    /// Gives the unnamed file a name, which must not exist; returns false with errno set if it cannot.
    private func name(_ path: String) -> Bool {
        unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path.cPath, AT_SYMLINK_FOLLOW) == 0
    }

    /// Returns the path of a hidden file for one write.
    private static func temporary(in folder: String) -> String {
        "\(folder)/.gscap-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    }

    /// Gives a file another name, which must not exist; returns false with errno set if it cannot. The file systems of
    /// memory cards have no links: there the file loses its old name, which others may keep.
    static func link(_ file: String, to name: String) -> Bool {
        if unsafe Glibc.link(file.cPath, name.cPath) == 0 { return true }
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
        return unsafe gscap_rename_new(file.cPath, name.cPath) == 0
    }
}
