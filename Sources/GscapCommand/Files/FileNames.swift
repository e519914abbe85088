internal import Glibc

/// Generates the names of photo files from a template such as "photo-{n}".
///
/// `{n}` is the photo's number, the next one that no file in the folder uses. `{date}` and `{time}` are local. `{kind}`
/// is the format of the pipeline's branch.
struct FileNames {
    /// The folder that the photos are stored in.
    var folder: String
    /// The template, without the file extension.
    var template: String
    /// Whether names include the format because several branches use the same file extension.
    var namesKinds: Bool

    private var lastNumber = 0

    /// Creates a generator for a folder. Throws if the template is not a file name or has an unknown field.
    init(folder: String, template: String, namesKinds: Bool) throws(Failure) {
        guard !template.isEmpty, !template.contains("/"), template != ".", template != ".." else {
            throw Failure(.usage, "--name needs a file name without folders, such as photo-{n}, not \"\(template)\"")
        }
        try Self.check(template)
        self.folder = folder
        self.template = template
        self.namesKinds = namesKinds
    }

    /// Throws if the template has a field in braces that is unknown or not closed.
    private static func check(_ template: String) throws(Failure) {
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw Failure(.usage, "--name \"\(template)\": a { has no matching }")
            }
            let word = rest[rest.index(after: open)..<close]
            guard ["n", "date", "time", "kind"].contains(word) else {
                throw Failure(.usage, "--name \"\(template)\": {\(word)} is unknown; use {n}, {date}, {time} or {kind}")
            }
            rest = rest[rest.index(after: close)...]
        }
    }

    /// Returns the beginning of the next photo's file names: the template with date, time and a number with which no
    /// file in the folder exists yet.
    mutating func nextStem() -> String {
        let (date, time) = Self.now()
        let dated = template.replacing("{date}", with: date).replacing("{time}", with: time)
        let names = Self.names(in: folder)
        while true {
            lastNumber += 1
            let digits = String(lastNumber)
            let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            let stem =
                dated.contains("{n}") || lastNumber == 1
                ? dated.replacing("{n}", with: number) : "\(dated)-\(lastNumber)"
            if !names.contains(where: { Self.isName($0, from: stem) }) { return stem }
        }
    }

    /// Returns whether a file name could belong to the photo whose names begin with `stem`: the stem, with any format
    /// in place of `{kind}`, followed by "." or "-".
    private static func isName(_ name: String, from stem: String) -> Bool {
        let parts = stem.split(separator: "{kind}", maxSplits: 1, omittingEmptySubsequences: false)
        guard name.hasPrefix(parts[0]) else { return false }
        let rest = name.dropFirst(parts[0].count)
        guard parts.count > 1 else { return rest.hasPrefix(".") || rest.hasPrefix("-") }
        return rest.contains(parts[1] + ".") || rest.contains(parts[1] + "-")
    }

    /// Returns the path of one file of a photo. `frame` is the frame's number if each frame of a burst is stored as a
    /// separate file, else nil.
    func path(stem: String, kind: String, fileExtension: String, frame: Int?) -> String {
        var name = stem.replacing("{kind}", with: kind)
        if namesKinds && !template.contains("{kind}") { name += "-" + kind }
        if let frame { name += "-\(frame)" }
        return (folder.hasSuffix("/") ? folder : folder + "/") + name + "." + fileExtension
    }

    /// Returns the local date as YYYYMMDD and the time as HHMMSS.
    private static func now() -> (date: String, time: String) {
        var seconds = Glibc.time(nil)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return unsafe (
            "\(parts.tm_year + 1900)\(digits(parts.tm_mon + 1))\(digits(parts.tm_mday))",
            "\(digits(parts.tm_hour))\(digits(parts.tm_min))\(digits(parts.tm_sec))"
        )
    }

    /// Returns whether a file name has the extension .dng in any case.
    static func isDNG(_ name: String) -> Bool { name.lowercased().hasSuffix(".dng") }

    /// Returns a file's name without its folder and without the extension .dng.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return isDNG(name) ? String(name.dropLast(4)) : name
    }

    /// Returns a file's folder and the beginning of its name up to the first digit, which the frames of one burst have
    /// in common.
    static func series(of path: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        return String(path.dropLast(name.count)) + String(name.prefix { !($0.isASCII && $0.isNumber) })
    }

    /// Returns the names of all entries of a folder, in no particular order, without "." and "..".
    static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe names.append(String(cString: $0))
                }
            }
        }
        return names.filter { $0 != "." && $0 != ".." }
    }
}
