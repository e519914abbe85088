internal import Glibc

/// Two files that belong together, of which neither appears without the other: a still and its movie.
///
/// The complete files are first stored under hidden names, and then linked to theirs. A process that is killed in
/// between leaves the hidden files, from which `finish(in:)` publishes both, or deletes what is incomplete:
///
///     nothing ──hide movie──► movie hidden ──hide still──► both hidden ──link both, remove hidden names──► published
///        ▲                         │                            │                                              ▲
///        └─────────killed──────────┘                            └──killed: linked by the next process──────────┘
///
/// The movie is linked before the still, so that a still never appears without its movie. File systems without links,
/// as on memory cards, rename the files instead.
package struct PairedFiles: Sendable {
    private let folder: String
    /// The names of the two files in the folder: they differ in their extensions only.
    private let (movie, still): (String, String)
    /// The name without extension, on which the pair has a claim while it is stored.
    private let name: String
    /// The ending of the hidden files' names.
    private var ending = Self.newEnding

    /// The endings of the hidden files of a pair whose names are free, and of a pair that replaces older files.
    private static let (newEnding, replacingEnding) = (".pair", ".replacing-pair")
    private static let movieExtension = "mov"

    /// Creates the pair of a still's path: the movie has the same name with the extension .mov.
    package init(still path: String) {
        (folder, name, still) = (path.pathFolder, path.pathStem, path.pathName)
        movie = "\(name).\(Self.movieExtension)"
    }

    /// The path of the movie.
    package var moviePath: String { path(movie) }

    /// The path of the still.
    var stillPath: String { path(still) }

    /// The paths of the stills of this name with the other extensions that stills of pairs have.
    var otherStills: [String] {
        ["jpg", "jpeg", "heic"].map { "\(name).\($0)" }.filter { $0 != still }.map(path)
    }

    /// Stores both files. Throws if one of the names exists, unless `replacing` is true; then neither file is stored.
    /// Errors name the files, not the hidden ones.
    package func write(still: [UInt8], movie: [[UInt8]], replacing: Bool = false) throws(GscapError) {
        var pair = self
        if replacing { pair.ending = Self.replacingEnding }
        try pair.store(still, movie)
    }

    private var isReplacing: Bool { ending == Self.replacingEnding }

    private func store(_ still: [UInt8], _ movie: [[UInt8]]) throws(GscapError) {
        guard let claim = try naming(self.still, claim) else {
            throw GscapError(
                file: path(self.still), "another process stores files of this name; choose another name", EBUSY)
        }
        defer { withExtendedLifetime(claim) {} }
        // Hidden files that a killed process has left under these names belong to another press.
        for ending in [Self.newEnding, Self.replacingEnding] {
            var left = self
            left.ending = ending
            if isReplacing { left.removeHidden() } else { left.finish() }
        }
        if isReplacing { try checkReplaceable() } else { try checkNames() }
        do throws(GscapError) {
            try hide(movie, as: self.movie)
            try hide([still], as: self.still)
            try publish(replacing: isReplacing)
        } catch {
            removeHidden()
            throw error
        }
    }

    /// Claims the name; returns nil if another process has it.
    func claim() throws(GscapError) -> NameReservation? { try NameReservation.claim(claimName, in: folder) }

    /// Stores the complete file of a name under its hidden name.
    private func hide(_ pieces: [[UInt8]], as name: String) throws(GscapError) {
        try naming(name) { () throws(GscapError) in
            try WholeFile.write(pieces: pieces, to: path(hidden(name)), replacing: true)
        }
    }

    /// Runs a step of storing the file of a name, and gives its error the path of that file.
    private func naming<R>(_ name: String, _ step: () throws(GscapError) -> R) throws(GscapError) -> R {
        do throws(GscapError) {
            return try step()
        } catch {
            var failure = error
            failure.place = path(name)
            throw failure
        }
    }

    /// Publishes the pairs in a folder that killed processes have left complete, and deletes what they have left
    /// incomplete. A pair whose name was taken meanwhile stays hidden.
    package static func finish(in folder: String) {
        let names = FolderListing.names(in: folder) ?? []
        for ending in [newEnding, replacingEnding] {
            let hidden = names.filter { $0.hasPrefix(".") && $0.hasSuffix(ending) }
            let files = hidden.map { String($0.dropFirst().dropLast(ending.count)) }
            for (name, files) in Dictionary(grouping: files, by: { PairedFiles(still: $0).name }) {
                let still = files.first { !$0.hasSuffix("." + movieExtension) }
                var pair = PairedFiles(still: "\(folder)/\(still ?? "\(name).\(movieExtension)")")
                pair.ending = ending
                guard let claim = try? NameReservation.claim(pair.claimName, in: folder) else { continue }
                pair.finish()
                withExtendedLifetime(claim) {}
            }
        }
    }

    private func finish() {
        // A movie alone was not followed by its still.
        guard still != movie, exists(hidden(still)) else { return removeHidden() }
        if exists(hidden(movie)) {
            // A published movie of a new pair: the process was killed before it published the still.
            let replaces = isReplacing ? [movie, still].allSatisfy(mayReplace) : isLinked(movie)
            if replaces || (try? checkNames()) != nil { try? publish(replacing: replaces) }
        } else if !exists(movie) || (try? link(still, replacing: replacesOlder(still))) != nil {
            // The movie's hidden name is the first that is removed, so its still was published; or the movie was
            // renamed, and its still is to follow.
            removeHidden()
        }
    }

    /// Whether a hidden file may replace that of its name, if there is one.
    private func mayReplace(_ name: String) -> Bool { !exists(name) || isLinked(name) || replacesOlder(name) }

    /// Whether the file of a name is older than the hidden one, so that the pair was to replace it. A newer one was
    /// stored by another program meanwhile.
    private func replacesOlder(_ name: String) -> Bool {
        guard let one = status(name), let other = status(hidden(name)) else { return false }
        let times = [one, other].map { ($0.st_mtim.tv_sec, $0.st_mtim.tv_nsec) }
        return times[0] < times[1]
    }

    /// Links both files to their names, and removes the hidden names.
    private func publish(replacing: Bool) throws(GscapError) {
        try link(movie, replacing: replacing)
        do throws(GscapError) {
            try link(still, replacing: replacing)
        } catch {
            if isLinked(movie) {
                unsafe unlink(path(movie).cPath)
            } else if !exists(hidden(movie)) {
                unsafe rename(path(movie).cPath, path(hidden(movie)).cPath)
            }
            throw error
        }
        WholeFile.syncFolder(folder)
        removeHidden()
    }

    /// Links a hidden file to its name, unless it is linked already.
    private func link(_ name: String, replacing: Bool) throws(GscapError) {
        if NewFile.link(path(hidden(name)), to: path(name)) || isLinked(name) { return }
        guard errno == EEXIST, replacing else { throw GscapError("cannot name the file", path(name)) }
        // A link cannot replace a file, but a renamed link can. Without links, the file itself is renamed.
        let beside = path(beside(name))
        unsafe unlink(beside.cPath)
        let isLinked = unsafe Glibc.link(path(hidden(name)).cPath, beside.cPath) == 0
        guard unsafe rename((isLinked ? beside : path(hidden(name))).cPath, path(name).cPath) == 0 else {
            throw GscapError("cannot replace the file", path(name))
        }
    }

    /// Whether the name is that of the hidden file.
    private func isLinked(_ name: String) -> Bool {
        let reason = errno
        defer { errno = reason }
        guard let one = status(name), let other = status(hidden(name)) else { return false }
        return one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }

    private func checkNames() throws(GscapError) {
        for name in [still, movie] where exists(name) {
            throw GscapError("cannot name the file", path(name), reason: EEXIST)
        }
    }

    /// Checks that no folder, device or pipe has one of the names, so that neither file is replaced without the other.
    private func checkReplaceable() throws(GscapError) {
        for name in [still, movie] { _ = try WholeFile.replaceable(path(name)) }
    }

    private func status(_ name: String) -> stat? {
        var status = stat()
        return unsafe lstat(path(name).cPath, &status) == 0 ? status : nil
    }

    private func exists(_ name: String) -> Bool { unsafe access(path(name).cPath, F_OK) == 0 }

    private func removeHidden() {
        for name in [movie, still] {
            unsafe unlink(path(hidden(name)).cPath)
            unsafe unlink(path(beside(name)).cPath)
        }
    }

    private var claimName: String { name + Self.newEnding }

    private func hidden(_ name: String) -> String { ".\(name)\(ending)" }

    /// The name of a second link to a hidden file, which replaces an older file.
    private func beside(_ name: String) -> String { hidden(name) + ".link" }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }
}
