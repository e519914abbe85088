/// A spelling of earlier versions, which is refused with the one that replaces it.
struct EarlierSpelling: Sendable {
    /// The option, or the option with one of its values: "--quality speed".
    let old: String
    let new: String
    let commands: [CommandName]

    private init(_ old: String, _ new: String, _ commands: CommandName...) {
        (self.old, self.new, self.commands) = (old, new, commands)
    }

    static let all: [EarlierSpelling] =
        [
            Self("--file-quality", "--quality", .capture, .plan), Self("--processed", "--format", .capture, .plan),
            Self("--mode", "--effort", .fuse), Self("--space", "--color", .develop),
            Self("--exposure", "--ev", .develop), Self("--size", "--resize", .develop),
            Self("--no-lens", "--lens-correction off", .develop),
            Self("--lens-correction none", "--lens-correction off", .develop),
            Self("--preview", "--thumbnail", .convert),
        ]
        + ["speed", "balanced", "quality"].map { Self("--quality \($0)", "--effort \($0)", .capture, .plan) }
        + ["auto", "on", "off"].map { Self("--bracket \($0)", "--merge \($0)", .fuse) }
        + ["preview", "mattes", "depth", "original"].map { Self("--\($0)", "--extract \($0)", .inspect) }

    /// Returns the earlier spelling that an option, or an option with a value, is for a command.
    static func of(_ name: String, _ value: String? = nil, for command: CommandName) -> EarlierSpelling? {
        let spelling = value.map { "\(name) \($0)" } ?? name
        return all.first { $0.old == spelling && $0.commands.contains(command) }
    }

    /// Returns the setting of today for one that a preset of an earlier version has. Of an option with a value that is
    /// replaced, or of a flag that is now a value, the value is that of today.
    static func current(_ name: String, _ value: String?) -> (name: String, value: String?) {
        let known = value.flatMap { of(name, $0, for: .develop) } ?? of(name, for: .develop)
        guard let words = known?.new.split(separator: " ").map(String.init) else { return (name, value) }
        return (words[0], words.count == 1 ? value : ["no", "false", "0"].contains(value) ? nil : words[1])
    }

    var failure: Failure { Failure(.usage, "\(old) is now \(new)") }
}
