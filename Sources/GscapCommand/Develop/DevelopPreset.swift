internal import Files
internal import GSCapture
internal import Glibc
internal import GscapElements

/// A preset: settings of `gscap develop` in a text file, a line `name = value` for each option without its dashes.
enum DevelopPreset {
    /// The options that a preset may contain.
    private static let settings = CommandOption.of(.develop).filter {
        [.light, .detail, .picture].contains($0.group)
    }

    /// Options of which a preset's one does not count if the command line has the other.
    private static let alternatives = [["--white", "--pick"]]

    private static let fileExtension = ".preset"
    private static let mostBytes = 1 << 20

    // MARK: Reading

    /// Returns the options with the settings of `--preset`, which the command line's own take precedence over.
    static func applied(to options: Options) throws(Failure) -> Options {
        guard let name = options.value("--preset") else { return options }
        let path = try path(of: name)
        let text = String(decoding: try InputFile.bytes(of: path, limit: mostBytes), as: UTF8.self)
        var result = options
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            let (name, value) = try setting(line) { message in
                Failure(.badInput, "\(path), line \(number + 1): \(message)", file: path)
            }
            let names = alternatives.first { $0.contains(name) } ?? [name]
            if names.contains(where: options.has) { continue }
            result.add(name, resolved(value, of: name, in: path))
        }
        return result
    }

    /// Parses a line `name = value`; the value of an option that takes none is yes or no. Returns the value for the
    /// command line, nil for no.
    private static func setting(
        _ line: String, _ failure: (String) -> Failure
    ) throws(Failure) -> (name: String, value: String?) {
        guard let equals = line.firstIndex(of: "=") else {
            throw failure("\"\(line)\" is not of the form name = value")
        }
        let written = String(line[..<equals]).trimmed
        let current = EarlierSpelling.current("--" + written, String(line[line.index(after: equals)...]).trimmed)
        guard let value = current.value else { return current }
        let name = current.name
        guard let option = settings.first(where: { $0.name == name || $0.others.contains(name) }) else {
            let names = settings.map { String($0.name.dropFirst(2)) }
            throw failure("there is no setting \"\(written)\"" + Suggestions.advice(written, among: names))
        }
        if option.needsValue { return (option.name, value) }
        switch value {
        case "yes", "true", "1": return (name, "")
        case "no", "false", "0": return (name, nil)
        default: throw failure("\(name.dropFirst(2)) must be yes or no, not \"\(value)\"")
        }
    }

    /// Returns a value with the path of a file relative to the preset's folder.
    private static func resolved(_ value: String?, of name: String, in preset: String) -> String? {
        guard let value, isFile(value, of: name), !value.hasPrefix("/") else { return value }
        let folder = preset.lastIndex(of: "/").map { String(preset[...$0]) } ?? ""
        return folder + value
    }

    private static func isFile(_ value: String, of name: String) -> Bool {
        let ending = value.lowercased()
        switch name {
        case "--icc": return true
        case "--look": return ending.hasSuffix(".cube") || value.contains("/")
        case "--profile": return ending.hasSuffix(".dcp") || value.contains("/")
        default: return false
        }
    }

    // MARK: The folder of presets

    /// The folder of presets: gscap/presets in the user's folder for configuration; nil if that is unknown.
    private static var folder: String? {
        func variable(_ name: String) -> String? {
            let value = unsafe getenv(name).map { unsafe String(cString: $0) }
            // The specification of these folders ignores relative paths.
            return value.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let base = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
        return base.map { $0 + "/gscap/presets/" }
    }

    private static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(fileExtension) }

    /// The names of the presets in the folder, sorted.
    static var names: [String] {
        let files = folder.flatMap { FolderListing.names(in: $0) } ?? []
        return files.filter { $0.hasSuffix(fileExtension) }.map { String($0.dropLast(fileExtension.count)) }.sorted()
    }

    /// Returns the path of a preset from its name or path; throws if there is none, with the names of those that exist.
    private static func path(of name: String) throws(Failure) -> String {
        if isPath(name) { return name }
        let path = folder.map { $0 + name + fileExtension }
        if let path, InputFile.isThere(path) { return path }
        let names = names
        let list = names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ")
        throw Failure(
            .usage,
            "there is no preset \"\(name)\" in \(folder ?? "the user's folder, which is unknown"): \(list)"
                + Suggestions.advice(name, among: names, otherwise: "; or name a file with the ending \(fileExtension)")
        )
    }

    // MARK: Saving

    /// Stores the settings of the options as the preset that `--save-preset` names, and returns its path; nil without
    /// that option.
    static func save(_ options: Options) throws -> String? {
        guard let name = options.value("--save-preset") else { return nil }
        var lines = ["# A preset of gscap develop: the options, without their dashes."]
        for setting in settings {
            let word = setting.name.dropFirst(2)
            for value in options.all(setting.name) {
                guard !value.contains(where: \.isNewline) else {
                    throw Failure(.usage, "\(setting.name) has more than one line, which a preset cannot hold")
                }
                lines.append("\(word) = \(setting.needsValue ? absolute(value, of: setting.name) : "yes")")
            }
        }
        let path: String
        if isPath(name) {
            path = name
        } else {
            guard let folder else {
                throw Failure(.usage, "the user's folder is unknown (HOME is not set): name a file for --save-preset")
            }
            try PhotoFolder.prepare(folder)
            path = folder + name + fileExtension
        }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        try WholeFile.write(pieces: [bytes], to: path, replacing: options.has("--overwrite"))
        return path
    }

    /// Returns the absolute path of a file in the value of an option, or else the value.
    private static func absolute(_ value: String, of name: String) -> String {
        guard isFile(value, of: name), !value.hasPrefix("/") else { return value }
        let path = unsafe realpath(value, nil)
        defer { unsafe free(path) }
        return unsafe path.map { unsafe String(cString: $0) } ?? value
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
