internal import GStreamer

/// What went wrong with a session, a setting, a capture or one branch of it.
public struct CaptureError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; new kinds may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The kind's name.
        public var rawValue: String

        /// A kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The session does not run.
        public static let sessionNotRunning = Code(rawValue: "sessionNotRunning")
        /// The session has no camera, or the camera is gone.
        public static let noDevice = Code(rawValue: "noDevice")
        /// A settings object was used for a second capture.
        public static let settingsReused = Code(rawValue: "settingsReused")
        /// The settings ask for a format that the output does not have.
        public static let formatNotAvailable = Code(rawValue: "formatNotAvailable")
        /// The settings ask for more quality than the output allows, or than the format can have.
        public static let qualityNotAllowed = Code(rawValue: "qualityNotAllowed")
        /// The settings ask for no picture at all.
        public static let nothingRequested = Code(rawValue: "nothingRequested")
        /// The pipeline's text is wrong.
        public static let badPipeline = Code(rawValue: "badPipeline")
        /// An element is missing.
        public static let missingElement = Code(rawValue: "missingElement")
        /// An element of the pipeline failed.
        public static let pipelineFailed = Code(rawValue: "pipelineFailed")
        /// The burst could not be taken.
        public static let captureFailed = Code(rawValue: "captureFailed")
        /// One format could not be made; the others are unharmed.
        public static let branchFailed = Code(rawValue: "branchFailed")
        /// The session stopped before the capture was done.
        public static let aborted = Code(rawValue: "aborted")
        /// No folder, no right, no space, or a file is there already.
        public static let cannotWrite = Code(rawValue: "cannotWrite")
    }

    /// The kind of failure.
    public var code: Code
    /// What is wrong, and what to do.
    public var message: String
    /// The element, file or setting it is about; empty when it is about all.
    public var place: String
    /// The failure below that led to this one.
    public var cause: (any Error)?

    /// An error of a kind with its message.
    public init(_ code: Code, _ message: String, place: String = "", cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.place = place
        self.cause = cause
    }

    /// "place: message".
    public var description: String {
        place.isEmpty ? message : "\(place): \(message)"
    }
}

extension CaptureError {
    /// The failure of an element in a running pipeline.
    init(_ error: GStreamerError) {
        // GStreamer says "not found" for a camera that is not there.
        let isAbsent = error.domain == GStreamerError.Domain.resource && error.code == 3
        let code: Code = isAbsent ? .noDevice : error.isMissing ? .missingElement : .pipelineFailed
        self.init(code, error.message, place: error.place, cause: error)
    }
}
