public import RawImage

/// Why a picture could not be developed.
public struct DevelopError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. Later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's stable name, for logs and comparisons.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The raw image has invalid dimensions, the wrong number of samples or invalid metadata; see `cause`.
        public static let badPicture = Code(rawValue: "badPicture")
        /// The requested output has invalid dimensions, reaches beyond its source, or does not fit the caller's
        /// buffer.
        public static let badOutput = Code(rawValue: "badOutput")
        /// A recipe value is out of range, or a white balance cannot be derived from the photo.
        public static let badRecipe = Code(rawValue: "badRecipe")
        /// The text of a `.cube` look is malformed; the message names the line.
        public static let badLook = Code(rawValue: "badLook")
    }

    /// The kind of failure.
    public var code: Code
    /// The message for people: the fault, its location and how to correct it.
    public var message: String
    /// The underlying error when validating the raw image failed; nil for other failures.
    public var cause: RawImageError?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: RawImageError? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message alone.
    public var description: String { message }

    /// Runs `body` and rethrows its `RawImageError` as a `badPicture` error with the original as `cause`.
    static func checking<Result>(_ body: () throws(RawImageError) -> Result) throws(DevelopError) -> Result {
        do throws(RawImageError) {
            return try body()
        } catch {
            throw DevelopError(.badPicture, "cannot develop: \(error.message)", cause: error)
        }
    }
}
