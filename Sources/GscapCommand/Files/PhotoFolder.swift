internal import Files
internal import GSCapture
internal import Glibc
internal import GscapElements

/// Operations on folders of photos.
enum PhotoFolder {
    /// Checks before any work that files can be created in a folder, which is created later if it does not exist.
    static func check(_ folder: String) throws(Failure) {
        do throws(GscapError) { try OutputFolder.check(folder) } catch { throw Failure(error) }
    }

    /// Creates a folder with its parents, unless it exists, and checks that files can be created in it.
    static func prepare(_ folder: String) throws(Failure) {
        do throws(GscapError) { try OutputFolder.create(folder) } catch { throw Failure(error) }
    }

    /// Deletes the claims on names, and the folders that the command has created and that are empty. Called at the end
    /// of the process.
    static func cleanUp() {
        NameReservation.releaseAll()
        OutputFolder.removeEmpty()
    }

    /// Returns the folder that contains a folder.
    static func parent(of folder: String) -> String {
        // The last component of such a path does not name the folder.
        if let last = folder.split(separator: "/").last, last == "." || last == ".." { return folder + "/.." }
        return folder.pathParent
    }

    /// Returns whether a folder exists at a path.
    static func isFolder(_ path: String) -> Bool { OutputFolder.isFolder(path) }

    /// Returns the files that the operands of a command name, each once, with each folder replaced by the raw photos in
    /// it and in its subfolders, except those in the folder `output`: by the files whose names `isPhoto` accepts. A
    /// folder that cannot be read is reported.
    static func expand(
        _ operands: [String], except output: String? = nil, isPhoto: (String) -> Bool = FileNames.isListedPhoto,
        _ failed: (Failure) -> Void
    ) -> [String] {
        let excluded = output.flatMap { FileIdentity(of: $0) }
        var seen: Set<String> = []
        var files: [String] = []
        for operand in operands {
            if isFolder(operand) {
                add(operand, to: &files, except: excluded, depth: 0, isPhoto, failed)
            } else {
                files.append(operand)
            }
        }
        return files.filter { seen.insert($0).inserted }
    }

    /// The most levels of subfolders.
    private static let mostLevels = 32

    /// Adds the raw photos of a folder, sorted by name, then those of its subfolders. Hidden files and folders, jobs of
    /// `gscap finish`, links to folders, pipes and devices are left out.
    private static func add(
        _ folder: String, to files: inout [String], except excluded: FileIdentity?, depth: Int,
        _ isPhoto: (String) -> Bool, _ failed: (Failure) -> Void
    ) {
        guard unsafe access(folder.cPath, R_OK | X_OK) == 0 else {
            return failed(Failure(.noInput, "\(folder): permission to read it is denied", file: folder))
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let paths = (FolderListing.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }.sorted().map { base + $0 }
        var folders: [String] = []
        for path in paths {
            var information = stat()
            let isSubfolder = unsafe lstat(path.cPath, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
            if isSubfolder {
                folders.append(path)
            } else if isFileOrMissing(path), isPhoto(path) {
                files.append(path)
            }
        }
        guard depth < mostLevels else { return }
        for path in folders where FileIdentity(of: path) != excluded || excluded == nil {
            guard !DeferredJob.exists(at: path) else { continue }
            add(path, to: &files, except: excluded, depth: depth + 1, isPhoto, failed)
        }
    }

    /// Returns whether a path names a regular file, or nothing: the target of a link that is lost is reported later.
    private static func isFileOrMissing(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path.cPath, &information) != 0 || information.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the output path in a folder for each input file, named after that file. Where several inputs have the
    /// same name, the name of the input's folder, then a number make the outputs unique. The same inputs have the same
    /// outputs in every run.
    static func targets(in folder: String, for paths: [String], suffix: String) -> [String] {
        let stems = paths.map { $0 == StandardFile.name ? "photo" : FileNames.stem(of: $0) }
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
