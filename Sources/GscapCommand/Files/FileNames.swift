internal import Glibc

/// Names for the files of photos, made from a template.
///
/// `{n}` is the photo's number, the first one free in the folder; `{date}` and `{time}` are local; `{kind}` is the branch.
struct FileNames {
    /// The folder.
    var folder: String
    /// The template, without the ending.
    var template: String
    /// Whether several branches give files of one ending, so that names must tell them apart.
    var namesKinds: Bool

    private var lastNumber = 0

    /// Names in a folder; throws when the template is no plain file name.
    init(folder: String, template: String, namesKinds: Bool) throws(Failure) {
        guard !template.isEmpty, !template.contains("/"), template != ".", template != ".." else {
            throw Failure(.usage, "--name needs a file name without folders, such as photo-{n}, not \"\(template)\"")
        }
        try Self.check(template)
        self.folder = folder
        self.template = template
        self.namesKinds = namesKinds
    }

    private static func check(_ template: String) throws(Failure) {
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw Failure(.usage, "--name \"\(template)\": a { without its }")
            }
            let word = rest[rest.index(after: open)..<close]
            guard ["n", "date", "time", "kind"].contains(word) else {
                throw Failure(.usage, "--name \"\(template)\": no {\(word)}; there are {n}, {date}, {time}, {kind}")
            }
            rest = rest[rest.index(after: close)...]
        }
    }

    /// The beginning of all files of the next photo: a number that no file there uses.
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

    /// Whether a file's name is one that a photo of this stem could have: the stem, with any kind, before "." or "-".
    private static func isName(_ name: String, from stem: String) -> Bool {
        let parts = stem.split(separator: "{kind}", maxSplits: 1, omittingEmptySubsequences: false)
        guard name.hasPrefix(parts[0]) else { return false }
        let rest = name.dropFirst(parts[0].count)
        guard parts.count > 1 else { return rest.hasPrefix(".") || rest.hasPrefix("-") }
        return rest.contains(parts[1] + ".") || rest.contains(parts[1] + "-")
    }

    /// The path of one file of a photo; of a burst of files when `frame` tells which.
    func path(stem: String, kind: String, ending: String, frame: Int?) -> String {
        var name = stem.replacing("{kind}", with: kind)
        if namesKinds && !template.contains("{kind}") { name += "-" + kind }
        if let frame { name += "-\(frame)" }
        return (folder.hasSuffix("/") ? folder : folder + "/") + name + "." + ending
    }

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

    /// Whether a file's name is that of a DNG.
    static func isDNG(_ name: String) -> Bool { name.lowercased().hasSuffix(".dng") }

    /// A file's name without folder and ending.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return isDNG(name) ? String(name.dropLast(4)) : name
    }

    /// A file's folder and the letters that its name begins with: frames of one burst have these in common.
    static func series(of path: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? path
        return String(path.dropLast(name.count)) + String(name.prefix { !($0.isASCII && $0.isNumber) })
    }

    /// The names in a folder.
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
