internal import Glibc

/// Folders that files go to and come from.
enum OutputFolder {
    /// Makes a folder and finds out now, not after the work, whether files can be made there.
    static func prepare(_ folder: String) throws(Failure) {
        var path = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            path += part + "/"
            if !part.isEmpty { unsafe mkdir(path, 0o755) }
        }
        guard isFolder(folder) else {
            throw Failure(.cannotCreate, "\(folder): cannot make this folder; choose another with --output")
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            throw Failure(.cannotCreate, "\(folder): no right to write there; choose another with --output")
        }
    }

    /// Whether a path is a folder's.
    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// The paths of the DNGs in a folder, hidden ones left out, in the order of their names.
    static func files(in folder: String) throws(Failure) -> [String] {
        guard unsafe access(folder, R_OK | X_OK) == 0 else { throw Failure(.noInput, "\(folder): no right to read it") }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let names = FileNames.names(in: folder).filter { !$0.hasPrefix(".") && FileNames.isDNG($0) }
        return names.sorted().map { base + $0 }
    }
}
