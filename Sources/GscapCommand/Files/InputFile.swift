internal import Files
internal import Glibc

/// Reads input files, with errors that name the file and the remedy.
enum InputFile {
    /// Returns the bytes of a file. Throws if the file is larger than `limit` bytes. With `acceptsPipes` it may be a
    /// pipe or a device, and the call waits for a program that writes into the pipe.
    static func bytes(of path: String, limit: Int, acceptsPipes: Bool = true) throws(Failure) -> [UInt8] {
        let bytes = try beginning(of: path, count: limit + 1, acceptsPipes: acceptsPipes)
        guard bytes.count <= limit else {
            throw Failure(.badInput, "\(path): the file is larger than \(limit) bytes", file: path)
        }
        return bytes
    }

    /// Returns the first `count` bytes of a file, or all bytes of a shorter one.
    ///
    /// The name `-` is standard input. If there is no such file, a name without a folder refers to the pipelines that
    /// are installed with the command. Pipes and devices are errors unless they are accepted, because bytes that were
    /// read from them cannot be read again.
    static func beginning(of path: String, count: Int, acceptsPipes: Bool = false) throws(Failure) -> [UInt8] {
        if path == StandardFile.name { return try StandardFile.inputBytes(atMost: count) }
        // Opening a pipe waits for a program that writes into it, unless the flag O_NONBLOCK is set.
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (acceptsPipes ? 0 : O_NONBLOCK)
        var descriptor = unsafe open(path.cPath, flags)
        if descriptor < 0, errno == ENOENT, let installed = installed(path) {
            descriptor = unsafe open(installed.cPath, flags)
        }
        guard descriptor >= 0 else {
            let reason = errno == EACCES ? "permission to read it is denied" : "there is no such file"
            throw Failure(.noInput, "\(path): \(reason)", file: path)
        }
        defer { close(descriptor) }
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT != S_IFDIR else {
            throw Failure(.noInput, "\(path): is a folder; name a file in it", file: path)
        }
        guard acceptsPipes || information.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .noInput, "\(path): is a pipe or a device, not a file; pipe its bytes into gscap and name the file -",
                file: path)
        }
        return try bytes(descriptor: descriptor, count: count, of: path)
    }

    /// Returns the first `count` bytes of an open file, or all bytes of a shorter one. Errors name it `path`.
    static func bytes(descriptor: Int32, count: Int, of path: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < count {
            let wanted = min(block.count, count - bytes.count)
            let length = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, wanted) }
            if length < 0 && errno == EINTR { continue }
            guard length >= 0 else { throw Failure(.inputOutput, "\(path): cannot be read", file: path) }
            if length == 0 { break }
            bytes += block[..<length]
        }
        return bytes
    }

    /// Returns whether a file, or an installed pipeline of this name, exists.
    static func exists(_ path: String) -> Bool {
        isThere(path) || installed(path).map(isThere) ?? false
    }

    /// Returns whether a path names a file, a folder or something else.
    static func isThere(_ path: String) -> Bool { unsafe access(path.cPath, F_OK) == 0 }

    /// Returns the path of the installed pipeline of this name, relative to the program: PREFIX/bin/gscap reads
    /// PREFIX/share/gscap/pipelines. Returns nil for a name with a folder.
    private static func installed(_ name: String) -> String? {
        if name.contains("/") { return nil }
        var program = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe program.withUnsafeMutableBytes { bytes in
            unsafe bytes.bindMemory(to: CChar.self).baseAddress.map {
                unsafe readlink("/proc/self/exe", $0, bytes.count)
            } ?? 0
        }
        guard count > 0, let slash = program[..<count].lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(pathBytes: program[..<slash]) + "/../share/gscap/pipelines/" + name
    }
}
