/// Why a burst cannot be fused.
public struct FusionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A frame is not of the burst's shape.
        public static let differentFormat = Code(rawValue: "differentFormat")
        /// A frame's shape, codes or metadata make no sense.
        public static let badFrame = Code(rawValue: "badFrame")
        /// The burst has no frame.
        public static let empty = Code(rawValue: "empty")
        /// What was asked for does not suit the burst.
        public static let badOptions = Code(rawValue: "badOptions")
        /// There are more frames than can be fused.
        public static let tooManyFrames = Code(rawValue: "tooManyFrames")
        /// The work was told to stop.
        public static let cancelled = Code(rawValue: "cancelled")
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
