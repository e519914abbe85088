/// Why a picture file could not be made.
public struct PictureFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The picture cannot be stored in any format.
        public static let badPicture = Code(rawValue: "badPicture")
        /// The format cannot hold what was asked for: another format, depth or colour can.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The codec that the format needs is not on this machine.
        public static let missingCodec = Code(rawValue: "missingCodec")
        /// Whoever watched the progress wanted no more.
        public static let cancelled = Code(rawValue: "cancelled")
        /// There is not enough memory.
        public static let noMemory = Code(rawValue: "noMemory")
        /// The format's library refused what this module gave it: a fault of this module.
        public static let encoder = Code(rawValue: "encoder")
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
