// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error of developing a raw photo; its `cause` may be that of the raw picture.
public typealias DevelopError = GscapError

extension GscapError.Code {
    /// The requested output has invalid dimensions, reaches beyond its source, or does not fit the caller's buffer.
    public static let badOutput = Self(rawValue: "badOutput")
    /// The text of a `.cube` look is malformed; the message names the line.
    public static let badLook = Self(rawValue: "badLook")
}

extension GscapError {
    /// Runs `body` and rethrows its error as a `badPicture` error with the original as `cause`.
    static func checking<Result>(_ body: () throws(GscapError) -> Result) throws(GscapError) -> Result {
        do throws(GscapError) {
            return try body()
        } catch {
            throw GscapError(.badPicture, "cannot develop: \(error.message)", cause: error)
        }
    }
}
