internal import Glibc

/// Operations on folders of photos.
enum PhotoFolder {
    /// Creates a folder with its parents, and checks before any work that files can be created in it.
    static func prepare(_ folder: String) throws(Failure) {
        var path = ""
        for part in folder.split(separator: "/", omittingEmptySubsequences: false) {
            path += part + "/"
            if !part.isEmpty { unsafe mkdir(path, 0o755) }
        }
        guard isFolder(folder) else {
            throw Failure(.cannotCreate, "\(folder): cannot create this folder; choose another with --output")
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            throw Failure(.cannotCreate, "\(folder): permission to write there is denied; choose another with --output")
        }
    }

    /// Returns whether a folder exists at a path.
    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the files that the operands of a command name, with each folder replaced by the DNGs directly in it.
    static func expand(_ operands: [String]) throws(Failure) -> [String] {
        var files: [String] = []
        for operand in operands { files += isFolder(operand) ? try self.files(in: operand) : [operand] }
        return files
    }

    /// Returns the paths of the DNGs in a folder, sorted by name, without hidden files.
    static func files(in folder: String) throws(Failure) -> [String] {
        guard unsafe access(folder, R_OK | X_OK) == 0 else {
            throw Failure(.noInput, "\(folder): permission to read it is denied")
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let names = FileNames.names(in: folder).filter { !$0.hasPrefix(".") && FileNames.isDNG($0) }
        return names.sorted().map { base + $0 }
    }

    /// Returns the output path in a folder for each input file, named after that file. Where several inputs have the
    /// same name, the name of the input's folder, then a number make the outputs unique. The same inputs have the same
    /// outputs in every run.
    static func targets(in folder: String, for paths: [String], suffix: String) -> [String] {
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
            return folder + name + suffix
        }
    }
}
