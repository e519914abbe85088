/// A problem found in a DNG file.
public struct DNGProblem: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a problem.
    public enum Severity: String, Sendable, Hashable {
        /// A violation of the specification: readers fail or show a wrong picture.
        case error
        /// A valid construct that some readers do not handle correctly.
        case warning
    }

    /// The problem's severity.
    public var severity: Severity
    /// A description of the problem that names the tag, strip or tile.
    public var message: String

    /// Creates a problem.
    public init(_ severity: Severity, _ message: String) {
        self.severity = severity
        self.message = message
    }

    /// Severity and message as one line.
    public var description: String { "\(severity.rawValue): \(message)" }
}
