/// An error that explains why a burst or bracket cannot be fused.
public struct FusionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A frame's size, Bayer pattern or bit depth differs from that of the first frame.
        public static let differentFormat = Code(rawValue: "differentFormat")
        /// A frame's format, codes or metadata are inconsistent.
        public static let badFrame = Code(rawValue: "badFrame")
        /// The burst or bracket contains no frame.
        public static let empty = Code(rawValue: "empty")
        /// The options are out of range or do not fit the burst.
        public static let badOptions = Code(rawValue: "badOptions")
        /// The burst has more frames than can be fused.
        public static let tooManyFrames = Code(rawValue: "tooManyFrames")
        /// The caller cancelled the fusion.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    public var code: Code
    /// The message for people: the fault, its location and how to correct it.
    public var message: String

    /// Creates an error of a kind with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error message.
    public var description: String { message }
}
