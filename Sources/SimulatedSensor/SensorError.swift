/// Why a simulated sensor cannot be made.
public struct SensorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A setting out of its range.
        public static let badSetting = Code(rawValue: "badSetting")
        /// The scene's file is missing or may not be read.
        public static let noScene = Code(rawValue: "noScene")
        /// The scene's file is not a picture that can be used.
        public static let badScene = Code(rawValue: "badScene")
    }

    /// The kind of failure.
    public var code: Code
    /// What is wrong and what to do.
    public var message: String

    /// An error of a kind with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
