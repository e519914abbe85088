// Exported, so that the members of the error are visible in all files and wherever the module is imported.
@_exported public import Errors

/// An error of a session, of photo settings, of a capture or of one branch of a capture.
public typealias CaptureError = GscapError

extension GscapError.Code {
    /// The session is not running.
    public static let sessionNotRunning = Self(rawValue: "sessionNotRunning")
    /// The settings were already used for another capture.
    public static let settingsReused = Self(rawValue: "settingsReused")
    /// The settings request a format that the output does not support.
    public static let formatNotAvailable = Self(rawValue: "formatNotAvailable")
    /// The settings request a quality prioritization above the output's limit.
    public static let qualityNotAllowed = Self(rawValue: "qualityNotAllowed")
    /// The settings request no format at all.
    public static let nothingRequested = Self(rawValue: "nothingRequested")
    /// The pipeline text has a mistake.
    public static let badPipeline = Self(rawValue: "badPipeline")
    /// The frames of the capture could not be taken.
    public static let captureFailed = Self(rawValue: "captureFailed")
    /// One format of the capture failed; the other formats are not affected.
    public static let branchFailed = Self(rawValue: "branchFailed")
    /// The session stopped before the capture was complete.
    public static let aborted = Self(rawValue: "aborted")
    /// The captures under way use all the memory that is allowed for captures; `retryAfter` says when the next
    /// press will be accepted.
    public static let busy = Self(rawValue: "busy")
    /// The camera delivers no frames.
    public static let interrupted = Self(rawValue: "interrupted")
    /// The output belongs to another session, or the session has such an output already.
    public static let cannotAdd = Self(rawValue: "cannotAdd")
}

/// The failure of one camera of a virtual device, as the cause of an error.
package struct ConstituentFailure: Error, CustomStringConvertible {
    /// The cause of the camera's error.
    package let cause: (any Error)?

    package var description: String { cause.map { "\($0)" } ?? "one camera failed" }

    package init(cause: (any Error)?) { self.cause = cause }
}

extension GscapError {
    /// Whether the error is that of one camera of a virtual device, other than its primary camera. It fails the photos
    /// of that camera alone: further photos of the other cameras do not fail because of it. False for other errors.
    public var concernsOneConstituent: Bool { cause is ConstituentFailure }
}
