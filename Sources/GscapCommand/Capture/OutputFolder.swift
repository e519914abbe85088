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

    /// A path in a folder for what is made of each of some files, named after it; where two would be alike, after its
    /// folder too, or with a number. The same files have the same names in every run.
    static func targets(in folder: String, for paths: [String], ending: String) -> [String] {
        let stems = paths.map(FileNames.stem)
        let counts = Dictionary(stems.map { ($0, 1) }, uniquingKeysWith: +)
        var names: Set<String> = []
        return zip(paths, stems).map { path, stem in
            let parent = path.split(separator: "/").dropLast().last.map { "\($0)-" } ?? ""
            let first = (counts[stem, default: 0] > 1 ? parent : "") + stem
            var (name, number) = (first, 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(first)-\(number)"
            }
            return folder + name + ending
        }
    }
}
