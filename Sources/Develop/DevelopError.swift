public import RawImage

/// Why a picture could not be developed.
public struct DevelopError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A raw picture whose shape, length or metadata is wrong; `cause` says what.
        public static let badPicture = Code(rawValue: "badPicture")
        /// A display picture of an impossible shape, or too short a buffer for it.
        public static let badOutput = Code(rawValue: "badOutput")
        /// A recipe with a value out of range.
        public static let badRecipe = Code(rawValue: "badRecipe")
    }

    /// The kind of failure.
    public var code: Code
    /// What is wrong and what to do.
    public var message: String
    /// What the raw picture's own check said, when that failed.
    public var cause: RawImageError?

    /// An error of a kind with its message.
    public init(_ code: Code, _ message: String, cause: RawImageError? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    public var description: String { message }

    /// Runs a check of a raw picture and reports its failure as one of development.
    static func checking<Result>(_ body: () throws(RawImageError) -> Result) throws(DevelopError) -> Result {
        do throws(RawImageError) {
            return try body()
        } catch {
            throw DevelopError(.badPicture, "cannot develop: \(error.message)", cause: error)
        }
    }
}
