internal import Files
internal import Glibc
internal import GscapElements
internal import PipelineText

extension PipelineDescription {
    /// Makes the file sinks of a pipeline leave existing files as they are. Sinks that number their files start after
    /// the last file; their locations are returned. Throws if another sink would replace a file.
    mutating func keepFiles() throws(GscapError) -> [String] {
        var locations: [String] = []
        for (index, element) in graph.elements.enumerated() {
            guard let counter = Self.counters[element.factory] else { continue }
            guard let location = element["location"] ?? Self.standardLocations[element.factory] else { continue }
            if let pattern = NumberedFiles(location), !counter.isEmpty {
                locations.append(location)
                let first = element[counter].flatMap { Int($0) } ?? 0
                guard let next = pattern.nextNumber, next > first else { continue }
                var changed = element.element
                changed[counter] = "\(next)"
                replace(index, with: changed)
            } else if NumberedFiles.isFile(location) {
                let excerpt = excerpt(at: element.element.location)
                throw GscapError(
                    .existingFile, "\(location) exists already; name another file, or replace it with --overwrite",
                    at: excerpt)
            }
        }
        return locations
    }

    /// The sinks that write files, and their property with the number of the first file; empty for those without.
    private static let counters = ["filesink": "", "multifilesink": "index", "splitmuxsink": "start-index"]
    static let standardLocations = ["multifilesink": "%05d"]
}

extension GscapError.Code {
    /// A file that a sink would replace.
    static let existingFile = Self(rawValue: "existing-file")
}

/// The files of a location with a number in C's notation, such as `frame-%05d.jpg`.
private struct NumberedFiles {
    private let folder: String
    private let start: String
    private let end: String

    /// Splits a location; fails with nil if it has no number.
    init?(_ location: String) {
        let slash = location.lastIndex(of: "/").map { location.index(after: $0) } ?? location.startIndex
        folder = slash == location.startIndex ? "." : String(location[..<slash])
        let name = location[slash...]
        guard let percent = name.firstIndex(of: "%"),
            let letter = name[percent...].dropFirst().firstIndex(where: { !$0.isNumber }), "diu".contains(name[letter])
        else { return nil }
        start = String(name[..<percent])
        end = String(name[name.index(after: letter)...])
    }

    /// The number after the highest of the existing files; nil if there are none, or no number is left.
    var nextNumber: Int? {
        let numbers = (FolderListing.names(in: folder) ?? []).compactMap { name -> Int? in
            guard name.hasPrefix(start), name.hasSuffix(end), name.count > start.count + end.count else { return nil }
            let digits = name.dropFirst(start.count).dropLast(end.count)
            return digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
        }
        return numbers.filter { $0 < Int32.max }.max().map { $0 + 1 }
    }

    /// Whether a regular file exists at a path; devices and pipes are written to, not replaced.
    static func isFile(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }
}
