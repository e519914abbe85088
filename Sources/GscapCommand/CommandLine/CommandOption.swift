internal import CameraRaw

/// An option of the command: a row of the table from which parsing, help, manual page, completion and the advice on
/// mistyped options come.
struct CommandOption: Sendable {
    /// What completes the value of an option, or an operand, beside words.
    enum Completion: Sendable, Equatable {
        case nothing
        /// Files with one of these endings, or any files if there are none.
        case files([String])
        case folders, programs, devices, presets, variables

        /// Reads the completion of the table, such as "@files" with endings.
        init(_ word: String, _ endings: [String]) {
            self =
                switch word {
                case "@files": .files(endings)
                case "@photos": .files(CommandOption.photos)
                case "@folders": .folders
                case "@programs": .programs
                case "@devices": .devices
                case "@presets": .presets
                case "@variables": .variables
                default: .nothing
                }
        }
    }

    /// The headings of the help, under which options stand.
    enum Group: String, CaseIterable, Sendable {
        case pipeline = "The pipeline file"
        case camera = "The camera, without a pipeline file"
        case photo = "The photo"
        case series = "The series and its files"
        case movie = "The movie"
        case fusion = "The fusion"
        case light = "Light and colour"
        case detail = "Sharpness, noise and lens"
        case picture = "The picture"
        case storage = "The DNG"
        case presets = "Presets and sidecars"
        case files = "Files"
        case general = "General options"
    }

    /// The name with its dashes, such as `--output`, and the other spellings that mean the same, such as `-o`.
    let name: String
    let others: [String]
    /// The word for the value in the help; in brackets if the value may be left out, empty if there is none.
    let placeholder: String
    /// The description; the short help has it up to the first semicolon.
    private(set) var sentence: String
    /// The words that the value may be, for completion; numbers and names may be possible too.
    let words: [String]
    let completion: Completion
    /// Whether the short help lists the option.
    let isCommon: Bool
    let group: Group
    /// The commands that have the option.
    let commands: [CommandName]

    /// Whether a value must follow.
    var needsValue: Bool { !placeholder.isEmpty && !acceptsValue }
    /// Whether one of `words` may follow.
    var acceptsValue: Bool { placeholder.hasPrefix("[") }
    /// The name as the help shows it: "-o, --output OUT".
    var label: String {
        let short = others.filter { !$0.hasPrefix("--") }
        let long = others.filter { $0.hasPrefix("--") }
        return (short + [name] + long).joined(separator: ", ") + (placeholder.isEmpty ? "" : " " + placeholder)
    }

    /// The endings of raw photos, as they are usually written.
    static let photos = (["dng"] + CameraRawFile.extensions.sorted()).flatMap { [$0, $0.uppercased()] }

    /// Reads a table, whose form `all` describes.
    static func parse(_ table: String) -> [CommandOption] {
        var options: [CommandOption] = []
        var (group, commands) = (Group.general, [CommandName]())
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("[") {
                group = Group.allCases.first { "[\($0)]" == words[0] } ?? group
                let names = words.dropFirst().map { $0 == "gscap" ? "" : $0 }
                commands = names == ["all"] ? CommandName.allCases : names.compactMap(CommandName.init(rawValue:))
            } else if line.hasPrefix("-") {
                options.append(CommandOption(words, in: group, commands))
            } else {
                options[options.count - 1].sentence += " " + words.joined(separator: " ")
            }
        }
        return options
    }

    /// Reads the line of an option: "--output, -o OUT * @files dng = word | sentence".
    private init(_ row: [String], in group: Group, _ commands: [CommandName]) {
        let line = row.prefix { $0 != "|" }
        sentence = row.dropFirst(line.count + 1).joined(separator: " ")
        let names = line.prefix { $0.hasPrefix("-") }.map { $0.filter { $0 != "," } }
        (name, others) = (names[0], Array(names.dropFirst()))
        let rest = line.dropFirst(names.count)
        placeholder = rest.first.flatMap { $0 == "*" || $0 == "=" || $0.hasPrefix("@") ? nil : $0 } ?? ""
        isCommon = rest.contains("*")
        words = Array(rest.drop { $0 != "=" }.dropFirst())
        let completer = rest.drop { !$0.hasPrefix("@") }.prefix { $0 != "=" }
        completion = Completion(completer.first ?? "", Array(completer.dropFirst()))
        (self.group, self.commands) = (group, commands)
    }

    /// The options of a command, in the order of its help.
    static func of(_ command: CommandName) -> [CommandOption] { all.filter { $0.commands.contains(command) } }

    /// The names of a command's options of a group.
    static func names(_ group: Group, of command: CommandName) -> [String] {
        of(command).filter { $0.group == group }.map(\.name)
    }

    /// The names of all options.
    static let names = Set(all.map(\.name))
}

/// A command: `gscap` itself, which takes photos, or a subcommand.
enum CommandName: String, CaseIterable, Sendable {
    case capture = ""
    case plan, inspect, fuse, develop, convert, verify, finish, record, devices, doctor, completion

    /// The words that run the command: "gscap plan".
    var text: String { self == .capture ? "gscap" : "gscap \(rawValue)" }
}
