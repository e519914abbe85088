/// An error in the settings or the scene file of a simulated sensor.
public struct SensorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind of failure.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A setting is out of range.
        public static let badSetting = Code(rawValue: "badSetting")
        /// The scene file is missing or cannot be opened.
        public static let noScene = Code(rawValue: "noScene")
        /// The scene file is not a supported image.
        public static let badScene = Code(rawValue: "badScene")
        /// The computation of the scene was ended before it was complete.
        public static let ended = Code(rawValue: "ended")
    }

    /// The kind of failure.
    public var code: Code
    /// A message that states what is wrong and what to do.
    public var message: String

    /// Creates an error from its kind and message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message.
    public var description: String { message }
}
