/// An event of a session. The events of its captures are `CaptureEvent`s.
public enum SessionEvent: Sendable {
    /// The progress of a capture.
    case progress(CaptureProgress)
    /// A problem that does not stop the session.
    case warning(String)
    /// The preview runs without a window, because there is no display.
    case previewHidden
    /// A change outside a transaction could not be applied to the running session, which continues as before.
    case refused(CaptureError)
    /// The camera delivers no frames, or is disconnected. Its captures have failed; the session goes on when frames
    /// come again. Sent again if the reason changes.
    case interrupted(CaptureError)
    /// The camera delivers frames again, or is connected again.
    case resumed
    /// The session has failed and takes no more photos.
    case failed(CaptureError)
    /// The camera's stream has ended.
    case ended
}
