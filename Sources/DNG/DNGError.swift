/// An error of encoding, opening or decoding a DNG file.
public struct DNGError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture, metadata or settings passed to the encoder are invalid.
        public static let badPicture = Code(rawValue: "badPicture")
        /// The file cannot be opened or read.
        public static let cannotRead = Code(rawValue: "cannotRead")
        /// The bytes are not a DNG file, or the file is damaged.
        public static let malformed = Code(rawValue: "malformed")
        /// The file uses a feature of the format that this reader does not support.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The file has no picture of the requested kind.
        public static let noSuchImage = Code(rawValue: "noSuchImage")
        /// The codec library that the file needs is not installed.
        public static let missingCodec = Code(rawValue: "missingCodec")
        /// The caller cancelled the work.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Memory could not be allocated.
        public static let noMemory = Code(rawValue: "noMemory")
        /// libtiff or libjxl rejected a call of this module, which is a bug in this module.
        public static let container = Code(rawValue: "container")
    }

    /// The kind of failure.
    public var code: Code
    /// A message for people: what is wrong, where, and what to do.
    public var message: String

    /// Creates an error of a kind with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
