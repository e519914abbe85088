// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

extension GscapError {
    /// The error of an encoding that its progress callback cancelled.
    package static let cancellation = GscapError(.cancelled, "the encoding was cancelled")
}
