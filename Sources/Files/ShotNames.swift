internal import Glibc

/// The names that the files of shots in a folder begin with: each shot gets one that no file and no other shot has.
package struct ShotNames: Sendable, Hashable {
    /// The folder of the files; empty for the current one.
    package var folder: String
    /// Folders beside it, whose entries use up names, too.
    package var otherFolders: [String] = []

    /// Creates the names of a folder.
    package init(folder: String, otherFolders: [String] = []) {
        (self.folder, self.otherFolders) = (folder, otherFolders)
    }

    /// The most numbers that are tried for one shot.
    private static let mostNumbers = 10_000_000

    /// Reserves the name with the first free number above `last`. `name` returns the name with a number; `{kind}` in it
    /// stands for any text. With `replacing`, names of existing files are free.
    package func reserve(
        after last: Int, replacing: Bool = false, _ name: (Int) -> String
    ) throws(GscapError) -> (number: Int, reservation: NameReservation) {
        var entries = replacing ? FolderEntries() : FolderEntries(of: folders)
        for number in last + 1..<last + Self.mostNumbers {
            let name = name(number)
            if entries.hasFile(of: name) { continue }
            guard let reservation = try NameReservation.claim(name, in: place) else { continue }
            if replacing { return (number, reservation) }
            // Another shot may have stored its files and released the name since the entries were read.
            // With a template such as {kind}, the claim itself would use up the name.
            entries = FolderEntries(of: folders, except: NameReservation.file(of: name))
            if !entries.hasFile(of: name) { return (number, reservation) }
        }
        throw GscapError(file: place, "no free name was found; choose another folder", EBUSY)
    }

    /// Returns the path of a file of the shot of this name. `kind` tells it from others with the same extension, and
    /// `part` is its number among those of its kind; nil if there is none to tell it from.
    package func path(of name: String, kind: String?, part: Int?, fileExtension: String) -> String {
        let base = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        return base + name + (kind.map { "-\($0)" } ?? "") + (part.map { "-\($0)" } ?? "") + "." + fileExtension
    }

    /// Returns the digits of a number in a name: four at least, so that names of shots sort by it.
    package static func digits(of number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The path of the folder: `.` for the current one.
    package var place: String { folder.isEmpty ? "." : folder }

    private var folders: [String] { [place] + otherFolders }
}

/// The names of the entries of folders, sorted, so that those with a common beginning are found fast.
package struct FolderEntries {
    private let names: [[UInt8]]

    /// Creates the entries of a folder without files.
    init() { names = [] }

    /// Reads the entries of folders, except those of the name `own`; a folder that cannot be read has none.
    init(of folders: [String], except own: String? = nil) {
        let all = folders.flatMap { FolderListing.names(in: $0) ?? [] }.filter { $0 != own }
        names = all.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns whether an entry could be a file of the shot of this name: the name, with any text in place of `{kind}`,
    /// alone or followed by "." or "-".
    func hasFile(of name: String) -> Bool {
        let parts = name.split(separator: "{kind}", maxSplits: 1, omittingEmptySubsequences: false)
        let start = Array(parts[0].utf8)
        guard parts.count > 1 else {
            return entries(from: start).contains { $0.count == start.count || Self.isEnd($0[start.count]) }
        }
        let end = parts[1].replacing("{kind}", with: "")
        return entries(from: start).contains { entry in
            let rest = String(decoding: entry.dropFirst(start.count), as: UTF8.self)
            return rest.contains(end + ".") || rest.contains(end + "-")
        }
    }

    /// Whether a byte ends the name of a shot in the name of a file: "-" or ".".
    private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x2D || byte == 0x2E }

    /// Returns the entries with this beginning.
    private func entries(from start: [UInt8]) -> some Sequence<[UInt8]> {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].lexicographicallyPrecedes(start) { low = middle + 1 } else { high = middle }
        }
        return names[low...].lazy.prefix { $0.starts(with: start) }
    }
}
