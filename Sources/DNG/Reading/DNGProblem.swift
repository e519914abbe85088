/// Something about a file that is not as it should be.
public struct DNGProblem: Sendable, Hashable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable {
        /// The file breaks the format's rules: readers will fail, or show a wrong picture.
        case error
        /// The file keeps to the rules, but not every reader will take it well.
        case warning
    }

    /// How bad it is.
    public var severity: Severity
    /// What is wrong, with the tag, strip or tile.
    public var message: String

    /// A problem.
    public init(_ severity: Severity, _ message: String) {
        self.severity = severity
        self.message = message
    }

    /// Both as one line.
    public var description: String { "\(severity.rawValue): \(message)" }
}
