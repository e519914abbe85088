/// An error of any module: its kind, a message for people, the place that it concerns, and the underlying error.
///
/// Modules add kinds in extensions of `Code`. The names by which older versions knew the errors of single modules, such
/// as `CaptureError` and `DNGError`, are aliases of this type.
public struct GscapError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; later versions may add kinds.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable name of the kind, for logs and comparisons.
        public var rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of failure.
    public var code: Code
    /// The message for people: the fault and how to correct it.
    public var message: String
    /// The element, file or setting that the error concerns; empty if the message names it, or if it concerns none.
    public var place: String
    /// The position in a file or text that the error concerns; nil if it concerns none, or one that is not known.
    public var position: (any ErrorPosition)?
    /// The underlying error: of the operating system, of GStreamer, or of a part of the work; nil if there is none.
    public var cause: (any Error)?
    /// The time after which the refused work will be accepted; nil for other errors.
    public var retryAfter: Duration?

    /// Creates an error of a kind with its message.
    public init(
        _ code: Code, _ message: String, place: String = "", at position: (any ErrorPosition)? = nil,
        cause: (any Error)? = nil
    ) {
        (self.code, self.message, self.place) = (code, message, place)
        (self.position, self.cause) = (position, cause)
    }

    /// The place and the message, as "place: message", and the line of a text in which the error is.
    public var description: String {
        (place.isEmpty ? message : "\(place): \(message)") + (position?.markedText.map { "\n" + $0 } ?? "")
    }
}

/// A position in a file or a text.
public protocol ErrorPosition: Sendable, Hashable {
    /// The line of text there with a mark below the position; nil for a position in a file that is no text.
    var markedText: String? { get }
}

extension GscapError: Hashable {
    /// Compares all properties; causes and positions are equal if their descriptions are.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.message == right.message && left.place == right.place
            && left.retryAfter == right.retryAfter && left.position.map { "\($0)" } == right.position.map { "\($0)" }
            && left.cause.map { "\($0)" } == right.cause.map { "\($0)" }
    }

    /// Hashes the kind, the message and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(place)
    }
}

extension GscapError {
    /// Returns the value; an error of it is thrown as one of another kind, with the original as its cause. For work
    /// whose failure means something else to the caller, such as an invalid curve in a malformed file.
    @discardableResult package static func recoding<Value: ~Copyable>(
        as code: Code, _ value: @autoclosure () throws(GscapError) -> Value
    ) throws(GscapError) -> Value {
        do throws(GscapError) {
            return try value()
        } catch {
            throw GscapError(code, error.message, place: error.place, at: error.position, cause: error)
        }
    }
}

// MARK: - Kinds of failure of several modules

extension GscapError.Code {
    /// A picture, its metadata or the settings for it are invalid; see `cause`.
    public static let badPicture = Self(rawValue: "badPicture")
    /// A recipe, lookup table, tone curve or lens correction is invalid or out of range.
    public static let badRecipe = Self(rawValue: "badRecipe")
    /// The bytes are not of the expected format, or the file is damaged.
    public static let malformed = Self(rawValue: "malformed")
    /// The file, settings or text use a feature of the format that is not supported.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The codec library that the format or the file needs is not installed.
    public static let missingCodec = Self(rawValue: "missingCodec")
    /// A codec library rejected its input or settings: a bug in gscap.
    public static let encoder = Self(rawValue: "encoder")
    /// There is not enough memory.
    public static let noMemory = Self(rawValue: "noMemory")
    /// The caller cancelled the work.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The work was ended before it was complete, because its owner stops.
    public static let ended = Self(rawValue: "ended")
    /// There is nothing to work on: a burst without a frame, or a text without an element.
    public static let empty = Self(rawValue: "empty")
    /// The file does not exist, or cannot be opened or read.
    public static let cannotRead = Self(rawValue: "cannotRead")
    /// The file could not be written: missing folder, no permission, or the file exists.
    public static let cannotWrite = Self(rawValue: "cannotWrite")
    /// There is no camera, or the camera was disconnected.
    public static let noDevice = Self(rawValue: "noDevice")
    /// An element of the pipeline, or a library that it needs, is not installed.
    public static let missingElement = Self(rawValue: "missingElement")
    /// GStreamer or an element of a pipeline failed.
    public static let pipelineFailed = Self(rawValue: "pipelineFailed")
}
