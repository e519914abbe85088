internal import Files
internal import Glibc

/// A random-access source of a file's bytes: in memory, or on disk and read range by range.
///
/// A file on disk is not memory-mapped: truncating a mapped file while it is read would kill the process (SIGBUS).
// Sendable: the storage never changes, and pread uses no shared file offset.
package final class ByteSource: Sendable {
    private enum Storage {
        case array([UInt8])
        case data(TIFFData)
        case file(descriptor: Int32)
        case part(of: ByteSource, start: Int)
    }

    /// The file's size in bytes.
    package let count: Int
    /// The file's path; nil for bytes in memory.
    package let path: String?
    private let storage: Storage

    /// Creates a source of bytes in memory.
    package init(_ bytes: [UInt8]) {
        path = nil
        count = bytes.count
        storage = .array(bytes)
    }

    /// Creates a source of the bytes of a finished file.
    package init(_ data: TIFFData) {
        path = nil
        count = data.count
        storage = .data(data)
    }

    /// Creates a source of the bytes of another from an offset to the end.
    package init(_ source: ByteSource, from start: Int) {
        path = source.path
        let start = min(max(0, start), source.count)
        count = source.count - start
        storage = .part(of: source, start: start)
    }

    /// Opens a regular file.
    package init(path: String) throws(GscapError) {
        self.path = path
        let descriptor = unsafe open(path.cPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let cause = SystemError(number: errno)
            throw GscapError(
                .cannotRead, "\(path) cannot be opened: \(cause)", at: TIFFLocation(path: path), cause: cause)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw GscapError(
                .cannotRead, "\(path) is not a regular file; name a DNG file", at: TIFFLocation(path: path))
        }
        count = Int(status.st_size)
        storage = .file(descriptor: descriptor)
    }

    deinit {
        if case .file(let descriptor) = storage { close(descriptor) }
    }

    /// Copies up to `size` bytes starting at `offset`; returns the number copied, which is smaller at the file's end.
    package func read(at offset: Int, into target: UnsafeMutableRawPointer, count size: Int) -> Int {
        guard size > 0, offset >= 0, offset < count else { return 0 }
        let size = min(size, count - offset)
        switch storage {
        case .array(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { unsafe memcpy(target, base + offset, size) }
            }
            return size
        case .data(let data):
            unsafe memcpy(target, data.base + offset, size)
            return size
        case .part(let source, let start):
            return unsafe source.read(at: start + offset, into: target, count: size)
        case .file(let descriptor):
            return unsafe Self.read(descriptor, at: offset, into: target, count: size)
        }
    }

    /// Returns the bytes of a range; nil unless the whole range lies in the file.
    package func bytes(at offset: Int, count size: Int) -> [UInt8]? {
        guard size >= 0, offset >= 0, offset <= count, size <= count - offset else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let got = unsafe bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            return unsafe read(at: offset, into: base, count: size)
        }
        return got == size ? bytes : nil
    }

    private static func read(
        _ descriptor: Int32, at offset: Int, into target: UnsafeMutableRawPointer, count size: Int
    ) -> Int {
        var done = 0
        while done < size {
            let got = unsafe pread(descriptor, target + done, size - done, offset + done)
            if got < 0 && errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        return done
    }
}
