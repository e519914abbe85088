internal import Files
internal import Glibc

/// The files that a command reads, none of which its output may replace: a replaced frame or photo is lost.
struct SourceFiles {
    private var paths: [FileIdentity: String] = [:]

    /// Creates the list of the files at these paths; `-` is the file that standard input reads.
    init(_ paths: [String]) {
        for path in paths {
            if let identity = FileIdentity(of: path) { self.paths[identity] = path }
        }
    }

    /// Throws if the output file at a path is one of these under any name, except under those of the file at `own`.
    func check(_ target: String, except own: String? = nil) throws(Failure) {
        guard let identity = FileIdentity(of: target), let source = paths[identity],
            own.flatMap({ FileIdentity(of: $0) }) != identity
        else { return }
        let role = source == target ? "one of the input files" : "the same file as the input \(source)"
        throw Failure(.cannotCreate, "\(target) is \(role), which the output would replace; name another output")
    }
}

/// The device and number of a file or folder, which all its names have in common: those of symbolic and hard links too.
struct FileIdentity: Hashable {
    private let device: UInt
    private let number: UInt

    /// Finds the file at a path, or that of standard input; nil if there is none.
    init?(of path: String) {
        var information = stat()
        let status =
            unsafe path == StandardFile.name ? fstat(STDIN_FILENO, &information) : stat(path.cPath, &information)
        guard status == 0 else { return nil }
        (device, number) = (UInt(information.st_dev), UInt(information.st_ino))
    }
}
