/// An error that explains why a picture file could not be encoded.
public struct PictureFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture or a setting is invalid for any format.
        public static let badPicture = Code(rawValue: "badPicture")
        /// The format does not support the settings; another format, depth or colour does.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The codec library that the format needs is not installed.
        public static let missingCodec = Code(rawValue: "missingCodec")
        /// The progress callback cancelled the encoding.
        public static let cancelled = Code(rawValue: "cancelled")
        /// There is not enough memory.
        public static let noMemory = Code(rawValue: "noMemory")
        /// The format's library rejected its input: a bug in this module.
        public static let encoder = Code(rawValue: "encoder")
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
