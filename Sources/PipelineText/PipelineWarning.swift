/// Something that is allowed in a pipeline text but will likely not do what is wanted, with what to do about it.
public struct PipelineWarning: Hashable, Sendable, CustomStringConvertible {
    /// The kind of the warning.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A branch of a tee that does not begin with a queue.
        case teeBranchWithoutQueue = "tee-branch-without-queue"
        /// A queue whose limit of bytes is less than one frame.
        case queueTooSmall = "queue-too-small"
        /// A sink that shows its picture on a display.
        case sinkNeedsDisplay = "sink-needs-display"
        /// A tee that gscap finds by its name is not there.
        case missingRole = "missing-role"
        /// A branch that makes photos of every frame.
        case stillWithoutShutter = "still-without-shutter"
        /// A preview that can hold up the camera.
        case previewNotLeaky = "preview-not-leaky"
        /// A sink that puts all photos into one file.
        case photosInOneFile = "photos-in-one-file"
    }

    /// The kind of the warning.
    public var code: Code
    /// What is the matter and what to do.
    public var message: String
    /// The place and its line, if the pipeline was read from a text.
    public var excerpt: SourceExcerpt?

    /// `file:line:column: warning: message`, then the line with a caret below the place.
    public var description: String {
        guard let excerpt else { return "warning: \(message)" }
        return "\(excerpt): warning: \(message)\n\(excerpt.underlined)"
    }
}
