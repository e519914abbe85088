internal import Glibc

/// Atomic file writing: a file appears complete or not at all.
///
/// The bytes are written to a `NewFile` and flushed to disk before the file gets its name, so that a killed process
/// leaves nothing behind.
package enum WholeFile {
    /// Writes a file atomically; throws if it exists, unless `replacing` is true.
    package static func write(_ bytes: RawSpan, to path: String, replacing: Bool = false) throws(GscapError) {
        try create(path, replacing: replacing) { descriptor throws(GscapError) in
            try unsafe bytes.withUnsafeBytes { (bytes) throws(GscapError) in
                try unsafe append(bytes, to: descriptor, path: path)
            }
        }
    }

    /// Writes the concatenation of several byte arrays as a file, atomically; throws if it exists, unless `replacing`
    /// is true.
    package static func write(pieces: [[UInt8]], to path: String, replacing: Bool = false) throws(GscapError) {
        try create(path, replacing: replacing) { descriptor throws(GscapError) in
            for piece in pieces {
                try unsafe piece.span.withUnsafeBytes { (bytes) throws(GscapError) in
                    try unsafe append(bytes, to: descriptor, path: path)
                }
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

    /// Creates a file, writes it with `fill`, flushes it to disk and gives it its name.
    private static func create(
        _ path: String, replacing: Bool, _ fill: (Int32) throws(GscapError) -> Void
    ) throws(GscapError) {
        let file = try NewFile(for: replacing ? try replaceable(path) : path)
        try fill(file.descriptor)
        guard fsync(file.descriptor) == 0 else { throw GscapError("cannot flush the file to disk", path) }
        try file.publish(replacing: replacing)
        syncFolder(file.path.pathFolder)
    }

    /// Returns the path of the file to replace: `path`, or the file that it names as a symbolic link, which then
    /// remains a link. Throws unless that is a regular file, because a rename would delete a device or a pipe.
    static func replaceable(_ path: String) throws(GscapError) -> String {
        var information = stat()
        guard unsafe stat(path.cPath, &information) == 0 else { return path }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw GscapError(
                file: path, "cannot replace the file: this is a folder, a device or a pipe; choose another name", EISDIR
            )
        }
        guard unsafe lstat(path.cPath, &information) == 0, information.st_mode & S_IFMT == S_IFLNK,
            let target = unsafe realpath(path.cPath, nil)
        else { return path }
        defer { unsafe free(target) }
        return unsafe String(pathBytes: UnsafeRawBufferPointer(start: target, count: strlen(target)))
    }

    private static func append(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
    ) throws(GscapError) {
        var done = 0
        while done < bytes.count {
            let written = unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw GscapError("cannot write", path) }
            done += written
        }
    }

    /// Flushes the names in a folder to disk, as far as the file system can.
    static func syncFolder(_ folder: String) {
        let descriptor = unsafe open(folder.cPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
