/// A warning about pipeline text that is valid but probably not intended, with what to do about it.
public struct PipelineWarning: Hashable, Sendable, CustomStringConvertible {
    /// The warning code.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A branch of a tee that does not begin with a queue.
        case teeBranchWithoutQueue = "tee-branch-without-queue"
        /// A queue whose limit in bytes is smaller than one frame.
        case queueTooSmall = "queue-too-small"
        /// A sink that requires a display.
        case sinkNeedsDisplay = "sink-needs-display"
        /// A missing tee named `raw`, `burst` or `photo`: gscap connects to the pipeline at these tees.
        case missingRole = "missing-role"
        /// A branch that makes a still image of every frame.
        case stillWithoutShutter = "still-without-shutter"
        /// A preview branch whose queue can block the camera.
        case previewNotLeaky = "preview-not-leaky"
        /// A file sink in which gst-launch-1.0 would write all photos into one file.
        case photosInOneFile = "photos-in-one-file"
    }

    /// The warning code.
    public var code: Code
    /// The message: what is wrong and what to do.
    public var message: String
    /// The location of the construct and the line of text there; nil if the description was not parsed from text.
    public var excerpt: SourceExcerpt?

    /// The message as `file:line:column: warning: message`, followed by the line with a caret below the location.
    public var description: String {
        guard let excerpt else { return "warning: \(message)" }
        return "\(excerpt): warning: \(message)\n\(excerpt.underlined)"
    }
}
