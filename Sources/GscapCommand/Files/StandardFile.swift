internal import Files
internal import GSCapture
internal import Glibc
internal import JSON
internal import Synchronization

/// The name `-`: standard input as an input file, standard output as an output file.
enum StandardFile {
    static let name = "-"

    /// Whether an output path means standard output: `-`, or its name as a device, which cannot be replaced.
    static func isOutput(_ path: String) -> Bool { path == name || path == "/dev/stdout" }

    /// The words for the input `-` in messages.
    static let inputName = "standard input"

    /// The most bytes that are read from standard input: the size of the largest classic TIFF file.
    private static let mostBytes = 1 << 32

    /// The bytes of standard input that were read so far.
    private static let input = Mutex<[UInt8]>([])

    /// Returns all bytes of standard input. Whoever knows by the first bytes that it is no photo need not read a
    /// stream that may be endless.
    static func inputBytes() throws(Failure) -> [UInt8] {
        let bytes = try inputBytes(atMost: mostBytes + 1)
        guard bytes.count <= mostBytes else {
            throw Failure(.badInput, "standard input has more than \(mostBytes) bytes; name a file", file: name)
        }
        return bytes
    }

    /// Returns the first `count` bytes of standard input, or all of a shorter one, and reads no more than these. Later
    /// calls get the same bytes. Throws for a terminal, and if nothing comes.
    static func inputBytes(atMost count: Int) throws(Failure) -> [UInt8] {
        guard isatty(STDIN_FILENO) == 0 else {
            throw Failure(.usage, "standard input is a terminal: pipe a file into gscap, or name one", file: name)
        }
        let bytes = try input.withLock { input throws(Failure) in
            if input.count < count {
                input += try InputFile.bytes(
                    descriptor: STDIN_FILENO, count: count - input.count, of: inputName)
            }
            return input
        }
        guard count == 0 || !bytes.isEmpty else { throw Failure(.noInput, "standard input is empty", file: name) }
        return bytes.count > count ? Array(bytes[..<count]) : bytes
    }

    /// Checks before any work that a file can be written to standard output: it is not a terminal, and no JSON is
    /// written there.
    static func checkOutput(_ console: Console) throws(Failure) {
        guard !console.isJSON else {
            throw Failure(.usage, "--json writes to standard output, as the file would: name a file with --output")
        }
        guard StandardStreams.hasOutput else {
            throw Failure(.inputOutput, "standard output is closed: redirect it to a file or a program, or name a file")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw Failure(
                .usage, "standard output is a terminal: redirect it to a file or a program, or name a file")
        }
    }

    /// Writes a file in pieces to standard output.
    static func write(_ pieces: [[UInt8]]) throws(Failure) {
        for piece in pieces {
            guard StandardStreams.write(piece[...], to: STDOUT_FILENO) else {
                throw Failure(.inputOutput, "standard output cannot be written; was it closed, or is the disk full?")
            }
        }
    }
}

/// The output file of a command: a new file, which appears whole or not at all, standard output, or a device or a named
/// pipe, which receives the bytes and is never replaced.
struct OutputFile {
    let path: String
    let replacing: Bool
    /// The files that the output is made from, which it must not replace.
    var sources = SourceFiles([])

    var isStandardOutput: Bool { StandardFile.isOutput(path) }

    /// Whether the path names a character device or a pipe.
    private var isStream: Bool {
        var information = stat()
        guard unsafe stat(path.cPath, &information) == 0 else { return false }
        return [S_IFCHR, S_IFIFO].contains(information.st_mode & S_IFMT)
    }

    /// Checks before the work, which may take long, that the file can be stored.
    func check(_ console: Console) throws(Failure) {
        if isStandardOutput { return try StandardFile.checkOutput(console) }
        if isStream { return }
        try sources.check(path)
        guard replacing || !InputFile.isThere(path) else {
            throw Failure(.cannotCreate, "\(path) exists already; name another file or use --overwrite")
        }
    }

    /// Stores the file.
    func write(pieces: [[UInt8]]) throws {
        if isStandardOutput { return try StandardFile.write(pieces) }
        if isStream { return try writeStream(pieces) }
        try sources.check(path)
        try WholeFile.write(pieces: pieces, to: path, replacing: replacing)
    }

    /// Stores the file.
    func write(_ bytes: RawSpan) throws {
        guard isStandardOutput || isStream else {
            try sources.check(path)
            return try WholeFile.write(bytes, to: path, replacing: replacing)
        }
        let piece = 1 << 24
        let starts = stride(from: 0, to: bytes.byteCount, by: piece)
        try write(
            pieces: starts.map { start in
                let part = bytes.extracting(start..<min(start + piece, bytes.byteCount))
                return unsafe part.withUnsafeBytes { unsafe Array($0) }
            })
    }

    /// Writes a file in pieces to the device or pipe; waits until another program reads the pipe.
    private func writeStream(_ pieces: [[UInt8]]) throws(Failure) {
        let descriptor = unsafe open(path.cPath, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw Failure(.cannotCreate, "\(path): cannot be opened for writing; choose another name", file: path)
        }
        defer { close(descriptor) }
        for piece in pieces {
            guard StandardStreams.write(piece[...], to: descriptor) else {
                throw Failure(.inputOutput, "\(path): cannot be written; is the device full?", file: path)
            }
        }
    }
}
