internal import Glibc

/// A file descriptor that closes when its owner ends. Programs that the process starts do not inherit it.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes a new descriptor, or nil if `number` is negative: the number that a system call returned.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// Opens a regular file.
    static func opening(file path: String) throws(GscapError) -> Descriptor {
        // Without O_NONBLOCK, opening a FIFO would wait for its writer.
        guard let file = Descriptor(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else {
            throw GscapError(.unsupported, "the file cannot be opened: \(systemError())")
        }
        var information = stat()
        guard unsafe fstat(file.number, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw GscapError(.unsupported, "this is not a regular file; name a camera's raw file")
        }
        return file
    }

    /// The size of the file in bytes.
    var fileSize: Int {
        var information = stat()
        return unsafe fstat(number, &information) == 0 ? Int(information.st_size) : 0
    }

    /// Returns what the last failed system call of this thread says.
    static func systemError() -> String {
        unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    }
}
