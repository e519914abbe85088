/// What happens in a session outside of captures.
public enum SessionEvent: Sendable {
    /// A capture makes progress.
    case progress(CaptureProgress)
    /// Something is not as it should be; the session goes on.
    case warning(String)
    /// The session cannot go on.
    case failed(CaptureError)
    /// The source has no more frames.
    case ended
}
