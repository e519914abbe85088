/// An error that explains why no lens profile could be found.
public struct LensProfileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Lensfun or its database is not installed.
        public static let missingLibrary = Code(rawValue: "missingLibrary")
        /// The database does not contain the lens, or the photo's metadata is insufficient to use it.
        public static let unknownLens = Code(rawValue: "unknownLens")
    }

    /// The kind of failure.
    public var code: Code
    /// The message for people: the fault and how to correct it.
    public var message: String

    /// Creates an error of a kind with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message.
    public var description: String { message }
}
