internal import GStreamer

/// An error of a session, of photo settings, of a capture or of one branch of a capture.
public struct CaptureError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The session is not running.
        public static let sessionNotRunning = Code(rawValue: "sessionNotRunning")
        /// The session has no camera, or the camera was disconnected.
        public static let noDevice = Code(rawValue: "noDevice")
        /// The settings were already used for another capture.
        public static let settingsReused = Code(rawValue: "settingsReused")
        /// The settings request a format that the output does not support.
        public static let formatNotAvailable = Code(rawValue: "formatNotAvailable")
        /// The settings request a quality prioritization above the output's limit.
        public static let qualityNotAllowed = Code(rawValue: "qualityNotAllowed")
        /// The settings request no format at all.
        public static let nothingRequested = Code(rawValue: "nothingRequested")
        /// The pipeline text has a mistake.
        public static let badPipeline = Code(rawValue: "badPipeline")
        /// An element of the pipeline is not installed.
        public static let missingElement = Code(rawValue: "missingElement")
        /// An element of the running pipeline failed.
        public static let pipelineFailed = Code(rawValue: "pipelineFailed")
        /// The frames of the capture could not be taken.
        public static let captureFailed = Code(rawValue: "captureFailed")
        /// One format of the capture failed; the other formats are not affected.
        public static let branchFailed = Code(rawValue: "branchFailed")
        /// The session stopped before the capture was complete.
        public static let aborted = Code(rawValue: "aborted")
        /// The capture was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The captures under way use all the memory that is allowed for captures; `retryAfter` says when the next
        /// press will be accepted.
        public static let busy = Code(rawValue: "busy")
        /// The camera delivers no frames.
        public static let interrupted = Code(rawValue: "interrupted")
        /// The output belongs to another session, or the session has such an output already.
        public static let cannotAdd = Code(rawValue: "cannotAdd")
        /// The file could not be written: missing folder, no permission, or the file exists.
        public static let cannotWrite = Code(rawValue: "cannotWrite")
        /// A file that the settings name does not exist or cannot be read.
        public static let cannotRead = Code(rawValue: "cannotRead")
    }

    /// The kind of failure.
    public var code: Code
    /// The problem and how to solve it.
    public var message: String
    /// The element, file or setting that the error concerns; empty if it concerns the whole session.
    public var place: String
    /// The underlying error; nil if there is none.
    public var cause: (any Error)?
    /// The time after which a press refused as `busy` will be accepted; nil for other errors.
    public var retryAfter: Duration?
    /// Whether the error is that of one camera of a virtual device, other than its primary camera. It fails the photos
    /// of that camera alone: further photos of the other cameras do not fail because of it. False for other errors.
    public var concernsOneConstituent = false

    /// Creates an error of a kind with a message.
    public init(_ code: Code, _ message: String, place: String = "", cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.place = place
        self.cause = cause
    }

    /// The place and the message, in the form "place: message".
    public var description: String {
        place.isEmpty ? message : "\(place): \(message)"
    }
}

extension CaptureError {
    /// Creates the error for a failed element in a running pipeline.
    init(_ error: GStreamerError) {
        // 3 is GST_RESOURCE_ERROR_NOT_FOUND, with which a source reports a missing camera.
        let isAbsent = error.domain == GStreamerError.Domain.resource && error.code == 3
        let code: Code = isAbsent ? .noDevice : error.isMissingPlugin ? .missingElement : .pipelineFailed
        self.init(code, error.message, place: error.place, cause: error)
    }
}
