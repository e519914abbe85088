/// Why a DNG file could not be made or read.
public struct DNGError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture given to the writer cannot be written.
        public static let badPicture = Code(rawValue: "badPicture")
        /// The file cannot be opened or read.
        public static let cannotRead = Code(rawValue: "cannotRead")
        /// The bytes are not a DNG file, or a broken one.
        public static let malformed = Code(rawValue: "malformed")
        /// The file uses a part of the format that is not read.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The file has no picture of the kind asked for.
        public static let noSuchImage = Code(rawValue: "noSuchImage")
        /// The codec that the file needs is not on this machine.
        public static let missingCodec = Code(rawValue: "missingCodec")
        /// There is not enough memory.
        public static let noMemory = Code(rawValue: "noMemory")
        /// The container library refused what this module gave it: a fault of this module.
        public static let container = Code(rawValue: "container")
    }

    /// The kind of failure.
    public var code: Code
    /// What is wrong, where, and what to do.
    public var message: String

    /// An error of a kind with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
